"""The last stage: from artifacts to files, or to how files differ from them."""

from __future__ import annotations

import difflib
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from telewright_codegen.write.changes import Changes
from telewright_codegen.write.commit import CommitError, commit, drop_folders, make_folders
from telewright_codegen.write.lock import locked
from telewright_codegen.write.plan import absolute, plan
from telewright_codegen.write.signals import uninterrupted
from telewright_codegen.write.stale import leftovers, stale
from telewright_codegen.write.survey import check_folders, survey, unwritable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.emit.emitter import Batch
    from telewright_codegen.write.changes import Found, Wanted
    from telewright_codegen.write.signals import Held

Folders = list[tuple[Path, "Batch"]]


def write(batches: Sequence[Batch], report: Report, *, root: Path, check: bool = False) -> Changes:
    """Write the artifacts of all *batches*, or none.

    Files that are as they should be are not touched. Generated files in the same folders that
    nothing makes any more are removed. Links are not followed.

    Args:
        batches: What the emitters made.
        report: Where problems go; with one, nothing is written.
        root: The project's folder, which outputs may not leave unless a person says so.
        check: Write nothing, and say how the disk differs.
    """
    files = plan(batches, report, root=root)
    folders = [_placed(root, batch) for batch in batches if batch.artifacts]
    if not report.has_errors:
        check_folders(folders, report, root=root)
    if report.has_errors or not files:
        return Changes()
    if check:
        return _compared(folders, files, report)
    with uninterrupted() as held:
        return _safely(folders, files, report, held)


def _placed(root: Path, batch: Batch) -> tuple[Path, Batch]:
    others = tuple(absolute(root, other) for other in batch.others)
    return absolute(root, batch.into), batch._replace(others=others)


def _safely(folders: Folders, files: list[Wanted], report: Report, held: Held) -> Changes:
    made: list[Path] = []
    try:
        with locked((into for into, _ in folders), held, lambda one: make_folders(one, made)):
            try:
                return _written(folders, files, report, held)
            finally:
                drop_folders(made)  # while no other run can have begun to write there
    except OSError as error:  # a folder that cannot be made or opened
        unwritable(report, Path(error.filename or folders[0][0]), error)
        return Changes()
    finally:
        drop_folders(made)


def _compared(folders: Folders, files: list[Wanted], report: Report) -> Changes:
    found, removed = survey(files, report), stale(folders, files)
    if report.has_errors:
        return Changes()
    diffs = {one.wanted.path: _diff(one.wanted.path, one.data, one.wanted.data) for one in found}
    diffs |= {path: _diff(path, path.read_bytes(), None) for path in removed}
    return _changes(found, removed, diffs)


def _written(folders: Folders, files: list[Wanted], report: Report, held: Held) -> Changes:
    for path in leftovers(files):
        with suppress(OSError):
            path.unlink()
    found, removed = survey(files, report), stale(folders, files)
    if report.has_errors:
        return Changes()
    try:
        commit([one for one in found if not one.same], removed, held)
    except CommitError as failure:
        unwritable(report, failure.path, failure.error)
        for path in failure.lost:
            report.error("TW701", f"`{path}` could not be put back as it was", None)
        return Changes()
    return _changes(found, removed, {})


def _changes(found: list[Found], removed: list[Path], diffs: dict[Path, str]) -> Changes:
    return Changes(
        written=tuple(one.wanted.path for one in found if not one.same),
        unchanged=tuple(one.wanted.path for one in found if one.same),
        removed=tuple(removed),
        diffs={path: text for path, text in diffs.items() if text},
    )


def _diff(path: Path, old: bytes | None, new: bytes | None) -> str:
    """Return how a file would change, in the form that everybody reads."""
    before, after = (_lines(data) for data in (old, new))
    if before == after:
        return ""
    name = path.name
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in difflib.unified_diff(before, after, f"{name} (on disk)", f"{name} (generated)")
    )


def _lines(data: bytes | None) -> list[str]:
    text = (data or b"").decode("utf-8", "replace").replace("\r\n", "\n")
    return re.findall(r"[^\n]*\n|[^\n]+", text)
