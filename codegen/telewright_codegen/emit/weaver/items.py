"""Items of the model in OpenTelemetry's second format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from telewright_codegen.otel.exchange import DEVELOPMENT, annotated, deprecation, reference

if TYPE_CHECKING:
    from collections.abc import Iterable

    from telewright_codegen.model.signals import Attribute, Event, Member, Metric, Resource, Span
    from telewright_codegen.otel.exchange import Item
    from telewright_codegen.spec.common import Spec

_INSTRUMENTS: Final = {
    "counter": "counter",
    "up_down_counter": "updowncounter",
    "gauge": "gauge",
    "histogram": "histogram",
    "observable_counter": "counter",
    "observable_up_down_counter": "updowncounter",
    "observable_gauge": "gauge",
}


def said(spec: Spec) -> Item:
    """Return what somebody wrote about an item, as plain data."""
    return spec.model_dump(mode="json", by_alias=True, exclude_unset=True)


def common(spec: Item) -> Item:
    """Return the fields that every item has there."""
    made: Item = {"brief": spec["brief"]}
    if spec.get("note"):
        made["note"] = spec["note"]
    made["stability"] = spec.get("stability") or DEVELOPMENT
    if spec.get("deprecated"):
        made["deprecated"] = deprecation(spec["deprecated"])
    return made


def attribute(one: Attribute) -> Item:
    """Return the declaration of an attribute."""
    spec = said(one.spec)
    made: Item = {"key": one.key, "type": one.type, **common(spec)}
    if one.enum is not None:
        made["type"] = {"members": [_member(member) for member in one.enum.members]}
    if spec.get("examples"):
        made["examples"] = spec["examples"]
    return annotated(made, spec, "attributes")


def _member(member: Member) -> Item:
    made: Item = {"id": member.name, "value": member.value, "brief": member.brief}
    spec = member.spec
    if spec is not None and spec.note:
        made["note"] = spec.note
    made["stability"] = DEVELOPMENT
    if spec is not None and spec.deprecated is not None:
        made["deprecated"] = deprecation(said(spec.deprecated))
    return made


def metric(one: Metric) -> Item:
    """Return a metric."""
    spec = said(one.spec)
    made: Item = {
        "name": one.name,
        "instrument": _INSTRUMENTS[one.kind],
        "unit": one.unit,
        **_signal(spec),
        "annotations": {"code_generation": {"metric_value_type": one.value}},
    }
    return annotated(made, spec, "metrics")


def span(one: Span) -> Item:
    """Return a type of span, which is called after its helper: names may be patterns."""
    spec = said(one.spec)
    made: Item = {
        "type": f"{one.home.registry}.{one.home.topic}.{one.helper}",
        "kind": one.spec.kind.value,
        "name": {"note": one.name},
        **_signal(spec),
    }
    return annotated(made, spec, "spans")


def event(one: Event) -> Item:
    """Return an event."""
    spec = said(one.spec)
    return annotated({"name": one.name, **_signal(spec)}, spec, "events")


def resource(one: Resource) -> Item:
    """Return a named set of resource attributes as an entity, told apart by what is required."""
    spec = said(one.spec)
    found = _references(spec)
    identity = [item for item in found if item["requirement_level"] == "required"]
    made: Item = {
        "type": f"{one.home.registry}.{one.name}",
        **common(spec),
        "identity": identity,
        "description": [item for item in found if item not in identity],
    }
    return annotated(made, spec, "resources")


def group(name: str, spec: Item, section: str, keys: Iterable[str]) -> Item:
    """Return the group of attributes that stands for a topic, or for a registry."""
    made: Item = {"id": name, "visibility": "public", **common(spec)}
    references = [{"ref": key} for key in keys]
    if references:
        made["attributes"] = references
    return annotated(made, spec, section)


def _signal(spec: Item) -> Item:
    made = common(spec)
    references = _references(spec)
    return made | {"attributes": references} if references else made


def _references(spec: Item) -> list[Item]:
    needed = cast("dict[str, Any]", spec.get("attributes") or {})
    return [reference(key, level) for key, level in needed.items()]
