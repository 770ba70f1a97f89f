"""Interpreters of their own, for what an import does or a library's absence changes."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]

_BLOCKED: Final = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if (name + ".").startswith({names!r}):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Blocker())
"""


def run(code, *, blocked=(), **environment):
    """Run *code* where the libraries *blocked* are not installed; return what it printed."""
    before = _BLOCKED.format(names=tuple(f"{name}." for name in blocked))
    said = subprocess.run(
        [sys.executable, "-c", before + textwrap.dedent(code)],
        cwd=ROOT,
        env={**os.environ, **environment},
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert said.returncode == 0, said.stderr
    return said.stdout.splitlines()
