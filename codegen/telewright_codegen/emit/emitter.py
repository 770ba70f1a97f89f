"""What an emitter is."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol, runtime_checkable

from telewright_codegen.guard import typed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.registry import Model


@dataclass(frozen=True, slots=True)
class Artifact:
    """A file in memory: a path below the output folder, and its text with a newline at the end."""

    path: PurePosixPath
    text: str

    def __post_init__(self) -> None:
        """Refuse what cannot become a file."""
        typed(self, path=PurePosixPath, text=str)
        if not self.path.name or b"\0" in os.fsencode(self.path):
            raise ValueError(f"`{self.path}` is not the path of a file")
        if not self.text.isascii():
            self.text.encode()


class Batch(NamedTuple):
    """What one output writes into one folder."""

    into: Path
    artifacts: tuple[Artifact, ...]
    explicit: bool = False
    """Whether a person named the folder for this run, and so may lead it out of the project."""
    alone: bool = False
    """Whether it is one file in a folder of others, none of which is this output's to remove."""
    others: tuple[Path, ...] = ()
    """Where outputs write of which this run makes nothing, or a part: nothing is removed there."""


@dataclass(frozen=True, slots=True)
class Target:
    """One output: which registries go where, and how generated packages are imported."""

    registries: tuple[str, ...]
    """The registries to emit; others may only be referred to."""
    packages: Mapping[str, str] = field(default_factory=dict[str, str])
    """From every registry to the package it is imported as: ``{"gym": "telewright.gym"}``."""


@dataclass(frozen=True, slots=True)
class Pages:
    """Where pages are that people write."""

    folder: Path
    root: Path
    """The project's folder, which names in diagnostics are relative to."""
    only: str | None = None
    """The one page that is meant, below the folder; all of them, where it is None."""

    def name_of(self, path: Path) -> str:
        """Return what diagnostics call *path*."""
        inside = path.is_relative_to(self.root)
        return (path.relative_to(self.root) if inside else path).as_posix()


class Emitter(Protocol):
    """Turns a model into files. A valid model always emits: an emitter reports nothing."""

    name: ClassVar[str]

    def emit(self, model: Model, target: Target, /) -> Iterable[Artifact]:
        """Yield the files, in any order."""
        ...


@runtime_checkable
class Injector(Protocol):
    """An emitter that also fills parts of pages that people write."""

    def inject(
        self, model: Model, target: Target, existing: Pages, report: Report, /
    ) -> Iterable[Artifact]:
        """Yield the pages that have such parts, whole; report what is wrong with the others."""
        ...
