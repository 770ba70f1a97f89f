"""A Python that nemo-lens installs on, kept between runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

VERSION = "3.13"
NEEDS = ["nemo-lens==0.1.0", "opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-http"]
ROOT = Path(__file__).resolve().parents[2]


def _interpreter():
    """Return the command of a Python that is new enough, or None."""
    kept = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    candidates = [
        f"python{VERSION}",
        *map(str, sorted(kept.glob(f"{VERSION}*/bin/python{VERSION}"))),
    ]
    for candidate in candidates:
        found = shutil.which(candidate)
        if found and _run([found, "-c", "print(1)"]).stdout.strip() == "1":
            return found
    return None


def _run(command, **options):
    return subprocess.run(command, check=False, capture_output=True, text=True, **options)


@pytest.fixture(scope="session")
def lens_python(request):
    """Return an interpreter that has nemo-lens and the runtime, or skip and say why."""
    python = _interpreter()
    if python is None:
        pytest.skip(f"nemo-lens needs Python {VERSION}, which is not installed")
    folder = Path(request.config.cache.mkdir(f"nemo-lens-{VERSION}"))
    inside, done = folder / "bin" / "python", folder / "installed"
    if not done.exists() or done.read_text() != repr(NEEDS):
        shutil.rmtree(folder)
        made = _run([python, "-m", "venv", "--without-pip", str(folder)])
        assert made.returncode == 0, made.stderr
        install = [sys.executable, "-m", "pip", "--python", str(inside), "install", "--no-compile"]
        made = _run([*install, "--quiet", "--pre", *NEEDS], timeout=300)
        if made.returncode:
            pytest.skip(f"nemo-lens cannot be installed: {made.stderr.strip()[-300:]}")
        done.write_text(repr(NEEDS))
    return str(inside)


@pytest.fixture
def run(lens_python):
    """Run code in a process of its own that nemo-lens is installed in; return its lines."""

    def in_process(code, **environ):
        said = _run(
            [lens_python, "-c", code],
            timeout=60,
            env={**os.environ, "PYTHONPATH": str(ROOT / "runtime"), **environ},
        )
        assert said.returncode == 0, said.stderr
        return said.stdout.splitlines()

    return in_process
