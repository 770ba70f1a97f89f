"""The orders that linters expect of ``__all__`` and of imports."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

_DIGIT: Final = re.compile(r"\d")

Key = tuple[tuple[int, int, str], ...]
"""What names are sorted by."""


@cache
def exported(name: str) -> Key:
    """Return the sort key of a name in ``__all__``: constants, classes, the rest."""
    return ((_kind(name), 0, ""), *_natural(name))


@cache
def imported(name: str) -> Key:
    """Return the sort key of a name in a ``from`` import."""
    return ((_kind(name), 0, ""), *_natural(name.lower()), *_natural(name))


@cache
def module(name: str) -> Key:
    """Return the sort key of a module in a block of imports."""
    return (*_natural(name.lower()), *_natural(name))


def _kind(name: str) -> int:
    if len(name) > 1 and name.isupper():
        return 0
    return 1 if name[:1].isupper() else 2


def _natural(name: str) -> Key:
    """Return parts that compare digits as numbers; what begins with a zero, as fractions."""
    if _DIGIT.search(name) is None:
        return ((1, 0, name), (-1, 0, ""))
    parts = re.findall(r"\d+|\D+", name)
    return (
        *(
            (0, int(part) if part[0] != "0" else -1, part) if part.isdigit() else (1, 0, part)
            for part in parts
        ),
        (-1, 0, ""),
    )
