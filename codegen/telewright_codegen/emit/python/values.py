"""Values of attributes: their types, what is done to them, and the dictionaries they go into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from telewright_codegen.emit.fate import redaction
from telewright_codegen.emit.python import layout
from telewright_codegen.emit.python.text import Entry, code, example, inside, phrase
from telewright_codegen.spec.common import Sensitivity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telewright_codegen.emit.python.context import Context
    from telewright_codegen.emit.python.layout import Expression
    from telewright_codegen.model.signals import Attribute, Use

_SCALARS: Final = {"string": "str", "int": "int", "double": "float", "boolean": "bool"}


class Pair(NamedTuple):
    """An attribute and the expression of its value."""

    attribute: Attribute
    value: Expression
    optional: bool
    """Whether the value may be None."""


def is_template(attribute: Attribute) -> bool:
    """Return whether *attribute* is a family of keys."""
    return attribute.type.startswith("template[")


def annotation(context: Context, attribute: Attribute) -> str:
    """Return the type of a parameter for *attribute*."""
    if attribute.enum is not None:
        name = context.enum(attribute.enum)
        return f"{name} | {_SCALARS[attribute.type]}" if attribute.enum.open else name
    if is_template(attribute):
        mapping = context.imports.typing("collections.abc", "Mapping")
        inner = _plain(context, attribute.type.removeprefix("template[").removesuffix("]"))
        return f"{mapping}[str, {inner}]"
    return _plain(context, attribute.type)


def _plain(context: Context, kind: str) -> str:
    if kind.endswith("[]"):
        sequence = context.imports.typing("collections.abc", "Sequence")
        return f"{sequence}[{_SCALARS[kind.removesuffix('[]')]}]"
    return _SCALARS[kind]


def pair(
    context: Context, use: Use, *, optional: bool, in_metric: bool = False, value: str | None = None
) -> Pair:
    """Return what a signal sends for *use*: the parameter, made harmless.

    Args:
        context: The module.
        use: The attribute as the signal uses it.
        optional: Whether the parameter may be None.
        in_metric: Whether it becomes a label, which takes members of its enumeration only.
        value: The expression to start from; the parameter of *use* where left out.
    """
    attribute = use.attribute
    made: Expression = use.param if value is None else value
    if is_template(attribute):
        return Pair(attribute, made, optional)
    if in_metric and attribute.enum is not None:
        member = context.imports.base("member")
        made = layout.call(member, context.enum(attribute.enum), made)
    rules = _rules(attribute)
    for name, *arguments in rules:
        made = layout.call(context.imports.base(name), made, *arguments)
    may_vanish = bool(rules) or (in_metric and is_number(attribute))
    return Pair(attribute, made, optional or may_vanish)


def is_number(attribute: Attribute) -> bool:
    """Return whether its values are members that are numbers; in metrics, no other one stays."""
    return attribute.enum is not None and attribute.enum.numeric


def is_changed(attribute: Attribute) -> bool:
    """Say whether its values leave as something else: dropped, masked, hashed or cut."""
    return bool(_rules(attribute))


def stays_member(attribute: Attribute) -> bool:
    """Return whether a helper makes its values members of an enumeration, and leaves them so."""
    named = attribute.enum is not None and not is_number(attribute)
    return named and not is_changed(attribute) and not is_template(attribute)


def _rules(attribute: Attribute) -> list[tuple[str, ...]]:
    """Return the functions that make a value harmless, each with its further arguments."""
    redact, sensitivity = redaction(attribute), attribute.sensitivity
    if isinstance(redact, str) and redact in {"drop", "mask"}:
        return [(redact,)]
    made: list[tuple[str, ...]] = []
    if redact == "hash" or sensitivity is Sensitivity.PERSONAL:
        made.append(("personal",))
    elif isinstance(redact, int):
        made.append(("truncate", str(redact)))
    if sensitivity is Sensitivity.CONTENT:
        made.append(("content",))
    return made


def dictionary(context: Context, pairs: Sequence[Pair]) -> Expression:
    """Return the dictionary of *pairs*, what is None left out."""
    made = layout.display([_item(context, one) for one in pairs])
    if any(one.optional and not is_template(one.attribute) for one in pairs):
        return layout.call(context.imports.base("given"), made)
    return made


def _item(context: Context, one: Pair) -> layout.Item:
    attribute = one.attribute
    if not is_template(attribute):
        return layout.Item(one.value, f"{attribute.constant}: ")
    return layout.Item(expansion(context, attribute, one.value), "**")


def expansion(context: Context, attribute: Attribute, value: Expression) -> Expression:
    """Return the call that turns the values of a template into attributes."""
    rules = _rules(attribute)
    function = context.imports.base("expand")
    if not rules:
        return layout.call(function, attribute.constant, value)
    name, *arguments = rules[-1]
    rule = context.imports.base(name)
    if arguments:
        rule = f"lambda text: {rule}(text, {', '.join(arguments)})"
    return layout.call(function, attribute.constant, value, rule)


def entry(use: Use) -> Entry:
    """Return the line about a parameter: what it means, an example, its key."""
    attribute = use.attribute
    brief = phrase(attribute.spec.brief)
    shown = [text for value in attribute.spec.examples[:1] if (text := example(value))]
    if shown:
        brief += f", for example {shown[0]}"
    key = f"{attribute.key}.<key>" if is_template(attribute) else attribute.key
    made = f"{brief} ({code(key)})."
    extra = [_condition(use.condition)] if use.condition else []
    extra += [fate] if (fate := sending(attribute)) else []
    if attribute.spec.deprecated is not None:
        extra.append("Deprecated.")
    return Entry(use.param, " ".join([made, *extra]))


def _condition(text: str) -> str:
    """Return the sentence that says when an attribute is required."""
    made = inside(text)
    joint = "" if made.split()[0] in {"if", "when", "where", "only", "unless"} else "if "
    return f"Required {joint}{made}"


def sending(attribute: Attribute) -> str | None:
    """Return the sentence about what becomes of a value on its way; None where it is kept."""
    rule = redaction(attribute)
    fates = {
        "drop": "Never sent.",
        "mask": "Sent as a mask.",
        "hash": "Sent as a keyed hash, or not at all.",
    }
    if isinstance(rule, str) and rule in fates:
        return fates[rule]
    if attribute.sensitivity is Sensitivity.PERSONAL:
        return fates["hash"]
    cut = f", cut to {rule} characters" if isinstance(rule, int) else ""
    if attribute.sensitivity is Sensitivity.CONTENT:
        return f"Sent only where content may go{cut}."
    return f"Sent{cut}." if cut else None
