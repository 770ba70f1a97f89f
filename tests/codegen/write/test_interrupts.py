"""Ctrl-C at any instruction of a write: all of the old or all of the new, and nothing else."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.codegen.write.making import HEADER, batch, holding, run, tree

from telewright_codegen.diagnostics import Report
from telewright_codegen.write import commit, lock, signals, write

FILES = {"a.py": f"{HEADER}a = 1\n", "deep/b.py": f"{HEADER}b = 1\n"}
LATER = {"a.py": f"{HEADER}a = 2\n", "new/c.py": f"{HEADER}c = 1\n"}

OURS = {commit.__file__, lock.__file__, signals.__file__, sys.modules[write.__module__].__file__}


class Interrupter:
    """Sends this thread a signal at one instruction of the modules that write."""

    def __init__(self, at: int, number: signal.Signals) -> None:
        self.left = at
        self._number = number

    def __call__(self, frame, event, argument):  # noqa: ARG002 - as `sys.settrace` wants it
        """Count the instructions of a frame, if it is one of ours."""
        if frame.f_code.co_filename not in OURS:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            self.left -= 1
            if self.left == 0:
                signal.raise_signal(self._number)
        return self


def written(folder, files, at, number=signal.SIGINT):
    """Write *files*, with a signal at an instruction; return whether there were as many."""
    interrupter = Interrupter(at, number)
    before = sys.gettrace()
    sys.settrace(interrupter)
    try:
        run(folder, files)
    finally:
        sys.settrace(before)
    return interrupter.left <= 0


def interrupted(folder, files, at):
    """Write *files*, interrupted at an instruction; return whether there were as many."""
    with handled(signal.SIGINT, signal.default_int_handler):
        try:
            return written(folder, files, at)
        except KeyboardInterrupt:
            return True


@contextmanager
def handled(number, handler):
    """Have *handler* take a signal."""
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


@contextmanager
def blocked(number):
    """Block a signal, and take it from what waits if it came."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [number])
    try:
        yield
        assert number in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    finally:
        if number in signal.sigpending():
            signal.sigwait([number])
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("fails", [0, 1, 2], ids=["no write fails", "the first", "the second"])
@pytest.mark.parametrize("old", [{}, FILES], ids=["nothing there", "older files there"])
def test_an_interrupt_leaves_the_old_or_the_new(tmp_path, monkeypatch, old, fails, step):
    """At each instruction of a write SIGINT is sent: no half, no file beside, no folder stays.

    At each fifth, where all of them would take too long.
    """
    expected = tmp_path / "expected"
    run(expected, old)
    run(expected, LATER)
    whole, seen, at, more = everything(expected), [], 1 - step, True
    disk = Disk(monkeypatch)
    while more:
        at += step
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
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    try:
        with (
            handled(signal.SIGINT, signal.default_int_handler),
            holding(tmp_path / "out"),
        ):
            timer.start()
            with pytest.raises(KeyboardInterrupt):
                run(tmp_path, LATER)
    finally:
        timer.cancel()
    assert everything(tmp_path) == before
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())


def everywhere(folder, number):
    """Yield a folder for each of some instructions, after a write that a signal came to there."""
    at, more = 1, True
    while more:
        one = folder / str(at)
        one.mkdir()
        run(one, FILES)
        more = written(one, LATER, at, number)
        yield one
        at += 29
    assert at > 300


@pytest.fixture
def expected(tmp_path):
    """What a write leaves that nothing disturbs."""
    folder = tmp_path / "expected"
    run(folder, FILES)
    run(folder, LATER)
    return everything(folder)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_that_is_ignored_ends_no_write(tmp_path, expected, number):
    """Under `nohup`, or for whoever ignores Ctrl-C, a write goes on."""
    with handled(number, signal.SIG_IGN):
        for folder in everywhere(tmp_path, number):
            assert everything(folder) == expected


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_the_caller_blocks_stays_blocked(tmp_path, expected, number):
    """A caller who lets a signal wait has it waiting afterwards, and the write is whole."""
    for at, folder in enumerate(everywhere_blocked(tmp_path, number)):
        assert everything(folder) == expected, at


def everywhere_blocked(folder, number):
    """Yield as *everywhere* does, with the signal blocked during each write."""
    with blocked(number):
        yield from everywhere(folder, number)
        assert number in signal.sigpending()


