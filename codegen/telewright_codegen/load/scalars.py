"""Plain scalars of YAML 1.2's core schema, and those that YAML 1.1 reads as something else.

What two readers of the same file would take for two different values is a trap; an author who
meant text is asked for quotes, one who meant a number for a plain one.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

Plain = str | int | float | bool | None


class Trap(NamedTuple):
    """Why a plain scalar is not taken as it is written."""

    why: str
    """What the label says: two readings, or one that cannot be exported."""
    code: str = "TW023"


_BOOLEAN: Final = "a truth value to some readers of YAML, text to others"
_YES: Final = ("y", "yes", "on")
_NO: Final = ("n", "no", "off")

WORDS: Final[dict[str, Plain | Trap]] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
    "=": Trap("a default value to some readers of YAML, text to others"),
    **{
        spelled: Trap(_BOOLEAN)
        for word in (*_YES, *_NO)
        for spelled in (word, word.capitalize(), word.upper())
    },
}
"""Words that are not text when they stand unquoted."""

NUMERIC: Final = frozenset("-+.0123456789")
"""How a plain scalar starts that may be a number or a date."""

_INTEGER: Final = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z").match
_DECIMAL: Final = re.compile(r"(?:[-+]?[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+][0-9]+)?\Z").match
_TRAPS: Final = tuple(
    (re.compile(pattern + r"\Z", re.ASCII).match, Trap(why, code))
    for pattern, why, code in (
        (
            r"[-+]?0[0-9_]+",
            "octal to some readers of YAML, decimal or text to others",
            "TW023",
        ),
        (
            r"[-+]?0[xob][0-9a-fA-F_]+",
            "a number to some readers of YAML, text to others",
            "TW023",
        ),
        (
            r"[-+]?(?:\.[0-9_]+|[0-9][0-9_]*(?:\.[0-9_]*)?)(?:[eE][-+]?[0-9_]+)?",
            "a number to some readers of YAML, text to others",
            "TW023",
        ),
        (
            r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?",
            "a number to the base of 60 to some readers of YAML, text to others",
            "TW023",
        ),
        (
            r"\d{4}-\d\d?-\d\d?(?:(?:[Tt]|[ \t]+)\d\d?:\d\d.*)?",
            "a date to some readers of YAML, text to others",
            "TW023",
        ),
        (r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)", "not a finite number", "TW024"),
    )
)
_LARGEST: Final = 2**63 - 1
_DIGITS: Final = 19
"""No integer of 64 bits has more; longer ones are not even converted."""
_WIDE: Final = Trap("does not fit into 64 bits", "TW024")


def number(text: str) -> Plain | Trap:
    """Return what a plain scalar means that starts like a number."""
    if _INTEGER(text):
        if len(text) > _DIGITS + 1:
            return _WIDE
        integer = int(text)
        return integer if -_LARGEST - 1 <= integer <= _LARGEST else _WIDE
    if _DECIMAL(text):
        decimal = float(text)
        return decimal if abs(decimal) != float("inf") else _WIDE
    for matches, trap in _TRAPS:
        if matches(text):
            return trap
    return text
