"""Signatures: always one parameter a line, so that no formatter has a choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from telewright_codegen.emit.python import layout
from telewright_codegen.emit.python.text import WIDTH
from telewright_codegen.emit.python.values import annotation

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from telewright_codegen.emit.python.context import Context
    from telewright_codegen.model.signals import Use


class Parameter(NamedTuple):
    """One parameter: its name, and the rest of its line."""

    name: str
    annotation: str
    default: str = ""

    def __str__(self) -> str:
        default = f" = {self.default}" if self.default else ""
        return f"{self.name}: {self.annotation}{default}"


def parameter(context: Context, use: Use, *, optional: bool) -> Parameter:
    """Return the parameter of an attribute."""
    kind = annotation(context, use.attribute)
    return (
        Parameter(use.param, f"{kind} | None", "None") if optional else Parameter(use.param, kind)
    )


def ordered(uses: Iterable[Use]) -> list[Use]:
    """Return *uses*, those that callers must give first."""
    return sorted(uses, key=lambda use: use.level != "required")


def signature(  # noqa: PLR0913  what a header is made of
    name: str,
    positional: Sequence[Parameter],
    keywords: Sequence[Parameter],
    returns: str,
    *,
    indent: int = 0,
    method: bool = False,
) -> str:
    """Return the header of a function, without its first indentation.

    Args:
        name: The function.
        positional: Parameters that callers may give by position.
        keywords: Those that they must name.
        returns: The annotation of what it returns.
        indent: Columns before it.
        method: Whether it takes ``self``.
    """
    lines = ["self"] if method else []
    lines += [str(one) for one in positional]
    if keywords:
        lines += ["*", *(str(one) for one in keywords)]
    if not positional and not keywords:
        return layout.line(f"def {name}({', '.join(lines)}) -> {returns}:", indent=indent)
    margin = " " * indent
    inner = "".join(f"{margin}    {one},\n" for one in lines)
    end = f"{margin}) -> {returns}:"
    widths = [len(end), indent + len(f"def {name}("), *(indent + 5 + len(one) for one in lines)]
    return f"def {name}(\n{inner}{end}{layout.SKIP if max(widths) > WIDTH else ''}"
