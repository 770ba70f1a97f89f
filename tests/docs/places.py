"""Output places that cannot be written, one for each code that says so."""

from __future__ import annotations

import resource
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from telewright_codegen.cli.generating import out_of_date
from telewright_codegen.diagnostics import Report
from telewright_codegen.emit.emitter import Artifact, Batch
from telewright_codegen.write import write

if TYPE_CHECKING:
    from collections.abc import Callable


def _written(folder: Path, *names: str, into: str = "out") -> Report:
    report = Report()
    artifacts = tuple(Artifact(PurePosixPath(name), "text\n") for name in names)
    write([Batch(folder / into, artifacts)], report, root=folder)
    return report


def _refused(folder: Path) -> Report:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        return _written(folder, "a.py")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def _link(folder: Path) -> Report:
    (folder / "out").mkdir()
    (folder / "out" / "a.py").symlink_to("/nowhere")
    return _written(folder, "a.py")


def _folder(folder: Path) -> Report:
    (folder / "out" / "a.py").mkdir(parents=True)
    return _written(folder, "a.py")


def _read_only(folder: Path) -> Report:
    (folder / "out").mkdir()
    (folder / "out" / "a.py").touch(0o444)
    return _written(folder, "a.py")


def _stale(folder: Path) -> Report:
    batch = Batch(folder / "out", (Artifact(PurePosixPath("a.py"), "text\n"),))
    return out_of_date(write([batch], Report(), root=folder, check=True))


PLACES: Final[dict[str, Callable[[Path], Report]]] = {
    "TW701": _refused,
    "TW702": _link,
    "TW703": _folder,
    "TW704": lambda folder: _written(folder, "a.py", "A.py"),
    "TW705": lambda folder: _written(folder, "x" * 256),
    "TW706": lambda folder: _written(folder, "a.py", into="../out"),
    "TW707": _read_only,
    "TW708": _stale,
}
"""From the code to how it comes about in an empty folder."""
