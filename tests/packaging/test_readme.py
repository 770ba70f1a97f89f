"""What newcomers are told to type, where no environment has been made for it before."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from tests.docs.pages import ROOT, blocks


def commands(page, beginning):
    """Return the shell block of *page* that begins with *beginning*."""
    (found,) = (
        block.text
        for block in blocks(page)
        if block.language == "bash" and block.text.startswith(beginning)
    )
    return found


@pytest.mark.system
def test_its_install_commands_work(tmp_path):
    """In a new environment, from a checkout: both distributions import, the command answers."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    checkout = tmp_path / "checkout"
    subprocess.run(["git", "clone", "--quiet", ROOT, checkout], check=True)
    script = f'set -e; . "{tmp_path}/env/bin/activate"\n{commands("README.md", "pip install")}'
    done = subprocess.run(["bash", "-c", script], cwd=checkout, capture_output=True, text=True)  # noqa: PLW1510 - the code is asserted
    assert done.returncode == 0, done.stderr
    assert "telewright" in done.stdout


def test_ci_runs_the_very_commands():
    """In a fresh clone CI types what CONTRIBUTING says of setting up, and the README of testing."""
    stages = dict(re.findall(r"(?m)^must (\S+) \d+ (.*)$", (ROOT / ".ci/run").read_text()))
    assert stages["setup"] == commands("CONTRIBUTING.md", "make setup").strip()
    assert stages["tests"] == commands("README.md", "make test").strip()
