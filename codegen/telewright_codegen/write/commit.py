"""Putting files in place: everything beside its place first, then all at once, or nothing."""

from __future__ import annotations

import os
import signal
import stat
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from telewright_codegen.write.changes import Found

_INTERRUPTS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class CommitError(Exception):
    """The system refused; everything is as it was, but for *lost*."""

    def __init__(self, path: Path, error: OSError, lost: Sequence[Path]) -> None:
        super().__init__(str(error))
        self.path: Final = path
        self.error: Final = error
        self.lost: Final = tuple(lost)
        """Files that could not be put back."""


@dataclass(slots=True)
class _Step:
    """One file on its way."""

    path: Path
    staged: Path | None
    """Its new text, beside it; None where it is to go."""
    saved: Path | None = None
    """Its old text, beside it."""
    done: bool = False


@dataclass(slots=True)
class _Run:
    steps: list[_Step] = field(default_factory=list["_Step"])
    folders: list[Path] = field(default_factory=list["Path"])
    """Those that this run made, outermost first."""
    count: int = 0
    finished: bool = False
    """Whether everything is in place, so that nothing may be put back."""

    def name(self, path: Path, suffix: str) -> Path:
        """Return a name beside *path* that no other run uses."""
        self.count += 1
        return path.with_name(f".telewright-{os.getpid()}-{self.count}.{suffix}")


def make_folders(folder: Path, made: list[Path]) -> None:
    """Make *folder* and what is above it; add those that were not there to *made* beforehand."""
    missing: list[Path] = []
    while not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    made += reversed(missing)
    for one in reversed(missing):
        one.mkdir(exist_ok=True)


def drop_folders(folders: Sequence[Path]) -> None:
    """Remove those of *folders* that are empty, innermost first."""
    for folder in reversed(folders):
        with suppress(OSError):
            folder.rmdir()


def commit(found: Sequence[Found], removed: Sequence[Path]) -> None:
    """Write every file of *found* and remove *removed*.

    Raises:
        CommitError: If anything failed, and nothing has changed.
    """
    run = _Run()
    path = None
    try:
        for one in found:
            path = one.wanted.path
            make_folders(path.parent, run.folders)
            _stage(run, one)
        for step in run.steps:
            path = step.path
            _sync(step)
        run.steps += [_Step(path, None) for path in removed]
        with _uninterrupted():
            for step in run.steps:
                path = step.path
                _put(run, step)
            run.finished = True
            _forget(run)
            _settle(run)
    except OSError as error:
        lost = _undo(run)
        assert path is not None  # noqa: S101  something was on its way
        raise CommitError(path, error, lost) from error
    except BaseException:
        _undo(run)
        raise


def _stage(run: _Run, found: Found) -> None:
    """Write the new text beside the old."""
    path = found.wanted.path
    staged = run.name(path, "tmp")
    run.steps.append(_Step(path, staged))  # before it is there: nothing comes between
    descriptor = os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    with open(descriptor, "wb") as file:  # noqa: PTH123  a descriptor, not a path
        file.write(found.wanted.data)
        if found.stat is not None:
            os.fchmod(descriptor, stat.S_IMODE(found.stat.st_mode))
            _keep_owner(descriptor, found.stat)
    if found.stat is not None:
        _look_newer(staged, found.stat)


def _sync(step: _Step) -> None:
    """Wait until a new text is on the disk and not only in its cache.

    All of them are written before the first is waited for: most are on their way by then.
    """
    if step.staged is not None:
        _wait_for_disk(step.staged)


def _keep_owner(descriptor: int, old: os.stat_result) -> None:
    new = os.fstat(descriptor)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        with suppress(OSError):  # only an administrator may give files away
            os.fchown(descriptor, old.st_uid, old.st_gid)


def _look_newer(staged: Path, old: os.stat_result) -> None:
    """Give the new file another second than the old one's.

    Python takes a compiled file for that of a source whose size and second of change are equal.
    """
    new = staged.stat()
    if int(new.st_mtime) <= int(old.st_mtime) and new.st_size == old.st_size:
        os.utime(staged, (new.st_atime, int(old.st_mtime) + 1))


def _put(run: _Run, step: _Step) -> None:
    if step.staged is None:
        saved = run.name(step.path, "old")
        step.path.rename(saved)
        step.saved, step.done = saved, True
        return
    saved = run.name(step.path, "old")
    with suppress(FileNotFoundError):
        os.link(step.path, saved, follow_symlinks=False)
        step.saved = saved
    step.staged.replace(step.path)
    step.done = True


def _forget(run: _Run) -> None:
    """Remove the old texts: from here on nothing can fail."""
    for step in run.steps:
        if step.saved is not None:
            with suppress(OSError):
                step.saved.unlink()
        if step.staged is None:
            drop_folders([step.path.parent])


def _settle(run: _Run) -> None:
    """Tell the disk about the new names."""
    for folder in {step.path.parent for step in run.steps}:
        with suppress(OSError):  # gone with its last file, or a disk that knows no such thing
            _wait_for_disk(folder)


def _wait_for_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _undo(run: _Run) -> list[Path]:
    """Put everything back; return what could not be. A run that is finished stays as it is."""
    lost: list[Path] = []
    if run.finished:  # a signal that waited for the end of it
        return lost
    with _uninterrupted():
        for step in reversed(run.steps):
            try:
                if step.done and step.saved is not None:
                    step.saved.replace(step.path)
                elif step.done:
                    step.path.unlink()
                elif step.saved is not None:
                    step.saved.unlink()
            except OSError:
                lost.append(step.path)
            if step.staged is not None:
                with suppress(OSError):
                    step.staged.unlink()
        drop_folders(run.folders)
    return lost


@contextmanager
def _uninterrupted() -> Generator[None]:
    """Let signals wait for the end of the block."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
