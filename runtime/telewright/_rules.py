"""What a rule of the scan is, and the checks that some rules make on what they matched."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final

from telewright._scan_shapes import opaque

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_COMMON: Final = "etaoinsrhldcumfpgwybvkxjqz /:.-_0123456789"
"""Characters of texts, those first that occur in most of them."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One shape.

    Attributes:
        name: What the marker says.
        hints: Texts of which one occurs wherever the pattern can match.
        pattern: A regular expression that needs linear time on any text.
        hits: Texts with the secret between `«` and `»`.
        misses: Texts in which nothing is found.
        group: Which group is the secret; the whole match by default.
        check: Says of the secret, once matched, whether it is one.
        folds: Whether case is ignored, in the hints (written in lower case) too.
        strict: Whether it belongs to the strict profile only.
    """

    name: str
    hints: tuple[str, ...]
    pattern: str
    hits: tuple[str, ...]
    misses: tuple[str, ...]
    group: int = 0
    check: Callable[[str], bool] | None = field(default=None, repr=False)
    folds: bool = False
    strict: bool = False


class Hints:
    """Sets of hints; each hint is looked for where its rarest character occurs."""

    __slots__ = ("_by_character",)

    def __init__(self, sets: Iterable[tuple[str, ...]]) -> None:
        found: dict[str, list[tuple[str, int]]] = {}
        for number, hints in enumerate(sets):
            for hint in hints:
                rarest = max(hint, key=lambda one: _COMMON.find(one) % len(_COMMON) ** 2)
                found.setdefault(rarest, []).append((hint, number))
        self._by_character = tuple(found.items())

    def within(self, text: str) -> set[int]:
        """Return the numbers of the sets of which a hint occurs in *text*."""
        return {
            number
            for character, hints in self._by_character
            if character in text
            for hint, number in hints
            if hint in text
        }


@cache
def compiled(pattern: str, *, folds: bool) -> re.Pattern[str]:
    """Return *pattern* compiled, once, when something first asks for it."""
    return re.compile(pattern, re.IGNORECASE if folds else 0)


def generated(text: str) -> bool:
    """Say whether what follows the prefix was drawn by a machine: cases mixed, digits, or long."""
    body = text[text.find("_") + 1 :]
    mixed = body != body.lower() and body != body.upper()
    return mixed or any(map(str.isdigit, body)) or len(body) > _LONG_WORD


def cut(text: str) -> bool:
    """Say whether *text*, the last of a value, is what a limit left of a token."""
    body = text[6:]
    return body != body.lower() or any(map(str.isdigit, body))


def drawn(text: str) -> bool:
    """Say whether a machine drew *text*: both cases and digits, and not in words."""
    kinds = (str.islower, str.isupper, str.isdigit)
    return all(any(map(kind, text)) for kind in kinds) and opaque(text)


def bearer(token: str) -> bool:
    digits = any(map(str.isdigit, token))
    return opaque(token, least=12) or "." in token.strip(".") or (digits and not token.isdigit())


def decoded(text: str) -> str | None:
    """Return what base64 *text* stands for if that is readable text, else None."""
    plain = text.rstrip("=").translate(_URL_SAFE)
    head = plain[:24]
    try:
        start = base64.b64decode(head[: len(head) // 4 * 4])
        if any(byte < _FIRST_PRINTABLE and byte not in _SPACES for byte in start):
            return None
        return base64.b64decode(plain[: len(plain) - (len(plain) % 4 == 1)] + "==").decode()
    except (ValueError, binascii.Error):
        return None


_LONG_WORD: Final = 28
_FIRST_PRINTABLE: Final = 32
_SPACES: Final = frozenset(b"\t\n\r")
_URL_SAFE: Final = str.maketrans("-_", "+/")


def basic(text: str) -> bool:
    return ":" in (decoded(text) or "")
