"""Whoever gets a wheel or a source archive gets the licence with it."""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("distribution", ["telewright", "telewright-codegen"])
def test_wheels_have_it(names, distribution):
    """In its metadata, where installers and scanners look."""
    found = [name for name in names[distribution] if name.endswith(".dist-info/licenses/LICENSE")]
    assert len(found) == 1


@pytest.mark.parametrize("folder", [".", "codegen"])
def test_source_archives_have_it(folder, tmp_path):
    """At the top of the archive, the same text for both distributions."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)],
        cwd=ROOT / folder,
        check=True,
        capture_output=True,
    )
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        top = archive.name.removesuffix(".tar.gz")
        text = opened.extractfile(f"{top}/LICENSE").read()
    assert text == (ROOT / "LICENSE").read_bytes()
