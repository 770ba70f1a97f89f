"""Packages that older releases generated run on today's runtime."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
RELEASES = sorted(path.parent.name for path in HERE.glob("*/calls.py"))


def run(folder, *command):
    """Run Python where *folder* is on the path, and the runtime of this checkout."""
    path = os.pathsep.join([str(folder), str(HERE.parents[1] / "runtime")])
    return subprocess.run(
        [sys.executable, *command],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_first_release_is_here():
    """There is something to run."""
    assert "0.1" in RELEASES


@pytest.mark.parametrize("release", RELEASES)
def test_a_package_of_that_release_runs(release):
    """Its application does what it did: every call fits, and the same telemetry comes of it."""
    done = run(HERE / release, str(HERE / release / "calls.py"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("release", RELEASES)
def test_its_data_is_understood(release):
    """The runtime finds the package's registry by the data beside it."""
    data = json.loads((HERE / release / "shop" / "_registry.json").read_text())
    assert data["registry"] == "shop"
    code = (
        "import shop.order\n"
        "from telewright._registries import registries\n"
        "print(sorted(registries()['shop']['attributes'])[0])\n"
    )
    done = run(HERE / release, "-c", code)
    assert (done.stdout, done.stderr) == ("shop.order.address\n", "")


def test_a_package_of_the_future_is_refused_in_one_line(tmp_path):
    """It names itself, what it needs, what is there, and the command that helps."""
    shutil.copytree(HERE / RELEASES[-1] / "shop", tmp_path / "shop")
    package = tmp_path / "shop" / "__init__.py"
    text = package.read_text()
    assert text.count('requires("0.1"') == 1
    package.write_text(text.replace('requires("0.1"', 'requires("99.5"'))
    done = run(tmp_path, "-c", "import shop.order")
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ImportError: shop needs telewright 99.5 or a later 99.x, found 0.")
    assert last.endswith("pip install -U 'telewright>=99.5'")
