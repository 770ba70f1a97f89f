"""Prose and literals: what authors wrote, as Python text that stays text."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WIDTH: Final = 88
"""Columns of generated code."""

_BEFORE_PUNCTUATION: Final = re.compile(r" (?![\w`(\"'\[])")
"""A space before a word that begins with punctuation, where no line may break."""

_LAST_QUOTE: Final = re.compile(r'(?<!\\)((?:\\\\)*)"\Z')
"""A quote at the very end, which no backslash escapes; those before it come in pairs."""

_GLUE: Final = "\x1f"
"""Stands for such a space meanwhile: whitespace of a kind that no flat text has."""

_PLAIN: Final = re.compile(r"[ !#-&(-\[\]-~]*")
"""ASCII without quotes and backslashes."""

_REMEMBERED: Final = 4096
"""Texts whose forms are remembered: each use of an attribute says its brief again."""

_encoded: Final = json.JSONEncoder(ensure_ascii=False).encode

_LONGEST_EXAMPLE: Final = 40
"""Characters of an example that is worth a place in a sentence."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PROPER: Final = _words(
    "Docker Hugging Kubernetes Linux Megatron Nemo Prometheus Python Ray Slurm Torch Triton"
)
"""Words that keep their capital inside a sentence."""

_DETERMINERS: Final = _words(
    "a all an any anything each every everything how if no nothing one some that the this those "
    "two what when where whether which who whose why"
)
_MEASURES: Final = _words(
    "age amount count duration fraction length mean number rate ratio share size sum time total "
    "greatest highest largest latest least longest lowest most newest oldest shortest smallest"
)


class Entry(NamedTuple):
    """One line of an ``Args:`` section."""

    name: str
    text: str


def literal(text: str) -> str:
    """Return *text* as the string literal that formatters would leave as it is."""
    if _PLAIN.fullmatch(text):
        return f'"{text}"'
    quote = "'" if text.count('"') > text.count("'") else '"'
    return quote + _escaped(text).replace(quote, f"\\{quote}") + quote


def number(value: float) -> str:
    """Return *value* as a numeric literal, without a fraction where it has none."""
    return str(int(value)) if value == int(value) else repr(value)


def _escaped(text: str) -> str:
    if text.isprintable() and "\\" not in text:
        return text
    return "".join(_escaped_character(character) for character in text)


def _escaped_character(character: str) -> str:
    if character == "\\":
        return "\\\\"
    if character.isprintable():
        return character
    return repr(character)[1:-1]


def flat(text: str) -> str:
    """Return *text* on one line."""
    return " ".join(text.split())


@lru_cache(_REMEMBERED)
def sentence(text: str) -> str:
    """Return *text* on one line, ended by a mark that ends a sentence."""
    made = flat(text)
    return made if made[-1:] in {".", "!", "?"} else f"{made}."


def paragraphs(text: str | None) -> list[str]:
    """Return the paragraphs of *text* as sentences; none where there is no text."""
    if not text:
        return []
    parts = re.split(r"\n[^\S\n]*\n", text)
    return [led(sentence(part), "Note") for part in parts if flat(part)]


def phrase(text: str) -> str:
    """Return the one sentence of *text* without its full stop, to go on after it."""
    made = sentence(text)
    return made[:-1] if made.endswith(".") and not made.endswith("..") else made


def joined(text: str, more: str) -> str:
    """Return *text* continued by *more*: after a comma, or as a sentence of its own."""
    made = sentence(text)
    if made.endswith(".") and not re.search(r"[.!?;:] ", made):
        return f"{made[:-1]}, {more}."
    return f"{made} {more[:1].upper()}{more[1:]}."


@lru_cache(_REMEMBERED)
def inside(text: str) -> str:
    """Return *text* as it reads inside a sentence, after a colon or a verb."""
    made = sentence(text)
    first = re.match(r"[A-Z][a-z]*(?=[\s,;:.!?'-]|$)", made)
    if first is None or first[0] in _PROPER or (len(first[0]) == 1 and first[0] != "A"):
        return made
    return made[0].lower() + made[1:]


@lru_cache(_REMEMBERED)
def measured(text: str) -> str:
    """Return *text*, which names a quantity, as the object of a verb: "the mean reward"."""
    made = inside(text)
    head, of, _ = re.split(r"[,;:.]", made, maxsplit=1)[0].partition(" of ")
    words = head.split()
    if not words or words[0].lower() in _DETERMINERS:
        return made
    if words[0].lower() in _MEASURES or (of and not re.search(r"[^su]s$", words[-1])):
        return f"the {made}"
    return made


