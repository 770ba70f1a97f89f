"""Lines of source for a terminal: what is seen, and how wide it is."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from telewright_codegen.source import SourceFile

TAB: Final = 4
WIDEST: Final = 120
"""How much of a line is shown, in columns."""
_LINE_ENDS: Final = re.compile(r"\r\n|\r|\n")
_BEFORE: Final = 30
"""Columns to keep before a caret in a line that is cut."""


def plain(text: str) -> str:
    """Return *text* on one line and without what a terminal or a reader could be tricked by."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else _escape(character) for character in text
    )


def lines(file: SourceFile) -> list[str]:
    """Return the lines of a file as places count them."""
    return _lines(file.data)


@lru_cache(maxsize=8)
def _lines(data: bytes) -> list[str]:
    return _LINE_ENDS.split(data.decode("utf-8", "replace").removeprefix("\ufeff"))


def width(text: str) -> int:
    """Return how many columns *text* takes."""
    return len(text) if text.isascii() else sum(map(_width, text))


class Shown:
    """A line as it is shown: tabs as spaces, other invisible characters as a sign, cut if long."""

    def __init__(self, line: str, column: int) -> None:
        cells = [_cell(character) for character in line]
        start = 0
        before = sum(map(width, cells[: column - 1]))
        while before > WIDEST - _BEFORE and start < column - 1:
            before -= width(cells[start])
            start += 1
        if start:
            while before > _BEFORE and start < column - 1:
                before -= width(cells[start])
                start += 1
        end = start
        used = 0
        while end < len(cells) and used + width(cells[end]) <= WIDEST:
            used += width(cells[end])
            end += 1
        self._start = start
        self._cells = cells[start:end]
        self._prefix = "…" if start else ""
        self.text = self._prefix + "".join(self._cells) + ("…" if end < len(cells) else "")

    def indent(self, column: int) -> int:
        """Return how many columns stand before the character at *column*."""
        shown = self._cells[: max(column - 1 - self._start, 0)]
        return len(self._prefix) + sum(map(width, shown))

    def extent(self, column: int, characters: int) -> int:
        """Return how many columns a stretch of the line takes, at least 1."""
        first = max(column - 1 - self._start, 0)
        return max(sum(map(width, self._cells[first : first + characters])), 1)


def _cell(character: str) -> str:
    if character == "\t":
        return " " * TAB
    if character.isprintable() or unicodedata.combining(character):
        return character
    return "\N{REPLACEMENT CHARACTER}"


def _width(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _escape(character: str) -> str:
    if character == "\n":
        return " "
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"  # noqa: PLR2004  Latin-1
