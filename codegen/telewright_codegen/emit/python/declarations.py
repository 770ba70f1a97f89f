"""Constants of keys, and enumerations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from telewright_codegen.emit.python import layout
from telewright_codegen.emit.python.text import (
    code,
    docstring,
    example,
    joined,
    led,
    listed,
    literal,
    paragraphs,
    phrase,
    sentence,
    short,
)
from telewright_codegen.emit.python.values import is_template, sending

if TYPE_CHECKING:
    from telewright_codegen.emit.python.context import Context
    from telewright_codegen.model.signals import Attribute, Enum, Member
    from telewright_codegen.spec.common import DeprecationSpec

_TYPES: Final = {
    "string": "a string",
    "int": "an integer",
    "double": "a number",
    "boolean": "a truth value",
    "string[]": "strings",
    "int[]": "integers",
    "double[]": "numbers",
    "boolean[]": "truth values",
}
UNITS: Final = {
    "ms": "milliseconds",
    "s": "seconds",
    "us": "microseconds",
    "ns": "nanoseconds",
    "min": "minutes",
    "h": "hours",
    "By": "bytes",
    "%": "percent",
    "KiBy": "kibibytes",
    "MiBy": "mebibytes",
    "GiBy": "gibibytes",
    "W": "watts",
    "J": "joules",
    "Cel": "degrees Celsius",
    "Hz": "hertz",
}


_BASES: Final = {
    (False, False): "StrEnum",
    (False, True): "OpenEnum",
    (True, False): "IntEnum",
    (True, True): "OpenIntEnum",
}
"""Classes of enumerations, by whether the values are numbers, and whether others may occur."""


class ConstantView(NamedTuple):
    """A key, and what it means."""

    statement: str
    doc: str


class EnumView(NamedTuple):
    """A class of members."""

    header: str
    doc: str
    members: list[ConstantView]
    overflow: str
    """The expression of its overflow member; empty where the runtime finds it."""
    self_type: str


def unit_words(unit: str) -> str:
    """Return *unit* after "in", for people; empty where the unit says nothing more."""
    if unit in ("", "1") or unit.startswith("{"):
        return ""
    return f"in {UNITS.get(unit) or code(unit)}"


def deprecation(spec: DeprecationSpec | None) -> str:
    """Return the sentences that say what to use instead; empty where nothing is deprecated."""
    if spec is None:
        return ""
    since = f" since {spec.since}" if spec.since else ""
    instead = f": use {code(spec.renamed_to)}" if spec.renamed_to else ""
    until = f" Both are sent until {spec.emit_both_until}." if spec.emit_both_until else ""
    note = f" {sentence(spec.note)}" if spec.note else ""
    return f"Deprecated{since}{instead}.{until}{note}"


def decorator(context: Context, spec: DeprecationSpec | None, *, indent: int = 0) -> str:
    """Return the decorator that tells checkers and editors; empty where nothing is deprecated."""
    if spec is None:
        return ""
    note = f"Deprecated since {spec.since}." if spec.since else "Deprecated."
    text = f"Use {spec.renamed_to}." if spec.renamed_to else note
    made = layout.call(context.imports.base("deprecated"), literal(text))
    return layout.rendered(made, indent=indent, before="@")


def constant(context: Context, attribute: Attribute) -> ConstantView:
    """Return the constant of a key."""
    target = f"{attribute.constant}: {context.imports.final()}"
    return ConstantView(
        layout.assignment(target, literal(attribute.key)), _constant_doc(context, attribute)
    )


def _constant_doc(context: Context, attribute: Attribute) -> str:
    brief = led(sentence(attribute.spec.brief), code(attribute.key))
    facts: list[str] = []
    if attribute.enum is not None:
        brief = joined(brief, f"one of `{attribute.enum.name}`")
    else:
        facts.append(_kind(attribute))
    if attribute.spec.in_metrics == "never":
        facts.append("Never a metric attribute.")
    if fate := sending(attribute):
        facts.append(fate)
    if not context.is_home(attribute.home):
        facts.append(f"Declared by {code(f'{attribute.home.registry}.{attribute.home.topic}')}.")
    more = [*paragraphs(attribute.spec.note), deprecation(attribute.spec.deprecated)]
    fact = " ".join(facts)
    whole = f"{brief} {fact}".rstrip()
    fitting = None if any(more) else short(whole, indent=0)
    return fitting or docstring(brief, [fact, *more], indent=0)


def _kind(attribute: Attribute) -> str:
    if is_template(attribute):
        inner = _TYPES[attribute.type.removeprefix("template[").removesuffix("]")]
        keys = [code(f"{attribute.key}.{key}") for key in attribute.spec.keys or ()][:4]
        family = f"The start of keys, {code(attribute.key + '.<key>')}, each {inner}"
        return f"{family}; known are {listed(keys)}." if keys else f"{family}."
    kind = _TYPES[attribute.type]
    made = kind[0].upper() + kind[1:]
    if attribute.spec.unit and (words := unit_words(attribute.spec.unit)):
        made = f"{made} {words}"
    examples = [shown for value in attribute.spec.examples[:2] if (shown := example(value))]
    return f"{made}, for example {', '.join(examples)}." if examples else f"{made}."


def enum(context: Context, declared: Enum) -> EnumView:
    """Return the class of an enumeration."""
    base = context.imports.base(_BASES[declared.numeric, declared.open])
    other = declared.overflow is not None and declared.overflow.constant != "OTHER"
    return EnumView(
        header=layout.line(f"class {declared.name}({base}):"),
        doc=_enum_doc(context, declared),
        members=[_member(one) for one in declared.members],
        overflow=f'cls["{declared.overflow.constant}"]' if other and declared.overflow else "",
        self_type=context.imports.typing("typing", "Self") if other else "",
    )


def _enum_doc(context: Context, declared: Enum) -> str:
    keys = [one.key for one in context.topic.attributes if one.enum is declared]
    brief = led(phrase(declared.brief), declared.name)
    mark = "" if brief[-1:] in {"?", "!"} else "."
    summary = f"{brief}{mark}" if len(keys) != 1 else f"{brief} ({code(keys[0])})."
    body = paragraphs(declared.spec.note)
    if declared.open:
        other = declared.overflow
        fate = "is left out" if other is None else f"counts as `{other.constant}`"
        body.insert(0, f"Open: in metrics any other value {fate}.")
    body.append(deprecation(declared.spec.deprecated))
    title = f"Values of {code(keys[0])}." if keys else f"Values that are a {code(declared.name)}."
    brief = led(sentence(declared.brief), declared.name)
    return docstring(summary, body, indent=4, title=title, brief=brief)


def _member(member: Member) -> ConstantView:
    spec = member.spec
    body = [] if spec is None else [*paragraphs(spec.note), deprecation(spec.deprecated)]
    brief = led(sentence(member.brief), code(member.text))
    value = literal(member.value) if isinstance(member.value, str) else member.text
    return ConstantView(
        layout.line(f"{member.constant} = {value}", indent=4),
        docstring(brief, body, indent=4),
    )
