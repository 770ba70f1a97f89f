"""Both wheels, built once, and an environment that has one of them and nothing of ours besides."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def wheels(tmp_path_factory):
    """Build the wheel of each distribution; return name → path."""
    into = tmp_path_factory.mktemp("wheels")
    built = {}
    for name, folder in {"telewright": ROOT, "telewright-codegen": ROOT / "codegen"}.items():
        subprocess.run(
            [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(into)],
            cwd=folder,
            check=True,
            capture_output=True,
        )
        (built[name],) = into.glob(f"{name.replace('-', '_')}-*.whl")
    return built


@pytest.fixture(scope="session")
def names(wheels):
    """Return the names of the files in each wheel."""
    return {name: zipfile.ZipFile(path).namelist() for name, path in wheels.items()}


@pytest.fixture(scope="session")
def metadata(wheels):
    """Return the metadata of each wheel."""
    found = {}
    for name, path in wheels.items():
        with zipfile.ZipFile(path) as archive:
            (entry,) = (n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
            found[name] = Parser().parsestr(archive.read(entry).decode())
    return found


class Environment:
    """A virtual environment of its own."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder)
        self.bin = folder / "bin"

    def install(self, *what: str | Path) -> None:
        """Install distributions, with the pip of the tests."""
        command = [sys.executable, "-m", "pip", "--python", self.bin / "python", "install"]
        command += ["--quiet", "--no-compile", *map(str, what)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def run(self, code: str, cwd: Path | None = None) -> str:
        """Run Python, isolated from this process's environment, and return what it prints."""
        command = [self.bin / "python", "-I", "-c", code]
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def runtime_only(wheels, tmp_path_factory):
    """Return an environment with the runtime's wheel and what that brings."""
    environment = Environment(tmp_path_factory.mktemp("runtime-only"))
    environment.install(wheels["telewright"])
    return environment


@pytest.fixture(scope="session")
def both(wheels, tmp_path_factory):
    """Return an environment with both wheels and what they bring."""
    environment = Environment(tmp_path_factory.mktemp("both"))
    environment.install(*wheels.values())
    return environment
