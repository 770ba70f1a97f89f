"""Secrets in rows whose names stand above them, all together: SQL's `INSERT`.

>>> [found.rule for found in rows("INSERT INTO t (n, api_key) VALUES (1, 'x7')", "insert")]
['named_secret']
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from telewright._scan_pairs import Found
from telewright._scan_shapes import harmless, opaque, spoken
from telewright._words import judge

if TYPE_CHECKING:
    from collections.abc import Iterator

_INSERT: Final = re.compile(
    r"insert\s{1,8}into\s{1,8}[^\s(]{1,128}\s{0,8}\(([^()]{1,2048})\)\s{0,8}values\s{0,8}(?=\()",
    re.IGNORECASE,
)
_FIELD: Final = re.compile(
    r"[(,]\s{0,8}(?:[ENB]?'((?:[^'\\]|''|\\.)*+)'|\"((?:[^\"\\]|\\.)*+)\"|([^,()'\"\s]*))\s{0,8}"
)
_HELD: Final = re.compile(r"\((?:[%?:$][\w()]{0,64}[\s,]{0,8}){1,64}\)")
"""Places for values that stand further on."""
_GIVEN: Final = re.compile(r"\[parameters: \[?\(")
_FARTHEST: Final = 400
_NEXT: Final = re.compile(r"\)\s{0,8},?\s{0,8}")


def _rule(name: str, value: str) -> str:
    verdict = judge(name)
    if harmless(value) or value.startswith((":", "@", "$")):
        return ""
    if verdict in {"secret", "cookie"} or (verdict == "maybe" and opaque(value)):
        return "named_secret"
    return "content" if verdict in {"content", "prose"} and spoken(value) else ""


def rows(text: str, lower: str) -> Iterator[Found]:
    """Yield the values in columns that may not leave; *lower* is *text* in lower case."""
    if "insert" not in lower:
        return
    for match in _INSERT.finditer(text):
        names = [name.strip(' `"[]\n\t') for name in match.group(1).split(",")]
        position, column = match.end(), 0
        held = _HELD.match(text, position)
        given = _GIVEN.search(text, held.end(), held.end() + _FARTHEST) if held else None
        if given:
            position = given.end() - 1
        while True:
            field = _FIELD.match(text, position)
            if field is None:
                break
            group = next((one for one in (1, 2, 3) if field.group(one) is not None), 3)
            rule = _rule(names[column], field.group(group)) if column < len(names) else ""
            if rule:
                yield Found(*field.span(group), rule)
            position, column = field.end(), column + 1
            end = _NEXT.match(text, position)
            if end:
                position, column = end.end(), 0
