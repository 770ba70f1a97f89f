"""How a span ends: its outcome, and the code of what failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.emit.python import layout
from telewright_codegen.emit.python.text import literal

if TYPE_CHECKING:
    from telewright_codegen.emit.python.context import Context
    from telewright_codegen.model.signals import Attribute, Outcome


def outcomes(context: Context, outcome: Outcome) -> layout.Expression:
    """Return the expression that says what the members of an outcome mean."""
    words: dict[str, layout.Expression] = {
        "ok": context.member(outcome.enum, outcome.ok),
        "error": context.member(outcome.enum, outcome.error),
    }
    if outcome.cancelled is not None:
        words["cancelled"] = context.member(outcome.enum, outcome.cancelled)
    return layout.call(context.imports.base("Outcomes"), outcome.attribute.constant, **words)


def codes(context: Context, attribute: Attribute) -> layout.Expression:
    """Return the expression that says which exception has which code."""
    enum = attribute.enum
    kind = context.imports.base("OpenEnum") if enum is None else context.enum(enum)
    pairs = [
        layout.Item(
            "None" if name.startswith(".") else context.member(enum, member),
            f"{literal(name)}: ",
        )
        for name, member in (enum.codes if enum is not None else ())
        if enum is not None
    ]
    words: dict[str, layout.Expression] = {"kind": kind, "codes": layout.display(pairs)}
    if enum is not None and enum.overflow is not None:
        words["overflow"] = context.member(enum, enum.overflow)
    return layout.call(context.imports.base("ErrorCodes"), attribute.constant, **words)
