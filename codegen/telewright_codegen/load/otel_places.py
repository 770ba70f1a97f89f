"""Paths of a topic that was put together, and where its parts were written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.load.document import Document
from telewright_codegen.load.pruned import Pruned, below

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telewright_codegen.source import At, Place, Step, Steps

_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "id": ("id", "key", "ref"),
    "enum": ("type",),
    "counter": ("metric_name", "name"),
    "up_down_counter": ("metric_name", "name"),
    "gauge": ("metric_name", "name"),
    "histogram": ("metric_name", "name"),
    "topic": (),
}
"""What our fields are called there."""


class Moved:
    """A document whose parts come from others."""

    def __init__(self, top: At) -> None:
        self._top = top
        self._parts: dict[Steps, At] = {}

    def put(self, steps: Steps, at: At) -> None:
        """Say that what is at *steps* here was written at *at*."""
        self._parts[steps] = at

    def key_place(self, steps: Steps, /) -> Place:
        """Return the place of the key that *steps* end with (of the value, in a sequence)."""
        at, rest = self._original(steps)
        return at.key(*rest)

    def value_place(self, steps: Steps, /) -> Place:
        """Return the place of the value at *steps*."""
        at, rest = self._original(steps)
        return at.value(*rest)

    def _original(self, steps: Steps) -> tuple[At, tuple[Step, ...]]:
        for end in range(len(steps), 0, -1):
            at = self._parts.get(steps[:end])
            if at is not None:
                return at, self._renamed(at, steps[end:])
        return self._top, ()

    def _renamed(self, at: At, steps: Steps) -> tuple[Step, ...]:
        if not steps:
            return ()
        first, *rest = steps
        if first == "members":
            return ("type", "members")
        names = _FIELDS.get(str(first), (str(first),))
        return next(((name, *rest) for name in names if is_written(at, name)), ())


def is_written(at: At, name: str) -> bool:
    """Return whether a mapping gives a field a value, even if that was reported and left out."""
    if isinstance(at.document, Pruned):
        data, steps = at.document.document.data, at.document.original(at.steps)
    else:
        data, steps = at.document.data if isinstance(at.document, Document) else None, at.steps
    for step in steps:
        data = below(data, step)
    return isinstance(data, dict) and data.get(name) is not None
