"""A parsed file: plain data, and the place of every key and value in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from telewright_codegen.source import Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telewright_codegen.source import SourceFile, Step, Steps

Data: TypeAlias = "dict[str, Data] | list[Data] | str | int | float | bool | Refused | None"
"""What YAML can say here."""


class Refused:
    """What stands for a value that was reported and cannot be used."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "REFUSED"


REFUSED: Final = Refused()
"""Never report on it again."""

_LINE_ENDS: Final = re.compile(r"\r\n|\r|\n")


class Mark(Protocol):
    """A point in a text, as the parser counts."""

    @property
    def index(self) -> int:
        """Characters from the start."""
        ...


_Tree: TypeAlias = "dict[Step, int | tuple[int, _Tree]]"
"""The number of each entry's first node (a key, or an item), and the same for what is below."""


class Lines:
    """The lines of a text, and the places that offsets into it are."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text

    @cached_property
    def starts(self) -> list[int]:
        """Offsets of the first characters of all lines."""
        return [0, *(match.end() for match in _LINE_ENDS.finditer(self.text))]

    def place(self, start: int, end: int) -> Place:
        """Return the place of a stretch of text, cut to its first line."""
        line = bisect_right(self.starts, start)
        first = self.starts[line - 1]
        stretch = _LINE_ENDS.split(self.text[start : max(end, start)], maxsplit=1)[0].rstrip(" \t")
        return Place(self.name, line, start - first + 1, max(len(stretch), 1))


class Document:
    """The content of a spec file.

    The parser leaves two offsets for each key and value, where it starts and ends, in the order
    of the text; which ones belong to which path is worked out when the first place is asked for,
    mostly never. (A collection ends, for the parser, after its first character.)
    """

    def __init__(self, file: SourceFile, lines: Lines, data: Data, offsets: Sequence[int]) -> None:
        self.file = file
        self.data = data
        self._offsets = offsets
        self.lines = lines

    def key_place(self, steps: Steps, /) -> Place:
        """Return the place of the key that *steps* end with (of the value, in a sequence)."""
        return self._place(self._find(steps)[0])

    def value_place(self, steps: Steps, /) -> Place:
        """Return the place of the value at *steps*."""
        return self._place(self._find(steps)[1])

    def written(self, steps: Steps, /) -> str:
        """Return the first line of the value at *steps* as it stands in the file."""
        start, end = self._stretch(self._find(steps)[1])
        text = self.lines.text[start:end]
        return _LINE_ENDS.split(text, maxsplit=1)[0]

    def _place(self, index: int) -> Place:
        start, end = self._stretch(index)
        following, ending = self._stretch(index + 1)
        # A mapping begins with its first key.
        return self.lines.place(start, ending if following == start else end)

    def _stretch(self, index: int) -> tuple[int, int]:
        """Return where a node starts and ends; past the last one, nowhere."""
        found = self._offsets[2 * index : 2 * index + 2]
        return (found[0], found[1]) if found else (-1, -1)

    @cached_property
    def _tree(self) -> _Tree:
        tree: _Tree = {}
        _number(tree, self.data, 1)
        return tree

    def _find(self, steps: Steps) -> tuple[int, int]:
        """Return the nodes of key and value, or of the nearest thing above that is there."""
        key, value = 0, 0
        tree: _Tree | None = self._tree
        for step in steps:
            entry = None if tree is None else tree.get(step)
            if entry is None:
                break
            key, tree = (entry, None) if isinstance(entry, int) else entry
            value = key + 1 if isinstance(step, str) else key
        return key, value


def _number(tree: _Tree, data: Data, index: int) -> int:
    """Number the nodes below a collection from *index* on; return the number after the last."""
    if isinstance(data, dict):
        for key, value in data.items():
            if isinstance(value, (dict, list)):
                below: _Tree = {}
                tree[key] = (index, below)
                index = _number(below, value, index + 2)
            else:
                tree[key] = index
                index += 2
    elif isinstance(data, list):
        for step, value in enumerate(data):
            if isinstance(value, (dict, list)):
                below = {}
                tree[step] = (index, below)
                index = _number(below, value, index + 1)
            else:
                tree[step] = index
                index += 1
    return index


def offset(mark: Mark | None) -> int:
    """Return where a mark is, in characters from the start."""
    return 0 if mark is None else mark.index
