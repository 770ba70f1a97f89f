"""What the README says about installing, run as it stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_its_install_commands_work(tmp_path):
    """In a new environment, from a checkout: both distributions import, the command answers."""
    block = re.search(r"```bash\n(pip install .*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert block is not None
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    checkout = tmp_path / "checkout"
    subprocess.run(["git", "clone", "--quiet", ROOT, checkout], check=True)
    script = f'set -e; . "{tmp_path}/env/bin/activate"\n{block.group(1)}telewright --version'
    done = subprocess.run(["bash", "-c", script], cwd=checkout, capture_output=True, text=True)  # noqa: PLW1510 - the code is asserted
    assert done.returncode == 0, done.stderr