def test_a_blocked_signal_waits_while_a_run_waits_for_another(tmp_path, expected):
    """Nobody is killed for the lock by a signal that was to wait, not even by default."""
    (tmp_path / "run").mkdir()
    run(tmp_path / "run", FILES)
    release, held = threading.Event(), threading.Event()

    def hold():
        with holding(tmp_path / "run" / "out"):
            held.set()
            release.wait(30)

    holder = threading.Thread(target=hold)
    holder.start()
    assert held.wait(30)
    threading.Timer(0.2, release.set).start()
    with handled(signal.SIGTERM, signal.SIG_DFL), blocked(signal.SIGTERM):
        signal.raise_signal(signal.SIGTERM)
        run(tmp_path / "run", LATER)
        assert signal.SIGTERM in signal.sigpending()
    holder.join()
    assert everything(tmp_path / "run") == expected


def test_what_handles_a_signal_decides(tmp_path, expected):
    """A handler that only notes the signal runs, and the write goes on to its end."""
    came = []
    with handled(signal.SIGTERM, lambda *_: came.append(True)):
        for folder in everywhere(tmp_path, signal.SIGTERM):
            assert everything(folder) == expected
    assert len(came) > 10


def test_a_signal_that_ends_the_process_does_so(tmp_path, expected):
    """By default SIGTERM kills, and leaves the old or the new."""
    seen = []
    for at in range(1, 5000, 90):
        folder = tmp_path / str(at)
        folder.mkdir()
        run(folder, FILES)
        before = everything(folder)
        child = os.fork()
        if child == 0:
            try:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                os._exit(written(folder, LATER, at, signal.SIGTERM))
            finally:
                os._exit(2)
        _, status = os.waitpid(child, 0)
        if status == 0:  # there are not so many instructions
            break
        assert os.WIFSIGNALED(status), at
        assert os.WTERMSIG(status) == signal.SIGTERM, at
        after = everything(folder)
        assert after in (before, expected), at
        seen.append(after == before)
    assert set(seen) == {True, False}


def test_a_signal_that_ends_the_process_leaves_no_folder_of_a_run_that_waits(tmp_path):
    """SIGTERM for a run that waits for another's folder: what it made beforehand goes with it."""
    (tmp_path / "one").mkdir()
    with holding(tmp_path / "one"):
        child = os.fork()
        if child == 0:
            try:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                write(
                    [batch(tmp_path / name, FILES) for name in ("new/deep", "one")],
                    Report(),
                    root=tmp_path,
                )
            finally:
                os._exit(2)
        until((tmp_path / "new" / "deep").is_dir)
        os.kill(child, signal.SIGTERM)
        _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGTERM
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one"]


def test_a_folder_that_another_run_takes_away_is_made_again(tmp_path):
    """A run that is ended removes the empty folder that it made, whoever waits for it by then."""
    out = tmp_path / "out"
    out.mkdir()
    with holding(out):
        waits = threading.Thread(target=run, args=(tmp_path, FILES))
        waits.start()
        until(lambda: held_open(out) > 1)
        out.rmdir()
        out.mkdir()  # a third run does, and holds another folder of the same name
    waits.join(30)
    assert tree(out) == {name: text.encode() for name, text in FILES.items()}


def held_open(folder):
    """Return how many descriptors of this process lead to *folder*."""
    descriptors = Path("/proc/self/fd" if Path("/proc/self/fd").is_dir() else "/dev/fd").iterdir()
    return sum(is_open_at(one, folder.stat()) for one in descriptors)


def is_open_at(descriptor, there):
    """Say whether *descriptor* is open, and leads *there*."""
    try:
        return os.path.samestat(os.fstat(int(descriptor.name)), there)
    except OSError:
        return False


@pytest.mark.parametrize("times", [1, 3])
def test_a_folder_that_goes_as_it_is_opened_is_made_again(tmp_path, times):
    """Between making it and opening it somebody removes it: no error, and nothing is lost."""
    gone = []

    def make(folder):
        folder.mkdir()
        if len(gone) < times:
            folder.rmdir()
            gone.append(folder)

    with lock.locked([tmp_path / "out"], signals.Held(frozenset()), make):
        assert (tmp_path / "out").is_dir()
    assert len(gone) == times


def test_the_folder_that_cannot_be_made_is_the_one_that_is_named(tmp_path):
    """Of several, it is not the first."""
    (tmp_path / "b").write_text("a file")
    report = Report()
    batches = [batch(tmp_path / name, FILES) for name in ("a", "b/c")]
    assert not write(batches, report, root=tmp_path).written
    assert [one.message for one in report.diagnostics if "cannot be written" in one.message] == [
        f"`{tmp_path / 'b'}` cannot be written: file exists"
    ]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b"]


def until(condition):
    """Wait for what another process does."""
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
