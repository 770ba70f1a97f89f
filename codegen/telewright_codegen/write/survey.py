"""What is on disk in the places of wanted files, and whether it may be replaced."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from telewright_codegen.write.changes import Found

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.emit.emitter import Batch
    from telewright_codegen.write.changes import Wanted


def check_folders(folders: Iterable[tuple[Path, Batch]], report: Report, *, root: Path) -> None:
    """Report output folders that are none, or that a link leads out of the project.

    A person who names a folder may lead out of it.
    """
    home = Path(os.path.realpath(root))
    for into, batch in folders:
        if into.exists() and not into.is_dir():
            report.error("TW703", f"`{into}` is in the way: it is no folder", None)
        if batch.explicit:
            continue
        real = Path(os.path.realpath(into))
        if not real.is_relative_to(home):
            report.error(
                "TW702",
                f"output folder `{into}` is a link out of the project, to `{real}`",
                None,
                help="name the folder itself on the command line, with `--emitter` and `--into`",
            )


def survey(files: Sequence[Wanted], report: Report) -> list[Found]:
    """Return what is in the place of every file; what may not be replaced is reported."""
    found: list[Found] = []
    good: set[tuple[Path, Path]] = set()
    for wanted in files:
        way = wanted.into, wanted.path.parent
        try:
            if way in good or _has_good_folders(wanted, report):
                good.add(way)
                one = _look(wanted, report)
                if one is not None and (one.same or _may_replace(one, report)):
                    found.append(one)
        except OSError as error:
            unwritable(report, wanted.path, error)
    return found


def unwritable(report: Report, path: Path, error: OSError) -> None:
    """Report that the system refused."""
    reason = (error.strerror or type(error).__name__).lower()
    report.error(
        "TW701",
        f"`{path}` cannot be written: {reason}",
        None,
        help="nothing was changed; make room or give access, then run it again",
    )


def _has_good_folders(wanted: Wanted, report: Report) -> bool:
    for parent in reversed(wanted.path.relative_to(wanted.into).parents):
        folder = wanted.into / parent
        try:
            mode = os.lstat(folder).st_mode if parent.parts else folder.stat().st_mode
        except FileNotFoundError:
            return True
        if stat.S_ISLNK(mode):
            _report_link(report, folder)
            return False
        if not stat.S_ISDIR(mode):
            report.error("TW703", f"`{folder}` is in the way: it is no folder", None)
            return False
    return True


def _look(wanted: Wanted, report: Report) -> Found | None:
    try:
        status = os.lstat(wanted.path)
    except FileNotFoundError:
        return Found(wanted, None, None)
    if stat.S_ISLNK(status.st_mode):
        _report_link(report, wanted.path)
        return None
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "no ordinary file"
        report.error(
            "TW703", f"`{wanted.path}` is {kind}", None, help="move it away, then run it again"
        )
        return None
    return Found(wanted, wanted.path.read_bytes(), status)


def _report_link(report: Report, path: Path) -> None:
    report.error(
        "TW702",
        f"`{path}` is a symbolic link",
        None,
        help="replace it by a file, or write somewhere else; links are not followed",
    )


def _may_replace(found: Found, report: Report) -> bool:
    path, status = found.wanted.path, found.stat
    writable = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
    if status is not None and not (status.st_mode & writable and os.access(path, os.W_OK)):
        report.error(
            "TW707", f"`{path}` is read-only", None, help=f"make it writable: `chmod u+w {path}`"
        )
        return False
    folder = path.parent
    while not folder.exists():
        folder = folder.parent
    if not os.access(folder, os.W_OK | os.X_OK):
        report.error(
            "TW707", f"`{path}` cannot be written: its folder `{folder}` is read-only", None
        )
        return False
    return True
