"""Running code in an interpreter of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(code, **environment):
    """Run *code* in a fresh interpreter and return what it printed and logged."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=ROOT,
        env={**os.environ, **environment},
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )


def succeeds(*parts, **environment):
    """Run *parts*, one after the other, which must go well; return the lines, and the log."""
    done = run("\n".join(map(textwrap.dedent, parts)), **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr
