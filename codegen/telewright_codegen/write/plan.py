"""Which files a run wants, and whether their names can be written at all: no disk is read."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Final

from telewright_codegen.write.changes import Wanted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.emit.emitter import Batch

LONGEST_NAME: Final = 255
"""Bytes of one name on the file systems we know."""
LONGEST_PATH: Final = 4095
"""Bytes of a whole path."""


def plan(batches: Sequence[Batch], report: Report, *, root: Path) -> list[Wanted]:
    """Return the files of all batches, sorted; whatever cannot be written is reported."""
    files: list[Wanted] = []
    for batch in batches:
        into = absolute(root, batch.into)
        if not batch.explicit and not into.is_relative_to(absolute(root, root)):
            report.error(
                "TW706",
                f"output folder `{batch.into}` is outside the project",
                None,
                help="name it on the command line, with `--emitter` and `--into`",
            )
            continue
        for artifact in batch.artifacts:
            if artifact.path.is_absolute() or ".." in artifact.path.parts:
                report.error("TW706", f"`{artifact.path}` leads out of its output folder", None)
                continue
            files.append(Wanted(into / artifact.path, into, artifact.text.encode()))
    files.sort(key=lambda file: file.path.parts)
    for file in files:
        _check_length(file, report)
    _check_collisions(files, report)
    return files


def absolute(root: Path, path: Path) -> Path:
    """Return *path* from the root folder, without following links."""
    return Path(os.path.normpath(root / path))


def _check_length(file: Wanted, report: Report) -> None:
    for part in file.path.parts[len(file.into.parts) :]:
        if len(os.fsencode(part)) > LONGEST_NAME:
            report.error(
                "TW705",
                f"a file name of {len(os.fsencode(part))} bytes is too long: `{part[:40]}…`",
                None,
                help=f"shorten the name of the topic; file names have at most {LONGEST_NAME} bytes",
            )
            return
    if len(os.fsencode(file.path)) > LONGEST_PATH:
        report.error("TW705", f"the path of `{file.path.name}` is too long", None)


def _check_collisions(files: list[Wanted], report: Report) -> None:
    """Report names that some disk takes for one, and files that are folders of others."""
    seen: dict[str, Path] = {}
    for file in files:
        other = seen.setdefault(folded(file.path), file.path)
        if other is not file.path:
            what = "is written twice" if other == file.path else f"and `{other}` are one file"
            where = "" if other == file.path else " where case does not count"
            report.error("TW704", f"`{file.path}` {what}{where}", None)
    for parent in _parents(files):
        if folded(parent) in seen:
            report.error("TW704", f"`{seen[folded(parent)]}` is a file and a folder", None)


def _parents(files: list[Wanted]) -> list[Path]:
    """Return the folders that *files* need below those they are put into, each once."""
    ways: set[tuple[Path, Path]] = set()
    for file in files:
        parent = file.path.parent
        while parent != file.into and (file.into, parent) not in ways:
            ways.add((file.into, parent))
            parent = parent.parent
    return sorted({parent for _, parent in ways})


def folded(path: Path) -> str:
    """Return what paths have in common that a disk without case may take for one."""
    return unicodedata.normalize("NFKC", str(path).casefold()).casefold()
