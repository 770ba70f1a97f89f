"""The data beside a generated package: what tools read while a program runs, instead of YAML.

``docs/reference/registry-data.md`` describes it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, ClassVar, Final

from telewright_codegen.emit.emitter import Artifact

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telewright_codegen.emit.emitter import Target
    from telewright_codegen.model.registry import Model, Registry, Topic
    from telewright_codegen.model.signals import (
        Attribute,
        Event,
        Group,
        Instrumentation,
        Metric,
        Resource,
        Scope,
        Span,
        Use,
    )
    from telewright_codegen.spec.common import ItemSpec

    Data = dict[str, object]
    Carrier = Span | Metric | Event | Scope | Resource | Instrumentation

FILE: Final = "_registry.json"
"""The name of the file."""


class RegistryJsonEmitter:
    """Writes the data alone, for packages whose code is generated elsewhere."""

    name: ClassVar[str] = "json"

    def emit(self, model: Model, target: Target, /) -> Iterator[Artifact]:
        """Yield one file for each registry."""
        from pathlib import PurePosixPath  # noqa: PLC0415  the rest of this module needs no paths

        several = len(target.registries) > 1
        for name in target.registries:
            made = text(model.registry(name), target)
            yield Artifact(PurePosixPath(name if several else "") / FILE, made)


def text(registry: Registry, target: Target) -> str:
    """Return the file of one registry."""
    made = data(registry, target)
    return json.dumps(made, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def data(registry: Registry, target: Target) -> Data:
    """Return what the file of one registry holds."""
    topics = registry.topics
    package = target.packages.get(registry.name, f"telewright.{registry.name}")
    scopes = [one for topic in topics for one in topic.scopes]
    attributes = {one.key: one for topic in topics for one in topic.attributes}
    for one in _sent(topics):
        attributes.setdefault(one.key, one)
    return {
        "registry": registry.name,
        "version": registry.version,
        "package": package,
        "schema_url": registry.spec.schema_url,
        "brief": registry.spec.brief,
        "uses": list(registry.uses),
        "processes": {
            name: {"brief": one.brief, "instances": one.instances}
            for name, one in registry.spec.processes.items()
        },
        "attributes": {key: _attribute(one) for key, one in attributes.items()},
        "carried": {
            use.attribute.key: _type(use.attribute)
            for scope in scopes
            if "processes" in scope.propagates
            for use in scope.attributes
        },
        "groups": {one.name: _group(one) for one in registry.groups},
        "presets": {one.name: [group.name for group in one.groups] for one in registry.presets},
        "spans": {
            name: _span(one, package, topic)
            for topic in topics
            for one in topic.spans
            for name in _span_names(one)
        },
        "metrics": {
            one.name: _metric(one, package, topic) for topic in topics for one in topic.metrics
        },
        "events": {one.name: _event(one) for topic in topics for one in topic.events},
        "scopes": {one.name: _scope(one) for one in scopes},
        "resources": {one.name: _resource(one) for topic in topics for one in topic.resources},
        "settings": {
            one.name: _without_none(one.spec.model_dump(mode="json"), "name")
            for topic in topics
            for one in topic.settings
        },
        "instrumentations": {
            one.package: {
                "brief": one.spec.brief,
                "group": None if one.group is None else one.group.name,
                "spans": list(one.spec.spans),
                "attributes": _levels(one.attributes),
            }
            for topic in topics
            for one in topic.instrumentations
        },
        "invariants": [
            one.model_dump(mode="json", exclude_none=True) for one in registry.spec.invariants
        ],
    }


def _sent(topics: Iterable[Topic]) -> Iterator[Attribute]:
    """Yield every attribute that signals of *topics* may carry."""
    for topic in topics:
        for span in topic.spans:
            yield from (use.attribute for event in span.events for use in event.attributes)
            if span.outcome is not None:
                yield span.outcome.attribute
            if span.error_code is not None:
                yield span.error_code
            if span.duration is not None:
                yield from (use.attribute for use in span.duration.attributes)
        carriers: tuple[Carrier, ...] = (
            *topic.spans,
            *topic.metrics,
            *topic.events,
            *topic.scopes,
            *topic.resources,
            *topic.instrumentations,
        )
        for one in carriers:
            yield from (use.attribute for use in one.attributes)


def _type(attribute: Attribute) -> str:
    return "enum" if attribute.enum is not None else attribute.type


def _attribute(attribute: Attribute) -> Data:
    spec, enum = attribute.spec, attribute.enum
    made: Data = {"type": _type(attribute), "brief": spec.brief}
    if enum is not None:
        made["enum"] = enum.name
        made["members"] = list(dict.fromkeys(member.value for member in enum.members))
        made["open"] = enum.open
        if enum.overflow is not None:
            made["overflow"] = enum.overflow.value
    made["sensitivity"] = attribute.sensitivity.value
    if isinstance(attribute.redact, int):
        made["redact"] = {"truncate": attribute.redact}
    elif attribute.redact != "keep":
        made["redact"] = attribute.redact
    if spec.in_metrics == "never":
        made["in_metrics"] = "never"
    optional: Data = {
        "level": spec.level,
        "unit": spec.unit,
        "max_values": spec.max_values,
        "join_key": spec.join_key or None,
        "keys": spec.keys,
    }
    return {**made, **_without_none(optional), **_common(spec)}


def _common(spec: ItemSpec) -> Data:
    """Return what says how far an item can be relied on."""
    deprecated = spec.deprecated
    return _without_none(
        {
            "stability": None if spec.stability is None else spec.stability.value,
            "since": spec.since,
            "deprecated": None
            if deprecated is None
            else deprecated.model_dump(mode="json", exclude_none=True),
        }
    )


def _without_none(fields: Data, *leave_out: str) -> Data:
    return {
        key: value
        for key, value in fields.items()
        if value not in (None, {}, []) and key not in leave_out
    }


def _levels(uses: Iterable[Use]) -> dict[str, str]:
    return {use.attribute.key: use.level for use in uses}


def _late(uses: Iterable[Use]) -> list[str] | None:
    return [use.attribute.key for use in uses if use.late] or None


def _group(group: Group) -> Data:
    fields: Data = {
        "brief": group.spec.brief,
        "cardinality": None if group.cardinality is None else group.cardinality.value,
        "umbrella": group.spec.umbrella or None,
        "bucket": group.spec.bucket,
    }
    return {**_without_none(fields), **_common(group.spec)}


def _span_names(span: Span) -> list[str]:
    if span.placeholder is None:
        return [span.name]
    names = [name for _, name in span.placeholder.names]
    return [*dict.fromkeys(names), span.placeholder.other]


def _span(span: Span, package: str, topic: Topic) -> Data:
    spec = span.spec
    fields: Data = {
        "brief": spec.brief,
        "group": span.group.name,
        "helper": f"{package}.{topic.module}.{span.helper}",
        "kind": spec.kind.value,
        "pattern": span.name if span.placeholder is not None else None,
        "attributes": _levels(span.attributes),
        "at_end": _late(span.attributes),
        "events": [event.name for event in span.events],
        "outcome": None if span.outcome is None else span.outcome.attribute.key,
        "error_code": None if span.error_code is None else span.error_code.key,
        "duration": None if span.duration is None else span.duration.name,
        "root": None if span.root is None else span.root.target or span.root.policy,
        "parents": list(span.parents),
        "processes": list(span.processes),
        "requires_scope": list(span.scopes),
        "cardinality": None if span.cardinality is None else span.cardinality.value,
        "bucket": span.bucket,
        "max_per_parent": spec.max_per_parent,
        "overlaps": spec.overlaps or None,
        "slow_after": spec.slow_after,
        "announce": spec.announce or None,
        "links": list(spec.links),
    }
    return {"attributes": {}, **_without_none(fields), **_common(spec)}


def _metric(metric: Metric, package: str, topic: Topic) -> Data:
    spec = metric.spec
    once = [
        {
            "member": None if one.member is None else one.member.value,
            "ids": [use.attribute.key for use in one.ids],
        }
        for one in metric.once_per
    ]
    fields: Data = {
        "brief": spec.brief,
        "kind": metric.kind,
        "helper": f"{package}.{topic.module}.{metric.helper}",
        "unit": metric.unit,
        "value": metric.value,
        "boundaries": None if metric.boundaries is None else list(metric.boundaries),
        "attributes": _levels(metric.attributes),
        "once_per": once,
        "writer": spec.writer,
        "window": spec.window,
        "measurement": spec.measurement,
        "aggregation": spec.aggregation,
        "max_series": spec.max_series,
        "source": spec.model_dump(mode="json", exclude_none=True).get("source"),
    }
    return {"attributes": {}, **_without_none(fields), **_common(spec)}


def _event(event: Event) -> Data:
    return {
        "brief": event.spec.brief,
        "on": event.spec.on,
        "attributes": _levels(event.attributes),
        **_common(event.spec),
    }


def _scope(scope: Scope) -> Data:
    fields: Data = {
        "brief": scope.spec.brief,
        "propagates": list(scope.propagates),
        "rebucket": scope.spec.rebucket,
        "group": None if scope.group is None else scope.group.name,
    }
    return {
        "attributes": _levels(scope.attributes),
        **_without_none(fields),
        **_common(scope.spec),
    }


def _resource(resource: Resource) -> Data:
    fields: Data = {"brief": resource.spec.brief, "processes": list(resource.processes)}
    return {
        "attributes": _levels(resource.attributes),
        **_without_none(fields),
        **_common(resource.spec),
    }
