"""Ctrl-C at any instruction of a write: all of the old or all of the new, and nothing else."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest
from tests.codegen.write.making import HEADER, run, tree

from telewright_codegen.write import commit, write

FILES = {"a.py": f"{HEADER}a = 1\n", "deep/b.py": f"{HEADER}b = 1\n"}
LATER = {"a.py": f"{HEADER}a = 2\n", "new/c.py": f"{HEADER}c = 1\n"}

OURS = {commit.__file__, sys.modules[write.__module__].__file__}


class Interrupter:
    """Sends this process a SIGINT at one instruction of the modules that write."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self, frame, event, argument):  # noqa: ARG002 - as `sys.settrace` wants it
        """Count the instructions of a frame, if it is one of ours."""
        if frame.f_code.co_filename not in OURS:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            self.left -= 1
            if self.left == 0:
                signal.raise_signal(signal.SIGINT)
        return self


def interrupted(folder, files, at):
    """Write *files*, interrupted at an instruction; return whether there were as many."""
    interrupter = Interrupter(at)
    before = sys.gettrace()
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.settrace(interrupter)
    try:
        run(folder, files)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
        signal.signal(signal.SIGINT, handler)
    return interrupter.left <= 0


def everything(folder):
    """Return the files with what is in them, and the folders."""
    return tree(folder), {path for path in folder.rglob("*") if path.is_dir()}


@pytest.mark.parametrize("old", [{}, FILES], ids=["nothing there", "older files there"])
def test_an_interrupt_leaves_the_old_or_the_new(tmp_path, old):
    """At each instruction of a write SIGINT is sent: no half, no file beside, no folder stays."""
    seen, at, more = [], 0, True
    while more:
        at += 1
        folder = tmp_path / str(at)
        folder.mkdir()
        if old:
            run(folder, old)
        before = everything(folder)
        more = interrupted(folder, LATER, at)
        after = everything(folder)
        run(folder, LATER)
        assert after in (before, everything(folder)), at
        seen.append(after == before)
        assert Path(folder, "out", "a.py").read_text() == LATER["a.py"]
    assert set(seen) == {True, False}
    assert at > 300
