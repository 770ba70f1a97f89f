"""Spans, metrics and everything else of a topic, as items."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from telewright_codegen.describe.item import Item, Value, derived, inherit, own
from telewright_codegen.describe.parts import counted_once, enum_fields, members, uses
from telewright_codegen.emit import prometheus

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from telewright_codegen.describe.item import Json
    from telewright_codegen.model.registry import Model, Registry, Topic
    from telewright_codegen.model.signals import (
        Attribute,
        Enum,
        Event,
        Instrumentation,
        Metric,
        Resource,
        Scope,
        Setting,
        Span,
    )
    from telewright_codegen.source import At
    from telewright_codegen.spec.common import ItemSpec


class TopicItems:
    """What one topic declares."""

    def __init__(
        self, topic: Topic, registry: Registry, packages: Mapping[str, str], model: Model
    ) -> None:
        self._model = model
        self._topic = topic
        self._registry = registry
        self._packages = packages
        self._module = self.module(topic.registry, topic.module)
        self._above = (
            (f"topic {registry.name}.{topic.name}", topic.spec, topic.at),
            (f"registry {registry.name}", registry.spec, registry.at),
        )

    def module(self, registry: str, module: str) -> str:
        """Return what a module is imported as."""
        return f"{self._packages.get(registry, f'telewright.{registry}')}.{module}"

    def all(self) -> Iterator[Item]:
        """Yield every item, the topic itself first."""
        topic = self._topic
        yield self._itself()
        yield from map(self._attribute, topic.attributes)
        yield from map(self._enum, topic.enums)
        yield from map(self._span, topic.spans)
        yield from map(self._metric, topic.metrics)
        yield from map(self._scope, topic.scopes)
        yield from map(self._event, topic.events)
        yield from map(self._resource, topic.resources)
        yield from map(self._setting, topic.settings)
        yield from map(self._instrumentation, topic.instrumentations)

    def _itself(self) -> Item:
        topic = self._topic
        lists = ("attributes", "enums", "spans", "metrics", "events", "scopes", "resources")
        fields = own(
            topic.spec, topic.at, without=("topic", "settings", "instrumentations", *lists)
        )
        if topic.group is not None:
            fields["group"] = Value(topic.group.id, "own", str(topic.at.value("group")))
        return Item(
            "topic",
            topic.registry,
            topic.name,
            str(topic.at.value("topic")),
            (f"{topic.registry}.{topic.name}", f"{topic.registry}/{topic.name}"),
            python={"module": self._module},
            fields=inherit(fields, self._above[1]),
        )

    def _item(  # noqa: PLR0913  one for each part of an item
        self,
        kind: str,
        name: str,
        spec: ItemSpec,
        at: At,
        helper: str | None,
        *,
        named: str = "name",
        aliases: tuple[str, ...] = (),
        constant: str | None = None,
        resolved: Mapping[str, Value | None],
    ) -> Item:
        fields = own(spec, at, without=(named,))
        fields |= {word: value for word, value in resolved.items() if value is not None}
        qualified = None if helper is None else {"module": self._module, "name": helper}
        return Item(
            kind,
            self._topic.registry,
            name,
            str(at.value(named)),
            aliases,
            self._topic.name,
            cast("dict[str, Json] | None", qualified),
            constant,
            inherit(fields, *self._above),
        )

    def _attribute(self, one: Attribute) -> Item:
        sensitivity = (
            derived(one.sensitivity.value, "its type") if one.spec.sensitivity is None else None
        )
        return self._item(
            "attribute",
            one.key,
            one.spec,
            one.at,
            one.constant,
            named="id",
            constant=one.constant,
            resolved={
                "type": None if one.spec.type else derived(one.type, "its enum"),
                "enum": None if one.enum is None else self._named_enum(one),
                "members": None if one.enum is None else derived(members(one.enum), "its enum"),
                "sensitivity": sensitivity,
                "redact": None if one.spec.redact else derived(one.redact, "its sensitivity"),
            },
        )

    def _named_enum(self, one: Attribute) -> Value:
        enum = one.enum
        registry = self._topic.registry
        if enum is None or enum.home.registry == registry:
            name = "" if enum is None else enum.name
        else:
            name = f"{enum.home.registry}.{enum.home.topic}.{enum.name}"
        return Value(name, "own", str(one.at.value("enum")))

    def _enum(self, one: Enum) -> Item:
        roles = {"overflow": one.overflow, "ok": one.ok, "error": one.error}
        roles["cancelled"] = one.cancelled
        said = {
            word: derived(member.name, "a member of that name")
            for word, member in roles.items()
            if member is not None and getattr(one.spec, word) is None
        }
        is_own = hasattr(one.spec, "enum") and not hasattr(one.spec, "id")
        fields = own(one.spec, one.at) if is_own else enum_fields(one)
        fields.pop("enum", None)
        fields |= {"members": derived(members(one), "declared"), **said}
        return Item(
            "enum",
            one.home.registry,
            one.name,
            str(one.at.value("enum")),
            (f"{one.home.registry}.{one.home.topic}.{one.name}",),
            one.home.topic,
            {"module": self._module, "name": one.name},
            fields=inherit(fields, *self._above),
        )

    def _span(self, one: Span) -> Item:
        names = [] if one.placeholder is None else _names(one)
        parents: list[Json] = [
            name for parent in self._model.parents(one) for name in _names(parent)
        ]
        pattern = one.placeholder
        item = self._item(
            "span",
            one.name,
            one.spec,
            one.at,
            one.helper,
            aliases=tuple(names),
            resolved={
                "group": self._group(one),
                "names": derived(list(names), "its pattern") if names else None,
                "other": derived(pattern.other, "its pattern") if pattern else None,
                "parameter": derived(pattern.param, "its pattern") if pattern else None,
                "processes": derived(list(one.processes), "its process") if one.processes else None,
                "parents": derived(parents, "its parent") if parents else None,
                "presets": self._presets(one),
                **uses(one.attributes, one.at),
            },
        )
        self._from_group(one, item.fields)
        if one.outcome is not None:
            cancelled = one.outcome.cancelled or one.outcome.error
            endings: dict[str, Json] = {
                "ok": one.outcome.ok.value,
                "error": one.outcome.error.value,
                "cancelled": cancelled.value,
            }
            item.fields["outcome_members"] = derived(endings, f"enum {one.outcome.enum.name}")
        return item

    def _group(self, one: Span) -> Value:
        if one.spec.group is not None:
            return Value(one.group.id, "own", str(one.at.value("group")))
        place = str(self._topic.at.value("group"))
        return Value(one.group.id, "inherited", place, self._above[0][0])

    def _from_group(self, one: Span, fields: dict[str, Value]) -> None:
        group = f"group {one.group.id}"
        if one.spec.cardinality is None and one.cardinality is not None:
            place = str(one.group.at.value("cardinality"))
            fields["cardinality"] = Value(one.cardinality.value, "inherited", place, group)
        if one.spec.bucket is None and one.bucket is not None:
            fields["bucket"] = Value(one.bucket, "inherited", str(one.group.at.key()), group)

    def _presets(self, one: Span) -> Value | None:
        found: list[Json] = [
            preset.name for preset in self._registry.presets if one.group in preset.groups
        ]
        return derived(found, f"group {one.group.id}") if found else None

    def _metric(self, one: Metric) -> Item:
        once: list[Json] = [counted_once(once) for once in one.once_per]
        name = prometheus.metric_name(one.name, kind=one.kind, unit=one.unit)
        return self._item(
            "metric",
            one.name,
            one.spec,
            one.at,
            one.helper,
            named=one.kind,
            resolved={
                "kind": derived(one.kind, "the field that names it"),
                "value": None if one.spec.value else derived(one.value, "its kind"),
                "boundaries": self._boundaries(one),
                "once_per": derived(once) if once else None,
                "prometheus": derived(name, "name, kind, unit"),
                **uses(one.attributes, one.at),
            },
        )

    def _boundaries(self, one: Metric) -> Value | None:
        if one.boundaries is None:
            return None
        numbers: list[Json] = [*one.boundaries]
        said = one.spec.boundaries
        if not isinstance(said, str):
            return Value(numbers, "own", str(one.at.value("boundaries")))
        return Value(numbers, "inherited", str(one.at.value("boundaries")), f"boundaries {said}")

    def _scope(self, one: Scope) -> Item:
        return self._item(
            "scope",
            one.name,
            one.spec,
            one.at,
            one.helper,
            resolved={"group": _own_group(one), **uses(one.attributes, one.at)},
        )

    def _event(self, one: Event) -> Item:
        found = uses(one.attributes, one.at)
        item = self._item("event", one.name, one.spec, one.at, None, resolved=found)
        return replace(item, python=self._method(one))

    def _method(self, one: Event) -> dict[str, Json] | None:
        """Return what records an event: a function, or a method of the first span that has it."""
        if one.spec.on == "log":
            home = self._model.registry(one.home.registry).topic(one.home.topic)
            module = self.module(home.registry, home.module)
            return {"module": module, "name": one.helper}
        for topic in self._registry.topics:
            for span in topic.spans:
                if one in span.events:
                    module = self.module(topic.registry, topic.module)
                    return {"module": module, "name": f"{span.class_name}.{one.helper}"}
        return None

    def _resource(self, one: Resource) -> Item:
        processes = derived(list(one.processes), "its process") if one.processes else None
        return self._item(
            "resource",
            one.name,
            one.spec,
            one.at,
            one.helper,
            resolved={"processes": processes, **uses(one.attributes, one.at)},
        )

    def _setting(self, one: Setting) -> Item:
        env = derived(list(one.env), "its env") if one.env else None
        return self._item(
            "setting", one.name, one.spec, one.at, None, aliases=one.env, resolved={"env": env}
        )

    def _instrumentation(self, one: Instrumentation) -> Item:
        return self._item(
            "instrumentation",
            one.package,
            one.spec,
            one.at,
            None,
            named="package",
            resolved={"group": _own_group(one), **uses(one.attributes, one.at)},
        )


def _names(one: Span) -> list[str]:
    """Return the names that a span is exported under, those of a pattern one by one."""
    return [one.name] if one.placeholder is None else [name for _, name in one.placeholder.names]


def _own_group(one: Scope | Instrumentation) -> Value | None:
    if one.group is None:
        return None
    return Value(one.group.id, "own", str(one.at.value("group")))
