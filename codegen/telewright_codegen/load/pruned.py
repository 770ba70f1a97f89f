"""A document of which parts are left out; paths still lead to where the rest was written."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from telewright_codegen.load.document import Data, Document
    from telewright_codegen.source import Place, Step, Steps


@dataclass(slots=True, eq=False)
class Pruned:
    """A copy of a document's data that may be changed, and where its parts came from."""

    document: Document
    data: Data
    _left: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    """For each list that lost items, by identity: the indexes that the others had."""

    @classmethod
    def of(cls, document: Document) -> Pruned:
        """Return a copy of all of *document*."""
        return cls(document, _copy(document.data))

    def remove(self, steps: Steps) -> None:
        """Leave out the value at *steps*."""
        parent, last = self._parent(steps), steps[-1]
        if isinstance(parent, dict):
            parent.pop(cast("str", last), None)
        elif isinstance(parent, list) and isinstance(last, int) and last < len(parent):
            left = self._left.setdefault(id(parent), list(range(len(parent))))
            del parent[last], left[last]

    def put(self, steps: Steps, value: Data) -> None:
        """Put *value* where an author should have written one."""
        parent = self._parent(steps)
        if isinstance(parent, dict):
            parent[cast("str", steps[-1])] = value

    def key_place(self, steps: Steps, /) -> Place:
        """Return the place of the key that *steps* end with (of the value, in a sequence)."""
        return self.document.key_place(self.original(steps))

    def value_place(self, steps: Steps, /) -> Place:
        """Return the place of the value at *steps*."""
        return self.document.value_place(self.original(steps))

    def original(self, steps: Steps) -> Steps:
        """Return the path that *steps* had before anything was left out."""
        found: list[Step] = []
        current: Data = self.data
        for step in steps:
            if isinstance(current, list) and isinstance(step, int):
                left = self._left.get(id(current))
                found.append(step if left is None or step >= len(left) else left[step])
            else:
                found.append(step)
            current = below(current, step)
        return tuple(found)

    def _parent(self, steps: Steps) -> Data:
        current = self.data
        for step in steps[:-1]:
            current = below(current, step)
        return current


def below(data: Data, step: Step) -> Data:
    """Return what is one step down; None if nothing is."""
    if isinstance(data, dict):
        return data.get(cast("str", step))
    if isinstance(data, list) and isinstance(step, int) and 0 <= step < len(data):
        return data[step]
    return None


def _copy(data: Data) -> Data:
    if isinstance(data, dict):
        return {key: _copy(value) for key, value in data.items()}
    return [_copy(value) for value in data] if isinstance(data, list) else data
