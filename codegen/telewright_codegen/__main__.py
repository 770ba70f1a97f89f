"""``telewright`` and ``python -m telewright_codegen``."""

from __future__ import annotations

import gc
import sys

from telewright_codegen.cli import INTERRUPTED, main


def program() -> int:
    """Run the command that this process was started for, and return its exit code."""
    try:
        code = main()
        if code == INTERRUPTED:
            from signal import SIG_IGN, SIGINT, signal  # noqa: PLC0415  only needed here

            signal(SIGINT, SIG_IGN)  # once more, and Python's own end would print a traceback
        gc.freeze()  # all of it goes with the process: no walk through it in search of garbage
    except KeyboardInterrupt:  # a second one, while the first was being dealt with
        return INTERRUPTED
    return code


if __name__ == "__main__":
    sys.exit(program())
