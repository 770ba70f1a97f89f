"""Code laid out so that no formatter moves it, at 88 columns and at more."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from telewright_codegen.emit.python.text import WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SKIP: Final = "  # fmt: skip"
"""Where a name is too long for any layout that is right at every width."""


class Item(NamedTuple):
    """A part of something in brackets, and what stands before it: ``unit=``, ``KEY: ``, ``**``."""

    value: Expression
    prefix: str = ""


@dataclass(slots=True, eq=False)
class Bracketed:
    """A call or a display: on one line where it fits, else with each item on its own."""

    opening: str
    items: tuple[Item, ...]
    closing: str
    on_one_line: str = field(default="", init=False)
    """Made when it is first asked for."""


Expression = str | Bracketed


def call(function: str, *arguments: Expression, **keywords: Expression) -> Bracketed:
    """Return a call."""
    named = [Item(value, f"{name}=") for name, value in keywords.items()]
    return Bracketed(f"{function}(", (*(Item(one) for one in arguments), *named), ")")


def display(pairs: Iterable[Item]) -> Bracketed:
    """Return a dictionary of items with prefixes."""
    return Bracketed("{", tuple(pairs), "}")


def flat(expression: Expression) -> str:
    """Return *expression* on one line."""
    if isinstance(expression, str):
        return expression
    if not expression.on_one_line:
        inner = ", ".join([item.prefix + flat(item.value) for item in expression.items])
        expression.on_one_line = f"{expression.opening}{inner}{expression.closing}"
    return expression.on_one_line


def rendered(expression: Expression, *, indent: int, before: str = "", after: str = "") -> str:
    """Return *expression* after *before*, both as code.

    Args:
        expression: What to lay out.
        indent: Columns before the line.
        before: What stands on the line before.
        after: What will stand on the line after.
    """
    whole = before + flat(expression)
    if isinstance(expression, str) or not expression.items:
        return whole
    if indent + len(whole) + len(after) <= WIDTH:
        return whole
    items = [
        rendered(item.value, indent=indent + 4, before=item.prefix, after=",")
        for item in expression.items
    ]
    return exploded(before + expression.opening, items, expression.closing, indent=indent)


def exploded(opening: str, items: Sequence[str], closing: str, *, indent: int) -> str:
    """Return *items* in brackets, each on its own line, with a comma after the last."""
    margin = " " * indent
    between = f",\n{margin}    "
    return f"{opening}\n{margin}    {between.join(items)},\n{margin}{closing}"


def broken(text: str, *, indent: int) -> str:
    """Return an item that ends with a string too long for its line, the string in parts.

    Formatters would join the parts where lines may be longer; what holds it says not to.
    """
    prefix, quote, rest = text.partition('"')
    if "\n" in text or indent + len(text) < WIDTH or not quote or "\\" in rest:
        return text
    parts, room = [""], WIDTH - indent - len('    ""')
    for word in rest.removesuffix('"').split(" "):
        if parts[-1] and len(parts[-1]) + len(word) >= room:
            parts.append("")
        parts[-1] += f"{word} "
    parts[-1] = parts[-1].removesuffix(" ")
    margin = " " * indent
    lines = "".join(f'{margin}    "{part}"\n' for part in parts)
    return f"{prefix}(\n{lines}{margin})"


def line(text: str, *, indent: int = 0) -> str:
    """Return a statement of one line, told to stay so where it is too long."""
    return text if indent + len(text) <= WIDTH else text + SKIP


def statement(text: str, *, indent: int = 0) -> str:
    """Return a statement of any number of lines, told to stay so where one is too long."""
    lines = text.split("\n")
    widths = [indent + len(lines[0]), *(len(one) for one in lines[1:])]
    return text if max(widths) <= WIDTH else text + SKIP


def assignment(target: str, value: str) -> str:
    """Return a statement that binds *value*, a literal, in parentheses where it is long."""
    whole = f"{target} = {value}"
    return whole if len(whole) <= WIDTH else f"{target} = (\n    {value}\n){SKIP}"
