"""Text and where it is: files, places in them, and paths that lead to a place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from pathlib import Path

Step = str | int
"""A key of a mapping or an index of a sequence."""
Steps = tuple[Step, ...]
"""A path from the top of a document to a value in it."""


class SourceFile(NamedTuple):
    """One spec file as it was read."""

    path: Path
    """Where it is on disk."""
    name: str
    """What diagnostics and generated headers call it: relative, with forward slashes."""
    data: bytes
    folder: str = ""
    """The folder of its registry (or the lone file itself), named in the same way."""
    foreign: bool = False
    """Whether it is only read here, and checked where it comes from."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A stretch of one line of a file."""

    file: str
    line: int
    """From 1."""
    column: int
    """From 1, in characters."""
    width: int = 1
    """In characters, at least 1; a value of several lines ends with its first line here."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Located(Protocol):
    """A document that can say where its keys and values are."""

    def key_place(self, steps: Steps, /) -> Place:
        """Return the place of the key that *steps* end with (of the value, in a sequence)."""
        ...

    def value_place(self, steps: Steps, /) -> Place:
        """Return the place of the value at *steps*."""
        ...


class At(NamedTuple):
    """A path in a document: where something was written, asked only when somebody wants to know.

    Each item has several; a tuple is made in half the time that a frozen dataclass takes.
    """

    document: Located
    steps: Steps

    def __truediv__(self, step: Step) -> At:
        """Return the path one step further down."""
        return At(self.document, (*self.steps, step))

    def key(self, *more: Step) -> Place:
        """Return the place of the last step's key."""
        return self.document.key_place((*self.steps, *more))

    def value(self, *more: Step) -> Place:
        """Return the place of the value."""
        return self.document.value_place((*self.steps, *more))
