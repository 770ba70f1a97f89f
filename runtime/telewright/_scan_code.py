"""What stands for a value in source code: a type, a call, a reference to where the value is.

>>> code("password = vault.read('db')", 11, ("password", "="))
Code(start=11, end=11)
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from telewright._words import judge, words


class Code(NamedTuple):
    """The literals in a value that is code; empty if there are none."""

    start: int
    end: int


_TYPE_NAME: Final = (
    r"(?:typing\.|pydantic\.|t\.|std::)?(?:[Ss]tr(?:ing)?|[Bb]ytes|[Bb]ool(?:ean)?|[Ii]nt|[Aa]ny|Text"
    r"|Secret(?:Str|Bytes|String)|Optional|Union|Annotated|Literal|Final|ClassVar|[Ll]ist|[Dd]ict"
    r"|[Ss]equence|Iterable|Mapping|[Tt]uple|[Ss]et|CharSequence|None|undefined|number|[Oo]bject)"
)
_TYPE: Final = re.compile(
    rf"{_TYPE_NAME}(?:\[[^\[\]=\n]{{0,40}}(?:\[[^\[\]=\n]{{0,40}}\][^\[\]=\n]{{0,40}})?\]|[?!])?"
    rf"(?:\s?\|\s?{_TYPE_NAME}){{0,3}}(?:(\s{{0,2}}=\s{{0,2}})(?!=)|(?=\.?(?:[\s,;)}}\"'`<\\]|\Z)))"
)
_CALL: Final = re.compile(r"(?:new |await )?[A-Za-z_][\w.:]{0,80}\(")
_CALL_PART: Final = re.compile(
    r"[()]|b?\"(?:[^\"\\\n]|\\.)*+\"|b?'(?:[^'\\\n]|\\.)*+'|[^()\"'\n]+|[\"']"
)
_LONGEST_CALL: Final = 32
_LOOKUP: Final = re.compile(
    r"[A-Za-z_][\w.]{0,80}\[\\{0,4}[\"'][\w.\-]{1,64}\\{0,4}[\"']\](?:\.\w{1,40}){0,4}(?=\.?(?:[\s,;)\]}\"'`&<\\]|\Z))"
)
_REFERENCE: Final = re.compile(
    r"[A-Za-z_]\w{0,40}(?:\.[A-Za-z_][A-Za-z_]{0,40}){1,6}(?=\.?(?:[\s,;)\]}\"'`&<\\]|\Z))"
)
_READS: Final = frozenset(
    [
        "get",
        "getenv",
        "getpass",
        "read",
        "load",
        "fetch",
        "input",
        "prompt",
        "ask",
        "env",
        "environ",
        "open",
        "lookup",
        "resolve",
        "find",
        "decrypt",
        "query",
        "access",
        "retrieve",
        "field",
        "default",
        "var",
        "option",
        "header",
        "arg",
    ]
)
"""Words in the name of a function that returns what is elsewhere."""
_PLAIN_ARGUMENTS: Final = re.compile(r"[\w.,=\s*\[\]:+-]*")


def code(text: str, position: int, named: tuple[str, str]) -> Code | None:
    """Return what is literal in the code at *position*, or None if it is no code.

    Args:
        text: The whole text.
        position: Where the value begins.
        named: The name before it, and the separator between them.
    """
    called = _CALL.match(text, position)
    if called:
        return _literals(text, called)
    if _LOOKUP.match(text, position):
        return Code(position, position)
    reference = _REFERENCE.match(text, position)
    if reference:
        last = reference.group().rpartition(".")[2]
        return Code(position, position) if judge(last) in {"secret", "maybe", "content"} else None
    name, separator = named
    after = text[position + len(name) : position + len(name) + 1]
    same = separator == "=" and text.startswith(name, position) and after in {",", ")"}
    return Code(position, position) if same and after else None


def typed(text: str, position: int, separator: str) -> tuple[int, bool]:
    """Return where the value begins behind a type at *position*, and whether there is a value.

    >>> typed("token: str = 'x'", 7, ": "), typed("(token: str)", 8, ": ")
    ((13, True), (8, False))
    """
    kind = _TYPE.match(text, position) if separator.strip() == ":" else None
    if kind is None:
        return position, True
    return (kind.end(), True) if kind.group(1) else (position, False)


def _literals(text: str, called: re.Match[str]) -> Code | None:
    """Return the strings among the arguments of a call; None if it is no call."""
    position, depth = called.end(), 1
    first = last = -1
    between = ""
    for _ in range(_LONGEST_CALL):
        part = _CALL_PART.match(text, position)
        if part is None or not depth:
            break
        found = part.group()
        if found in {"(", ")"}:
            depth += 1 if found == "(" else -1
        elif found[-1] in "\"'" and len(found) > 1:
            first = part.start() + found.index(found[-1]) + 1 if first < 0 else first
            last = part.end() - 1
        else:
            between += found
        position = part.end()
    if (depth and first < 0) or not _PLAIN_ARGUMENTS.fullmatch(between):
        return None
    if first < 0 or _READS & set(words(called.group())):
        plain = first >= 0 or "." in called.group() or not between or "=" in between
        return Code(called.start(), called.start()) if plain else None
    return Code(first, last)
