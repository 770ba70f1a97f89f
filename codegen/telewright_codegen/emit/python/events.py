"""Events that are log records: functions of their topic's module."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from telewright_codegen.emit.python import layout
from telewright_codegen.emit.python.declarations import decorator, deprecation
from telewright_codegen.emit.python.signature import ordered, parameter, signature
from telewright_codegen.emit.python.text import (
    code,
    docstring,
    inside,
    led,
    literal,
    paragraphs,
    sentence,
)
from telewright_codegen.emit.python.values import dictionary, entry, pair

if TYPE_CHECKING:
    from telewright_codegen.emit.python.context import Context
    from telewright_codegen.model.registry import Topic
    from telewright_codegen.model.signals import Event


class EventView(NamedTuple):
    """An event that is a log record."""

    decorator: str
    header: str
    doc: str
    gate: str
    made: str


def logged(topic: Topic) -> list[Event]:
    """Return the events of *topic* that are log records."""
    return [event for event in topic.events if event.spec.on == "log"]


def event(context: Context, declared: Event) -> EventView:
    """Return one event."""
    base = context.imports.base
    uses = ordered(declared.attributes)
    keywords = [parameter(context, use, optional=use.level != "required") for use in uses]
    pairs = [pair(context, use, optional=use.level != "required") for use in uses]
    registry = context.imports.name(context.groups(), "REGISTRY")
    made = layout.call(
        base("log_event"), registry, literal(declared.name), dictionary(context, pairs)
    )
    title = f"Log the event {code(declared.name)}"
    return EventView(
        decorator=decorator(context, declared.spec.deprecated),
        header=signature(declared.helper, [], keywords, "None"),
        doc=docstring(
            f"{title}: {inside(declared.spec.brief)}",
            [*paragraphs(declared.spec.note), deprecation(declared.spec.deprecated)],
            indent=4,
            title=f"{title}.",
            brief=led(sentence(declared.spec.brief), code(declared.name)),
            entries=[entry(use) for use in uses],
        ),
        gate=f"{base('LOGS')}.on",
        made=layout.rendered(made, indent=8),
    )
