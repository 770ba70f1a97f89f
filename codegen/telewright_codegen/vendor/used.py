"""Which attributes a spec names, and which it declares."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from telewright_codegen.spec.registry import RegistrySpec
from telewright_codegen.spec.topic import TopicSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telewright_codegen.spec.common import OneOrMore
    from telewright_codegen.spec.metric import MetricSpec

_PLACEHOLDER: Final = re.compile(r"\{([^{}]+)\}")


def foreign_names(specs: Iterable[object]) -> set[str]:
    """Return the attribute keys that *specs* name and none of them declares.

    What is neither a registry nor a topic of ours is passed over.
    """
    named: set[str] = set()
    declared: set[str] = set()
    for spec in specs:
        if isinstance(spec, TopicSpec):
            declared.update(attribute.id for attribute in spec.attributes)
            named.update(_named(spec))
        elif isinstance(spec, RegistrySpec):
            named.update(one.constant for one in spec.invariants if one.constant is not None)
            named.update(() if spec.bucket is None else (spec.bucket.attribute,))
    return named - declared


def _named(topic: TopicSpec) -> Iterator[str]:
    for event in topic.events:
        yield from event.attributes
    for scope in topic.scopes:
        yield from scope.attributes
    for resource in topic.resources:
        yield from resource.attributes
    for instrumentation in topic.instrumentations:
        yield from instrumentation.attributes
    for instrumentation in topic.instrumentations:
        yield from instrumentation.attributes
    for span in topic.spans:
        yield from span.attributes
        yield from _PLACEHOLDER.findall(span.name)
        yield from filter(None, (span.outcome, span.error_code))
    for metric in topic.metrics:
        yield from metric.attributes
        yield from _counted_by(metric)
        if metric.source is not None and not isinstance(metric.source, str):
            yield from metric.source.labels.values()


def _counted_by(metric: MetricSpec) -> Iterator[str]:
    if isinstance(metric.once_per, dict):
        for names in metric.once_per.values():
            yield from _each(names)
    elif metric.once_per is not None:
        yield from _each(metric.once_per)


def _each(names: OneOrMore) -> Iterable[str]:
    return [names] if isinstance(names, str) else names
