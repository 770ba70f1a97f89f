"""A copy of the checkout in which the steps of a page are taken as a person would take them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.docs.pages import ROOT


def checkout(into: Path) -> Path:
    """Copy what git would show a newcomer to *into*, with this environment as its ``.venv``."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split("\0"):
        if name and (ROOT / name).is_file():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, into / name, follow_symlinks=False)
    for settings in (into / "pyproject.toml", into / "codegen" / "pyproject.toml"):
        os.utime(settings, (0, 0))
    environment = into / ".venv"
    environment.mkdir()
    for part in ("bin", "lib", "pyvenv.cfg"):
        (environment / part).symlink_to(Path(sys.prefix) / part)
    (environment / ".ready").touch()
    return into


def variables(home: Path) -> dict[str, str]:
    """Return the environment of a person who works in the checkout at *home*."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("OTEL_", "TELEWRIGHT_", "PYTEST_", "COV_")) and name != "MAKEFLAGS"
    }
    return {
        **kept,
        "PATH": f"{home / '.venv' / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": f"{home / 'runtime'}:{home / 'codegen'}",
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "DEMO_PAIRS": "2",
    }


def shell(script: str, home: Path, *, timeout: float = 240) -> subprocess.CompletedProcess[str]:
    """Run *script* in the checkout at *home*; its output and its errors come as one text."""
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=home,
        env=variables(home),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=timeout,
        check=False,
    )
