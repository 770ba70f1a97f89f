"""One topic file by itself: the registry that it would need is made up from what it says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from telewright_codegen.load.loaded import Loaded
from telewright_codegen.spec.registry import GroupSpec, ProcessSpec, RegistrySpec
from telewright_codegen.spec.topic import TopicSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telewright_codegen.spec.common import OneOrMore

_WORD: Final = re.compile(r"[a-z][a-z0-9_]{0,63}\Z").match


def implicit_registry(loaded: Iterable[Loaded]) -> list[Loaded]:
    """Return a registry for a lone topic; nothing where a registry is there already."""
    items = list(loaded)
    topics = [item for item in items if isinstance(item.spec, TopicSpec)]
    if len(items) != 1 or not topics:
        return []
    item = topics[0]
    topic = item.spec
    if not isinstance(topic, TopicSpec):
        return []
    namespaces = list(filter(_WORD, dict.fromkeys(name.split(".")[0] for name in _names(topic))))
    spec = RegistrySpec(
        registry=next(iter(namespaces), topic.topic),
        version="0",
        brief=topic.brief,
        namespaces=namespaces,
        groups={name: GroupSpec(brief=topic.brief) for name in _groups(topic)},
        processes={
            name: ProcessSpec(brief=topic.brief, instances="many") for name in _processes(topic)
        },
    )
    return [Loaded(spec, item.at, item.file)]


def _names(topic: TopicSpec) -> Iterator[str]:
    yield from (attribute.id for attribute in topic.attributes)
    yield from (span.name for span in topic.spans)
    for metric in topic.metrics:
        yield from (getattr(metric, kind) for kind in metric.instruments)
    yield from (event.name for event in topic.events)


def _groups(topic: TopicSpec) -> Iterator[str]:
    named = [topic.group]
    named += [span.group for span in topic.spans]
    named += [scope.group for scope in topic.scopes]
    named += [other.group for other in topic.instrumentations]
    yield from dict.fromkeys(name for name in named if name is not None)


def _processes(topic: TopicSpec) -> Iterator[str]:
    named = [span.process for span in topic.spans]
    named += [resource.process for resource in topic.resources]
    named += [other.process for other in topic.instrumentations]
    named += [metric.writer for metric in topic.metrics]
    yield from filter(_WORD, dict.fromkeys(name for names in named for name in _each(names)))


def _each(names: OneOrMore | None) -> list[str]:
    if names is None:
        return []
    return [names] if isinstance(names, str) else names
