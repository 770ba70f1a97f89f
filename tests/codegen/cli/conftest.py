"""A small project that the tests of the command line work in."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest
from tests import blocks

GOOD: Final = """\
spans:
  - name: gym.rollout.dispatch
    brief: From the request to the scored result.
    attributes: {gym.rollout.key: required}
attributes:
  - id: gym.rollout.key
    type: string
    brief: Which rollout it is.
"""
"""The topic of the project."""
OUTPUT: Final = '[[output]]\nemitter = "python"\ninto = "src/acme/telemetry"\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one registry and one output; the working folder is in it, and not in CI."""
    blocks.write(GOOD, tmp_path)
    (tmp_path / "telewright.toml").write_text(OUTPUT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    return tmp_path
