"""Ways through a registry that several rules take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.lint.rule import Item
    from telewright_codegen.model.registry import Registry
    from telewright_codegen.model.signals import Attribute, Metric, Span
    from telewright_codegen.source import Place

Kind = Literal["attribute", "metric", "event", "span"]


class Named(NamedTuple):
    """Something that is exported under a name."""

    kind: Kind
    name: str
    item: Item
    field: str
    """The field that holds the name."""

    @property
    def place(self) -> Place:
        """Where it is named."""
        return self.item.at.value(self.field)


def attributes(registry: Registry) -> Iterator[Attribute]:
    """Yield the attributes that a registry declares."""
    for topic in registry.topics:
        yield from topic.attributes


def spans(registry: Registry) -> Iterator[Span]:
    """Yield the spans that a registry declares."""
    for topic in registry.topics:
        yield from topic.spans


def metrics(registry: Registry) -> Iterator[Metric]:
    """Yield the metrics that a registry declares."""
    for topic in registry.topics:
        yield from topic.metrics


def declared(registry: Registry) -> Iterator[Named]:
    """Yield everything that a registry gives a name of its own."""
    for topic in registry.topics:
        for attribute in topic.attributes:
            yield Named("attribute", attribute.key, attribute, "id")
        for span in topic.spans:
            yield Named("span", span.name, span, "name")
        for metric in topic.metrics:
            yield Named("metric", metric.name, metric, metric.kind)
        for event in topic.events:
            yield Named("event", event.name, event, "name")
