"""A folder of OpenTelemetry's model files: its documents and its version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from telewright_codegen.load.discover import registry_folder
from telewright_codegen.load.parse import parse
from telewright_codegen.vendor.folder import version

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.source import SourceFile

_MANIFESTS: Final = ("manifest.yaml", "registry_manifest.yaml")


class Source(NamedTuple):
    """What a folder of model files says."""

    documents: tuple[object, ...]
    version: str | None
    """From its manifest."""


def _files(folder: Path, report: Report) -> Iterator[SourceFile]:
    """Yield the files of a registry; without a manifest, those of every folder below."""
    if any((folder / name).is_file() for name in _MANIFESTS):
        yield from registry_folder(folder, folder, report)
        return
    for one in (folder, *sorted(below for below in folder.rglob("*") if below.is_dir())):
        yield from registry_folder(one, folder, report)


def read(folder: Path, report: Report) -> Source:
    """Read every file below *folder*, or below ``model`` in it, as OpenTelemetry has it."""
    model = folder / "model"
    if not any((folder / name).is_file() for name in _MANIFESTS) and model.is_dir():
        folder = model
    found: str | None = None
    documents: list[object] = []
    for file in _files(folder, report):
        document = parse(file, report)
        if document is None:
            continue
        if file.name in _MANIFESTS:
            found = version(document.data)
        documents.append(document.data)
    return Source(tuple(documents), found)
