"""``telewright`` and ``python -m telewright_codegen``."""

from __future__ import annotations

import gc
import sys

from telewright_codegen.cli import main


def program() -> int:
    """Run the command that this process was started for, and return its exit code."""
    code = main()
    gc.freeze()  # all of it goes with the process: no walk through it in search of garbage
    return code


if __name__ == "__main__":
    sys.exit(program())