def led(text: str, subject: str) -> str:
    """Return *text*, after *subject* where its first character would mean something to a reader.

    A documentation tool or doctest reads ``>>>``, ``..`` and quotes at the start of a docstring.
    """
    return text if text[:1].isalnum() or text[:1] in {"`", "("} else f"{subject}: {text}"


def code(name: str) -> str:
    """Return *name* marked as code."""
    return f"``{name}``"


def listed(items: Sequence[str]) -> str:
    """Return *items* as a person lists them."""
    if len(items) < 2:  # noqa: PLR2004  "and" needs two
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def example(value: object) -> str | None:
    """Return one example value as code; None where it is too long to help."""
    if isinstance(value, list):
        return None
    shown = _encoded(value) if isinstance(value, str) else repr(value)
    return code(shown) if len(shown) <= _LONGEST_EXAMPLE and "`" not in shown else None


def filled(text: str, *, indent: int, hang: int = 0, lead: int = 0) -> list[str]:
    """Break *text* into lines that fit.

    No line begins with a word that is punctuation alone.

    Args:
        text: One paragraph.
        indent: Columns before each line.
        hang: More columns before all lines but the first.
        lead: Columns to leave free in the first line.
    """
    first, margin = " " * (indent + lead), " " * (indent + hang)
    if indent + lead + len(text) <= WIDTH:
        return [first + text]
    if _BEFORE_PUNCTUATION.search(text):
        text = _BEFORE_PUNCTUATION.sub(_GLUE, text)
    lines: list[str] = []
    begin, prefix, end = 0, first, len(text)
    while end - begin > (room := WIDTH - len(prefix)):
        cut = text.rfind(" ", begin, begin + room + 1)
        if cut <= begin:
            cut = text.find(" ", begin + room)
        if cut < 0:
            break
        lines.append(prefix + text[begin:cut])
        begin, prefix = cut + 1, margin
    lines.append(prefix + text[begin:])
    return [line.replace(_GLUE, " ") for line in lines]


def short(text: str, *, indent: int) -> str | None:
    """Return *text* as a docstring of one line; None where it does not fit."""
    room = WIDTH - indent
    if len(text) + len('""""""') > room:
        return None
    made = quoted([text])
    return made if len(made) <= room else None


def docstring(  # noqa: PLR0913  the parts of a docstring
    summary: str,
    body: Iterable[str] = (),
    *,
    indent: int,
    title: str | None = None,
    brief: str | None = None,
    entries: Sequence[Entry] = (),
) -> str:
    """Return a docstring, without the indentation of its first line.

    Args:
        summary: One sentence. Where it does not fit on one line, *title* stands there instead;
            without a title, it is broken.
        body: Paragraphs.
        indent: Columns before it.
        title: A short sentence.
        brief: What the title leaves out, as a paragraph; the summary where left out.
        entries: The section about arguments.
    """
    parts = [part for part in body if part]
    fitting = short(summary, indent=indent)
    if fitting is not None and not parts and not entries:
        return fitting
    if title is not None and fitting is None:
        summary, parts = title, [brief or summary, *parts]
    lines = filled(summary, indent=indent, lead=len('"""'))
    if len(lines) == 1 and not parts and not entries:
        lines = filled(summary, indent=indent, lead=2 * len('"""'))
    for part in parts:
        lines += ["", *filled(part, indent=indent)]
    if entries:
        lines += ["", f"{' ' * indent}Args:"]
        for entry in entries:
            lines += filled(f"{entry.name}: {entry.text}", indent=indent + 4, hang=4)
    lines[0] = lines[0].lstrip(" ")
    return quoted(lines if len(lines) == 1 else [*lines, " " * indent])


def quoted(lines: list[str]) -> str:
    """Return *lines* as a docstring: raw, or escaped, where they would mean something else."""
    plain = "\n".join(lines)
    if all(map(str.isprintable, lines)) and not plain.endswith(('"', "\\")):
        if '"""' not in plain:
            return f'r"""{plain}"""' if "\\" in plain else f'"""{plain}"""'
        if "\\" not in plain:
            return '"""' + plain.replace('"""', '\\"\\"\\"') + '"""'
    escaped = "\n".join(_escaped(line) for line in lines)
    escaped = escaped.replace('"""', '\\"\\"\\"')
    ended = _LAST_QUOTE.sub(r'\1\\"', escaped)
    return f'"""{ended}"""'
