"""Where files of an output may lie: in its folder and below, but for what somebody else has."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from telewright_codegen import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from telewright_codegen.emit.emitter import Batch

_NOT_OURS: Final = frozenset({"__pycache__", "node_modules", "site-packages"})
"""Folders, beside the hidden ones, of what nobody generates into."""


class Place(NamedTuple):
    """A folder that an output may have written to."""

    folder: Path
    names: list[str]
    """What is in it."""
    suffixes: frozenset[str] | None
    """Of the output's files; None where nothing says which it had, for it makes none now."""


def reach(batches: Iterable[tuple[Path, Batch]]) -> Iterator[Place]:
    """Yield the folders that each batch is written to, and those below that are the output's."""
    for into, batch in batches:
        written = {(into / artifact.path).parent for artifact in batch.artifacts}
        suffixes = _suffixes(batch)
        if batch.whole and not batch.alone:
            for folder, names in _below(into, batch.others):
                written.discard(folder)
                yield Place(folder, names, suffixes)
        for folder in written:
            with suppress(OSError):
                yield Place(folder, os.listdir(folder), suffixes)  # noqa: PTH208  names are enough


def _suffixes(batch: Batch) -> frozenset[str] | None:
    if batch.alone:
        return frozenset()
    return frozenset(artifact.path.suffix for artifact in batch.artifacts) or None


def _below(into: Path, others: Iterable[Path]) -> Iterator[tuple[Path, list[str]]]:
    """Yield *into* and the folders below, without links, other projects and other outputs."""
    top = os.path.realpath(into)
    taken = {os.path.realpath(other) for other in others}
    for parent, folders, files in os.walk(top):
        folders[:] = [
            name for name in folders if f"{parent}/{name}" not in taken and _is_ours(parent, name)
        ]
        names = [name for name in files if f"{parent}/{name}" not in taken]
        yield into / os.path.relpath(parent, top), names


def _is_ours(parent: str, name: str) -> bool:
    if name.startswith(".") or name in _NOT_OURS:
        return False
    return nearest.configuration(f"{parent}/{name}") is None
