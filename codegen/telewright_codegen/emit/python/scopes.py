"""Scopes and resources: functions that make sets of attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from telewright_codegen.emit.python import layout
from telewright_codegen.emit.python.declarations import decorator, deprecation
from telewright_codegen.emit.python.signature import ordered, parameter, signature
from telewright_codegen.emit.python.text import (
    code,
    docstring,
    inside,
    led,
    listed,
    literal,
    paragraphs,
    sentence,
)
from telewright_codegen.emit.python.values import dictionary, entry, pair

if TYPE_CHECKING:
    from telewright_codegen.emit.python.context import Context
    from telewright_codegen.model.signals import Attribute, Resource, Scope

_READERS: Final = {"string": "str", "int": "int", "double": "float", "boolean": "bool"}
_REACH: Final = {
    "tasks": "in tasks",
    "threads": "in threads that it is carried to",
    "processes": "in processes called",
}


class ScopeView(NamedTuple):
    """A scope."""

    propagated: list[str]
    decorator: str
    header: str
    doc: str
    traces: str
    made: str
    off: str


class ResourceView(NamedTuple):
    """A set of resource attributes."""

    decorator: str
    header: str
    doc: str
    made: str


def scope(context: Context, declared: Scope) -> ScopeView:
    """Return one scope."""
    base = context.imports.base
    uses = ordered(declared.attributes)
    pairs = [pair(context, use, optional=use.level != "required") for use in uses]
    given = [parameter(context, use, optional=use.level != "required") for use in uses]
    name = code(declared.name)
    words = _changes(context, declared)
    made = layout.call(
        base("Reclassified" if words else "Scope"), dictionary(context, pairs), **words
    )
    carried = "processes" in declared.propagates
    return ScopeView(
        propagated=[_propagated(context, use.attribute) for use in uses] if carried else [],
        decorator=decorator(context, declared.spec.deprecated),
        header=signature(declared.helper, given[:1], given[1:], base("Scope")),
        doc=docstring(
            f"Scope {name}: {inside(declared.spec.brief)}",
            [
                _effect(declared),
                *paragraphs(declared.spec.note),
                deprecation(declared.spec.deprecated),
            ],
            indent=4,
            title=f"Scope {name}.",
            brief=led(sentence(declared.spec.brief), name),
            entries=[entry(use) for use in uses],
        ),
        traces=f"{base('TRACES')}.on",
        made=layout.rendered(made, indent=8, before="return "),
        off=base("SCOPE_OFF"),
    )


def _changes(context: Context, declared: Scope) -> dict[str, layout.Expression]:
    """Return what a scope changes about the spans inside, as keywords."""
    words: dict[str, layout.Expression] = {}
    buckets = context.registry.buckets
    if declared.rebucket is not None and buckets is not None:
        said = (literal(buckets.attribute.key), literal(declared.rebucket.text))
        words["rebucket"] = f"({', '.join(said)})"
    if declared.group is not None:
        words["group"] = context.gate(declared.group)
    return words


def _effect(declared: Scope) -> str:
    """Return what a scope does to the spans inside, as a paragraph."""
    facts: list[str] = []
    if declared.attributes:
        reach = [_REACH[word] for word in declared.propagates if word in _REACH]
        where = f", {listed(reach)} too" if reach else ""
        carried = "it" if len(declared.attributes) == 1 else "them"
        facts.append(f"Every span started inside carries {carried}{where}.")
    if declared.spec.rebucket is not None:
        facts.append(
            f"Spans inside that have a bucket from their group count towards "
            f"{code(declared.spec.rebucket)} instead."
        )
    if declared.group is not None:
        facts.append(
            f"Spans of {code(declared.home.registry)} inside belong to the group "
            f"{code(declared.group.id)} instead of their own."
        )
    return " ".join(facts)


def resource(context: Context, declared: Resource) -> ResourceView:
    """Return one constructor of resource attributes."""
    kind = context.imports.base("Resource")
    uses = ordered(declared.attributes)
    pairs = [pair(context, use, optional=False) for use in uses]
    given = [parameter(context, use, optional=use.level != "required") for use in uses]
    name = f"{declared.home.registry}.{declared.name}"
    made = layout.call(kind, literal(name), dictionary(context, pairs))
    processes = listed([code(process) for process in declared.processes])
    return ResourceView(
        decorator=decorator(context, declared.spec.deprecated),
        header=signature(declared.helper, [], given, kind),
        doc=docstring(
            f"Resource {code(name)}: {inside(declared.spec.brief)}",
            [
                f"For processes of the role {processes}." if processes else "",
                *paragraphs(declared.spec.note),
                deprecation(declared.spec.deprecated),
            ],
            indent=4,
            title=f"Resource {code(name)}.",
            brief=led(sentence(declared.spec.brief), code(name)),
            entries=[entry(use) for use in uses],
        ),
        made=layout.rendered(made, indent=4, before="return "),
    )


def _propagated(context: Context, attribute: Attribute) -> str:
    reader = _READERS.get(attribute.type, "str")
    made = layout.call(context.imports.base("propagated"), attribute.constant, reader)
    return layout.rendered(made, indent=0)
