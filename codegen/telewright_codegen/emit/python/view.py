"""One generated module, decided: its templates only print."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from telewright_codegen.emit.python import order
from telewright_codegen.emit.python.context import FIELDS, Context
from telewright_codegen.emit.python.declarations import (
    ConstantView,
    EnumView,
    constant,
    deprecation,
    enum,
)
from telewright_codegen.emit.python.events import EventView, event, logged
from telewright_codegen.emit.python.groups import exports
from telewright_codegen.emit.python.imports import Imports
from telewright_codegen.emit.python.methods import says_something
from telewright_codegen.emit.python.metrics import MetricView, all_params, keys, metric
from telewright_codegen.emit.python.scopes import ResourceView, ScopeView, resource, scope
from telewright_codegen.emit.python.settings import NAMES, SettingsView, settings
from telewright_codegen.emit.python.span_docs import LINKS
from telewright_codegen.emit.python.spans import SpanView, span
from telewright_codegen.emit.python.text import code, docstring, led, paragraphs, sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.emit.emitter import Target
    from telewright_codegen.model.registry import Model, Registry, Topic
    from telewright_codegen.model.signals import Attribute, Enum, Use


class ModuleView(NamedTuple):
    """A module, in the order in which it is printed."""

    source: str
    doc: str
    imports: list[list[str]]
    typing: list[list[str]]
    exports: str
    constants: list[ConstantView]
    enums: list[EnumView]
    scopes: list[ScopeView]
    resources: list[ResourceView]
    settings: SettingsView | None
    metrics: list[MetricView]
    spans: list[SpanView]
    events: list[EventView]


def module(model: Model, registry: Registry, topic: Topic, target: Target) -> ModuleView:
    """Return the module of *topic*."""
    attributes = _attributes(registry, topic)
    names = _names(topic, attributes)
    context = Context(model, registry, topic, target, Imports(names | _inner(topic)))
    if topic.group is not None:
        context.gate(topic.group)
    exported = [name for name in names if not name.startswith("_")]
    if topic.group is not None:
        exported.append("GATE")
    exported += [
        name for one in _foreign(topic, attributes) if (name := context.enum(one)) == one.name
    ]
    body = _body(context, attributes)
    return ModuleView(
        source=topic.file,
        doc=_doc(topic),
        imports=context.imports.blocks(),
        typing=context.imports.typing_blocks(),
        exports=exports(exported),
        constants=body.constants,
        enums=body.enums,
        scopes=body.scopes,
        resources=body.resources,
        settings=body.settings,
        metrics=body.metrics,
        spans=body.spans,
        events=body.events,
    )


class _Body(NamedTuple):
    """What is made before the imports are known."""

    constants: list[ConstantView]
    enums: list[EnumView]
    scopes: list[ScopeView]
    resources: list[ResourceView]
    settings: SettingsView | None
    metrics: list[MetricView]
    spans: list[SpanView]
    events: list[EventView]


def _body(context: Context, attributes: list[Attribute]) -> _Body:
    topic = context.topic
    return _Body(
        constants=[constant(context, one) for one in attributes],
        enums=[enum(context, one) for one in topic.enums],
        scopes=[scope(context, one) for one in topic.scopes],
        resources=[resource(context, one) for one in topic.resources],
        settings=settings(context, topic.settings),
        metrics=[metric(context, one) for one in topic.metrics],
        spans=[span(context, one) for one in topic.spans],
        events=[event(context, one) for one in logged(topic)],
    )


def _doc(topic: Topic) -> str:
    return docstring(
        led(sentence(topic.spec.brief), code(topic.name)),
        [*paragraphs(topic.spec.note), deprecation(topic.spec.deprecated)],
        indent=0,
        title=f"Telemetry of {code(f'{topic.registry}.{topic.name}')}.",
    )


def _attributes(registry: Registry, topic: Topic) -> list[Attribute]:
    """Return what the module has constants for: what others declare, then its own."""
    needed = {one.key: one for one in _sent(topic)}
    if registry.buckets is not None and any(span.bucket is not None for span in topic.spans):
        needed.setdefault(registry.buckets.attribute.key, registry.buckets.attribute)
    own = {one.key for one in topic.attributes}
    foreign = [one for key, one in needed.items() if key not in own]
    return [*sorted(foreign, key=lambda one: order.exported(one.constant)), *topic.attributes]


def _sent(topic: Topic) -> Iterator[Attribute]:
    """Yield the attributes that the helpers of *topic* send."""
    for one in topic.spans:
        yield from (use.attribute for use in one.attributes)
        yield from (use.attribute for event in one.events for use in event.attributes)
        if one.outcome is not None:
            yield one.outcome.attribute
        if one.error_code is not None:
            yield one.error_code
        if one.duration is not None:
            yield from _timed(one.duration.attributes)
    for declared in topic.metrics:
        yield from keys(declared)
    for scoped in topic.scopes:
        yield from (use.attribute for use in scoped.attributes)
    for made in topic.resources:
        yield from (use.attribute for use in made.attributes)
    for record in logged(topic):
        yield from (use.attribute for use in record.attributes)


def _timed(uses: tuple[Use, ...]) -> Iterator[Attribute]:
    return (use.attribute for use in uses)


def _foreign(topic: Topic, attributes: list[Attribute]) -> list[Enum]:
    """Return the enumerations of other modules that helpers of *topic* take."""
    found: dict[tuple[str, str, str], Enum] = {}
    holders = [one.placeholder.enum for one in topic.spans if one.placeholder is not None]
    for one in (*(attribute.enum for attribute in attributes), *holders):
        if one is not None and (one.home.registry, one.home.topic) != (topic.registry, topic.name):
            found.setdefault((one.home.registry, one.home.topic, one.name), one)
    return list(found.values())


def _names(topic: Topic, attributes: list[Attribute]) -> set[str]:
    """Return every name that the module defines."""
    names = {one.constant for one in attributes} | {one.name for one in topic.enums}
    for declared in topic.metrics:
        names |= {declared.helper, f"_{declared.class_name}"}
        if declared.helper in FIELDS:
            names.add(f"_{declared.helper.upper()}")
    names |= {one.helper for one in topic.scopes} | {one.helper for one in topic.resources}
    names |= {one.helper for one in logged(topic)}
    if topic.settings:
        names |= NAMES
    for one in topic.spans:
        upper = one.helper.upper()
        klass = one.class_name if says_something(one) else f"_{one.class_name}"
        names |= {one.helper, klass, f"_{upper}_OFF", f"_{upper}_NAMES"}
    return names


def _inner(topic: Topic) -> set[str]:
    """Return the names of parameters and methods, which hide those of the module."""
    names: set[str] = set()
    for declared in topic.metrics:
        names |= all_params(declared)
    for one in topic.spans:
        names |= {use.param for use in one.attributes}
        names |= {use.param for event in one.events for use in event.attributes}
        names |= {event.helper for event in one.events}
        if one.placeholder is not None:
            names.add(one.placeholder.param)
        if one.spec.links:
            names.add(LINKS)
    for scoped in topic.scopes:
        names |= {use.param for use in scoped.attributes}
    for made in topic.resources:
        names |= {use.param for use in made.attributes}
    for record in logged(topic):
        names |= {use.param for use in record.attributes}
    return names
