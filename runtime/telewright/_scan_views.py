"""Other readings of one text, for matching only: folded, unescaped, joined across line ends.

A `View` remembers where each of its characters came from, so that what is found in a reading is cut
out of the text as it was written.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final
from unicodedata import is_normalized, normalize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e01ef]"
)
_LOOKALIKES: Final = dict(
    zip(
        "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb"
        "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u03bf\u03b1\u0131",
        "aeopcyxijsdhABEKMHOPCTXoai",
        strict=True,
    )
)
MARKER: Final = re.compile(r"\[redacted:[a-z_]{2,16}\]")
HELD: Final = "\ue000"
"""Stands for a marker in every reading, so that no rule can read the marker's own words."""

_ESCAPE: Final = re.compile(
    r"(?:%[0-7][0-9A-Fa-f])+|%[C-Fc-f][0-9A-Fa-f](?:%[89ABab][0-9A-Fa-f]){1,3}"
    r"|\\x[c-f][0-9a-f](?:\\x[89ab][0-9a-f]){1,3}"
    r"|\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})"
    r"|(?:\\[nrtbf0\"'/\\])+"
    r"|&(?:#\d{1,5}|#x[0-9a-f]{1,4}|quot|amp|lt|gt|apos|equals|colon);"
)
_CONTROL: Final = str.maketrans("nrtbf0", "\n\r\t\b\f\0")
_ENTITIES: Final = {
    "quot": '"', "amp": "&", "lt": "<", "gt": ">", "apos": "'", "equals": "=", "colon": ":",
}  # fmt: skip
_COLOUR: Final = re.compile(r"\x1b\[[0-9;]{0,16}m")
"""A terminal's colour, which may stand between a name and its separator."""
_LINE_END: Final = re.compile(r"[ \t]*\r?\n[ \t>|]*")
_DEPTH: Final = 3


class Segments:
    """The parts of a reading in order, and where each came from.

    Attributes:
        at: Where it begins in the reading.
        raw: Where it begins in the reading behind.
        step: How many characters behind each of its characters stands for; 0 if they share some.
        stop: Where it ends in the reading behind.
    """

    __slots__ = ("at", "raw", "step", "stop")

    def __init__(self) -> None:
        self.at: list[int] = []
        self.raw: list[int] = []
        self.step: list[int] = []
        self.stop: list[int] = []

    def add(self, at: int, raw: int, step: int, stop: int) -> None:
        """Add the next one."""
        self.at.append(at)
        self.raw.append(raw)
        self.step.append(step)
        self.stop.append(stop)


@dataclass(frozen=True, slots=True)
class View:
    """One reading of a text; without a reading behind it, the text itself."""

    text: str
    behind: View | None = None
    segments: Segments = field(default_factory=Segments)

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Return where the characters *start* to *end* stand in the text itself."""
        if self.behind is None:
            return start, end
        one = self.segments
        first, last = bisect_right(one.at, start) - 1, bisect_right(one.at, end - 1) - 1
        begin = one.raw[first] + (start - one.at[first]) * one.step[first]
        step = one.step[last]
        finish = one.raw[last] + (end - one.at[last]) * step if step else one.stop[last]
        return self.behind.back(begin, finish)


def _rewritten(view: View, pattern: re.Pattern[str], turn: Callable[[str], str]) -> View | None:
    """Return a reading in which each match of *pattern* stands as *turn* says, or None."""
    text = view.text
    pieces: list[str] = []
    segments = Segments()
    length = done = 0
    for match in pattern.finditer(text):
        new = turn(match.group())
        start, end = match.span()
        if start > done:
            segments.add(length, done, 1, start)
            pieces.append(text[done:start])
            length += start - done
        if new:
            step, rest = divmod(end - start, len(new))
            segments.add(length, start, 0 if rest else step, end)
            pieces.append(new)
            length += len(new)
        done = end
    if not done:
        return None
    if done < len(text):
        segments.add(length, done, 1, len(text))
        pieces.append(text[done:])
    return View("".join(pieces), view, segments)


@lru_cache(maxsize=4096)
def _fold(character: str) -> str:
    if _INVISIBLE.match(character) or character == HELD:
        return ""
    return "".join(_LOOKALIKES.get(one, one) for one in normalize("NFKC", character))


def _numbered(number: str) -> str:
    code = int(number[1:], base=16) if number[0] in "xX" else int(number)
    return _fold(chr(code)) if code <= sys.maxunicode else ""


def _decoded(digits: str) -> str:
    text = bytes.fromhex(digits).decode("utf-8", "replace")
    return text if text.isascii() else "".join(map(_fold, text))


@lru_cache(maxsize=4096)
def _unescape(found: str) -> str:
    if found[0] == "%":
        return _decoded(found.replace("%", ""))
    if found[0] == "&":
        return _ENTITIES.get(found[1:-1]) or _numbered(found[2:-1])
    if found[1] == "x" and len(found) > len("\\x00"):
        return _decoded(found.replace("\\x", ""))
    if found[1] not in "ux":
        return found[1::2].translate(_CONTROL)
    character = chr(int.from_bytes(bytes.fromhex(found[2:])))
    return character if character.isascii() else _fold(character)


def _normal(text: str) -> View:
    """Return *text* with each character as it is written plainly."""
    folds = {one: one if one.isascii() else _fold(one) for one in set(text)}
    odd = [one for one, plain in folds.items() if len(plain) != 1]
    single = {ord(one): plain if len(plain) == 1 else one for one, plain in folds.items()}
    view = View(text.translate(single))
    if not odd:
        return view
    runs = re.compile(f"[{re.escape(''.join(odd))}]+")
    return _rewritten(view, runs, lambda run: "".join(map(_fold, run))) or view


def folded(text: str) -> View:
    """Return *text* with compatibility forms, invisible characters and lookalikes made plain."""
    view = View(text)
    if not text.isascii():
        for character in _LOOKALIKES:
            if character in text:
                text = text.replace(character, _LOOKALIKES[character])
        view = View(text)
        if _INVISIBLE.search(text) or HELD in text or not is_normalized("NFKC", text):
            view = _normal(text)
    if "\x1b[" in text:
        view = _rewritten(view, _COLOUR, lambda _found: "") or view
    if "[redacted:" in text:
        view = _rewritten(view, MARKER, lambda _found: HELD) or view
    return view


def unescaped(view: View) -> Iterator[View]:
    """Yield the readings of *view* without escapes: of JSON, reprs, URLs and HTML, up to 3 deep."""
    current: View | None = view
    for _ in range(_DEPTH):
        if current is None or not (
            "\\" in current.text or "%" in current.text or "&" in current.text
        ):
            return
        current = _rewritten(current, _ESCAPE, _unescape)
        if current is not None:
            if "\x1b[" in current.text:
                current = _rewritten(current, _COLOUR, lambda _found: "") or current
            yield current


def joined(view: View) -> View | None:
    """Return *view* as one line, for tokens that a terminal or a mail broke in two."""
    return _rewritten(view, _LINE_END, lambda _found: "") if "\n" in view.text else None
