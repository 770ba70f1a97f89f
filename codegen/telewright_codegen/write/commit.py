"""Putting files in place: everything beside its place first, then all at once, or nothing."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from telewright_codegen.write.changes import Found
    from telewright_codegen.write.signals import Held

_MOST_OPEN: Final = 64
"""Files that are written before the disk is waited for; most are on their way by then."""


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
    unsynced: list[tuple[Path, int]] = field(default_factory=list[tuple["Path", int]])
    """Files whose new text may be in the disk's cache alone, and its descriptors."""
    at: Path | None = None
    """What it is about, for the message if that fails."""
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


def commit(found: Sequence[Found], removed: Sequence[Path], held: Held) -> None:
    """Write every file of *found* and remove *removed*, while signals are *held*.

    Raises:
        CommitError: If anything failed, and nothing has changed.
        BaseException: What a signal raised; nothing has changed.
    """
    run = _Run()
    try:
        for one in found:
            held.give_way()
            run.at = one.wanted.path
            make_folders(run.at.parent, run.folders)
            _stage(run, one)
        _sync(run)
        held.give_way()
        run.steps += [_Step(path, None) for path in removed]
        for step in run.steps:
            run.at = step.path
            _put(run, step)
        run.finished = True
        _forget(run)
        _settle(run)
    except OSError as error:
        lost = _undo(run)
        assert run.at is not None  # noqa: S101  something was on its way
        raise CommitError(run.at, error, lost) from error
    except BaseException:
        _undo(run)
        raise


def _stage(run: _Run, found: Found) -> None:
    """Write the new text beside the old."""
    path = found.wanted.path
    staged = run.name(path, "tmp")
    run.steps.append(_Step(path, staged))
    descriptor = _new(run, staged)
    run.unsynced.append((path, descriptor))
    with open(descriptor, "wb", closefd=False) as file:
        file.write(found.wanted.data)
    if found.stat is not None:
        os.fchmod(descriptor, stat.S_IMODE(found.stat.st_mode))
        _keep_owner(descriptor, found.stat)
        _look_newer(descriptor, found.stat)
    if len(run.unsynced) >= _MOST_OPEN:
        _sync(run)


def _new(run: _Run, staged: Path) -> int:
    """Return a descriptor of a new file, if need be after those are closed that are open."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        return os.open(staged, flags, 0o666)
    except OSError as error:
        if error.errno not in {errno.EMFILE, errno.ENFILE} or not run.unsynced:
            raise
    at = run.at
    _sync(run)
    run.at = at
    return os.open(staged, flags, 0o666)


def _sync(run: _Run) -> None:
    """Wait until the new texts are on the disk and not only in its cache."""
    while run.unsynced:
        run.at, descriptor = run.unsynced[-1]
        os.fsync(descriptor)
        run.unsynced.pop()
        os.close(descriptor)


def _keep_owner(descriptor: int, old: os.stat_result) -> None:
    new = os.fstat(descriptor)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        with suppress(OSError):  # only an administrator may give files away
            os.fchown(descriptor, old.st_uid, old.st_gid)


def _look_newer(descriptor: int, old: os.stat_result) -> None:
    """Give the new file another second than the old one's.

    Python takes a compiled file for that of a source whose size and second of change are equal.
    """
    new = os.fstat(descriptor)
    if int(new.st_mtime) <= int(old.st_mtime) and new.st_size == old.st_size:
        os.utime(descriptor, (new.st_atime, int(old.st_mtime) + 1))


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
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def _undo(run: _Run) -> list[Path]:
    """Put everything back; return what could not be."""
    lost: list[Path] = []
    for _, descriptor in run.unsynced:
        with suppress(OSError):
            os.close(descriptor)
    if run.finished:
        return lost
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
