"""Ctrl-C at any instruction of a write: all of the old or all of the new, and nothing else."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
from pathlib import Path

import pytest
from tests.codegen.write.making import HEADER, run, tree

from telewright_codegen.write import commit, lock, signals, write

FILES = {"a.py": f"{HEADER}a = 1\n", "deep/b.py": f"{HEADER}b = 1\n"}
LATER = {"a.py": f"{HEADER}a = 2\n", "new/c.py": f"{HEADER}c = 1\n"}

OURS = {commit.__file__, lock.__file__, signals.__file__, sys.modules[write.__module__].__file__}


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
    folders = {path.relative_to(folder) for path in folder.rglob("*") if path.is_dir()}
    return tree(folder), folders


class Disk:
    """Refuses to put one file of a run in its place, once that is asked for."""

    def __init__(self, monkeypatch):
        self.left = 0
        self._replace = Path.replace
        monkeypatch.setattr(Path, "replace", lambda *paths: self.replace(*paths))  # noqa: PLW0108  a method of paths

    def replace(self, path, target):
        """Rename, or refuse."""
        self.left -= path.name.endswith(".tmp")
        if path.name.endswith(".tmp") and self.left == 0:
            raise OSError(errno.EIO, "Input/output error")
        return self._replace(path, target)


@pytest.mark.parametrize("fails", [0, 1, 2], ids=["no write fails", "the first", "the second"])
@pytest.mark.parametrize("old", [{}, FILES], ids=["nothing there", "older files there"])
def test_an_interrupt_leaves_the_old_or_the_new(tmp_path, monkeypatch, old, fails):
    """At each instruction of a write SIGINT is sent: no half, no file beside, no folder stays."""
    expected = tmp_path / "expected"
    run(expected, old)
    run(expected, LATER)
    whole, seen, at, more = everything(expected), [], 0, True
    disk = Disk(monkeypatch)
    while more:
        at += 1
        folder = tmp_path / str(at)
        folder.mkdir()
        if old:
            run(folder, old)
        before = everything(folder)
        disk.left = fails
        more = interrupted(folder, LATER, at)
        after = everything(folder)
        assert after in (before, whole), at
        seen.append(after == before)
        assert not signal.pthread_sigmask(signal.SIG_BLOCK, ()), at
    assert set(seen) == ({True} if fails else {True, False})
    assert at > 300


def test_a_run_that_waits_for_another_can_be_interrupted(tmp_path):
    """While the folder is another's, Ctrl-C ends the wait, and nothing has changed."""
    run(tmp_path, FILES)
    before = everything(tmp_path)
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    try:
        with lock.locked([tmp_path / "out"]):
            timer.start()
            with pytest.raises(KeyboardInterrupt):
                run(tmp_path, LATER)
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, handler)
    assert everything(tmp_path) == before
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())
