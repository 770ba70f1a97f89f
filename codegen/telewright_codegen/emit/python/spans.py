"""Spans: a class where there is something to set or say, and the function that opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from telewright_codegen.emit.python import layout
from telewright_codegen.emit.python.declarations import decorator
from telewright_codegen.emit.python.groups import moved_to
from telewright_codegen.emit.python.methods import MethodView, methods
from telewright_codegen.emit.python.outcomes import codes, outcomes
from telewright_codegen.emit.python.signature import Parameter, ordered, parameter, signature
from telewright_codegen.emit.python.span_docs import LINKS, class_doc, function_doc, shown_name
from telewright_codegen.emit.python.text import WIDTH, literal
from telewright_codegen.emit.python.values import Pair, dictionary, is_template, pair

if TYPE_CHECKING:
    from telewright_codegen.emit.python.context import Context
    from telewright_codegen.model.signals import Placeholder, Span, Use

_ROOTS: Final = {"owner": "Owner", "always": "Root", "linked_to": "LinkedRoot"}


class ClassView(NamedTuple):
    """The class of an open span."""

    header: str
    doc: str
    fields: list[str]
    methods: list[MethodView]


class SpanView(NamedTuple):
    """A span."""

    klass: ClassView | None
    statements: list[str]
    """What binds the object of a shut gate, and the table of names; each where there is one."""
    decorators: list[str]
    header: str
    doc: str
    gate: str
    made: str
    off: str


def span(context: Context, declared: Span) -> SpanView:
    """Return one span."""
    bases = _bases(context, declared)
    shown = methods(context, declared)
    fields = _fields(context, declared)
    klass, made = None, bases[0]
    if shown or fields or len(bases) > 1:
        made = declared.class_name if shown else f"_{declared.class_name}"
        klass = _class(declared, made, bases, fields, shown)
    off = f"_{declared.helper.upper()}_OFF" if shown else context.imports.base("OFF")
    table = f"_{declared.helper.upper()}_NAMES"
    statements = [_off(context, off, made)] if shown else []
    if declared.placeholder is not None:
        statements.append(_names(context, declared.placeholder, table))
    gate = context.gate(declared.group)
    required = declared.placeholder is not None or any(
        use.level == "required" for use in _early(declared)
    )
    decorators = [] if required else [layout.line(f"@{context.imports.base('opens')}({gate})")]
    if mark := decorator(context, declared.spec.deprecated):
        decorators.append(mark)
    condition, used = _gated(context, declared, gate)
    return SpanView(
        klass=klass,
        statements=statements,
        decorators=decorators,
        header=_header(context, declared, made if shown else context.imports.base("Span")),
        doc=function_doc(context, declared, _early(declared)),
        gate=condition,
        made=layout.rendered(
            _call(context, declared, made, used, table), indent=8, before="return "
        ),
        off=off,
    )


def _gated(context: Context, declared: Span, gate: str) -> tuple[str, str]:
    """Return what is asked before anything is made, and the group that the span then is of."""
    switch = "timed" if declared.duration is not None else "on"
    if all(target is declared.group for target in moved_to(context.registry)):
        return f"{gate}.{switch}", gate
    first = "timed" if declared.duration is not None else "reached"
    used = "group"
    taken = {use.param for use in _early(declared)}
    if declared.placeholder is not None:
        taken.add(declared.placeholder.param)
    while used in taken:
        used += "_"
    moved = context.imports.base("moved")
    return f"{gate}.{first} and ({used} := {moved}({gate})).{switch}", used


def _early(declared: Span) -> list[Use]:
    return ordered(use for use in declared.attributes if not use.late)


def _optional(use: Use) -> bool:
    return use.level != "required"


def _bases(context: Context, declared: Span) -> list[str]:
    names = ["Linking"] if declared.spec.links else []
    if declared.spec.announce:
        names.append("Announced")
    if declared.root is not None:
        names.append(_ROOTS[declared.root.policy])
    if declared.outcome is not None or declared.error_code is not None or declared.duration:
        names.append("Measured")
    if _counts(context, declared):
        names.append("Leaf")
    return [context.imports.base(name) for name in names or ["Span"]]


def _counts(context: Context, declared: Span) -> bool:
    """Return whether the time of a span counts towards a bucket that scopes may change."""
    return declared.bucket is not None and any(
        scope.rebucket is not None or scope.group is not None
        for topic in context.registry.topics
        for scope in topic.scopes
    )


def _fields(context: Context, declared: Span) -> list[str]:
    fields: list[str] = []
    if declared.spec.kind.value != "internal":
        fields.append(f"kind = {literal(declared.spec.kind.value)}")
    if declared.root is not None and declared.root.target is not None:
        owner = _owner(context, declared.root.target)
        fields.append(layout.rendered(owner, indent=4, before="linked_to = "))
    if declared.own_bucket and _counts(context, declared):
        fields.append("settled = True")
    if declared.outcome is not None:
        fields.append(
            layout.rendered(outcomes(context, declared.outcome), indent=4, before="outcomes = ")
        )
    if declared.error_code is not None:
        fields.append(
            layout.rendered(codes(context, declared.error_code), indent=4, before="error_codes = ")
        )
    if declared.duration is not None:
        fields.append(f"duration = {context.metric(declared.duration)}")
    return [layout.statement(one, indent=4) for one in fields]


def _owner(context: Context, name: str) -> layout.Expression:
    """Return the name of an owner; all the names that it can have where *name* is a pattern."""
    names = [
        made
        for topic in context.model.topics()
        for span in topic.spans
        if span.name == name and span.placeholder is not None
        for made in (*(made for _, made in span.placeholder.names), span.placeholder.other)
    ]
    if not names:
        return literal(name)
    items = tuple(layout.Item(literal(made)) for made in dict.fromkeys(names))
    return layout.Bracketed("(", items, ")")


def _class(
    declared: Span, name: str, bases: list[str], fields: list[str], shown: list[MethodView]
) -> ClassView:
    header = f"class {name}({', '.join(bases)}):"
    if len(header) > WIDTH:
        header = layout.exploded(f"class {name}(", bases, "):", indent=0)
    return ClassView(header=header, doc=class_doc(declared), fields=fields, methods=shown)


def _off(context: Context, target: str, made: str) -> str:
    statement = layout.call(context.imports.base("off"), made)
    final = context.imports.final()
    return layout.line(f"{target}: {final} = {layout.flat(statement)}")


def _names(context: Context, holder: Placeholder, table: str) -> str:
    rows = {literal(member.text): literal(name) for member, name in holder.names}
    rows['"_OTHER"'] = literal(holder.other)
    target = f"{table}: {context.imports.final()}[dict[str, str]] = {{"
    items = [f"{value}: {name}" for value, name in rows.items()]
    return layout.statement(layout.exploded(target, items, "}", indent=0))


def _header(context: Context, declared: Span, returns: str) -> str:
    holder = declared.placeholder
    positional: list[Parameter] = []
    if holder is not None:
        name = context.enum(holder.enum)
        kind = f"{name} | str" if holder.enum.open else name
        positional.append(Parameter(holder.param, kind))
    placed = None if holder is None else holder.attribute.key
    keywords = [
        parameter(context, use, optional=_optional(use))
        for use in _early(declared)
        if use.attribute.key != placed
    ]
    if declared.spec.links:
        kind = context.imports.typing("telewright.base", "Links")
        keywords.append(Parameter(LINKS, kind, "None"))
    return signature(declared.helper, positional, keywords, returns)


def _call(context: Context, declared: Span, made: str, gate: str, table: str) -> layout.Expression:
    holder = declared.placeholder
    name: layout.Expression = literal(shown_name(declared))
    if holder is not None:
        name = layout.call(context.imports.base("pick"), table, holder.param)
    pairs = [
        pair(context, use, optional=_optional(use), value=_placed(declared, use))
        for use in _early(declared)
    ]
    if declared.bucket is not None and context.registry.buckets is not None:
        attribute = context.registry.buckets.attribute
        pairs.insert(0, Pair(attribute, literal(declared.bucket), optional=False))
    arguments = [gate, name, dictionary(context, pairs)]
    labels = _labels(context, declared)
    if labels:
        arguments.append(dictionary(context, labels))
    opened = layout.call(made, *arguments)
    if not declared.spec.links:
        return opened
    return layout.call(context.imports.base("linked"), opened, LINKS)


def _placed(declared: Span, use: Use) -> str | None:
    """Return the placeholder's parameter where *use* is the attribute that it stands for."""
    holder = declared.placeholder
    if holder is not None and holder.attribute.key == use.attribute.key:
        return holder.param
    return None


def _labels(context: Context, declared: Span) -> list[Pair]:
    """Return what the duration metric needs to know, the outcome aside."""
    if declared.duration is None:
        return []
    given = {use.attribute.key: use for use in _early(declared)}
    labels: list[Pair] = []
    for use in declared.duration.attributes:
        key, holder = use.attribute.key, declared.placeholder
        if declared.outcome is not None and key == declared.outcome.attribute.key:
            continue
        source = given.get(key)
        if holder is not None and key == holder.attribute.key:
            labels.append(pair(context, use, optional=False, in_metric=True, value=holder.param))
        elif source is not None and not is_template(source.attribute):
            optional = _optional(source)
            labels.append(pair(context, source, optional=optional, in_metric=True))
    return labels
