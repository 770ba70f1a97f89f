"""The model as a reader walks it: where each thing stands, and what leads to what."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple

from telewright_codegen.emit.markdown import inert
from telewright_codegen.model.signals import (
    Attribute,
    Enum,
    Event,
    Group,
    Metric,
    Preset,
    Scope,
    Span,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telewright_codegen.emit.emitter import Target
    from telewright_codegen.model.registry import Model, Registry, Topic
    from telewright_codegen.model.signals import Home

INDEX: Final = "README.md"
ALL_SPANS: Final = "all-spans.md"
ALL_METRICS: Final = "all-metrics.md"
ALL_ATTRIBUTES: Final = "all-attributes.md"

_NOT_IN_SLUG: Final = re.compile(r"[^\w\- ]")
_PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}")


Item = Span | Metric | Attribute | Enum | Group | Preset | Scope | Event
"""What can be linked to."""


def slug(title: str) -> str:
    """Return the anchor that renderers make of a heading."""
    return _NOT_IN_SLUG.sub("", title.lower()).strip().replace(" ", "-")


def shown(span: Span) -> str:
    """Return a span's name with its placeholder named as its parameter: ``rl.{algorithm}.step``."""
    if span.placeholder is None:
        return span.name
    return _PLACEHOLDER.sub(f"{{{span.placeholder.param}}}", span.name)


class Placed(NamedTuple):
    """Something with a heading of its own."""

    page: str
    anchor: str


class Book:
    """All pages of one output, before any is written."""

    def __init__(self, model: Model, target: Target) -> None:
        self.model = model
        self.target = target
        self.registries: tuple[Registry, ...] = tuple(
            registry for registry in model.registries if registry.name in target.registries
        )
        self.many = len(target.registries) > 1
        self._presets = _presets(model)
        self._spans = _spans(model)
        self._parents = {_identity(span): tuple(self._above(span)) for span in self._every()}
        self._children = self._below()
        self._titles: dict[tuple[object, ...], str] = {}
        self._placed = dict(self._place())

    def page(self, home: Home) -> str:
        """Return the path of a topic's page; empty where it is not in this book."""
        if home.registry not in self.target.registries:
            return ""
        return self.registry_page(home.registry, f"{home.topic}.md")

    def registry_page(self, registry: str, name: str = INDEX) -> str:
        """Return the path of a page of a registry; empty where it is not in this book."""
        if registry not in self.target.registries:
            return ""
        return f"{registry}/{name}" if self.many else name

    def to(self, item: Item, here: str) -> str:
        """Return a link to *item* from the page *here*; its bare name where it is in no page."""
        placed = self._placed.get(_identity(item))
        words = self.title(item) if isinstance(item, Span) else inert.code(name_of(item))
        if placed is None:
            return words
        return inert.link(words, self.path(placed.page, here, placed.anchor))

    def path(self, page: str, here: str, anchor: str = "") -> str:
        """Return what a link on *here* says to lead to *page*."""
        if not page:
            return ""
        where = "" if page == here else posixpath.relpath(page, posixpath.dirname(here) or ".")
        return f"{where}#{anchor}" if anchor else where or posixpath.basename(page)

    def title(self, item: Span) -> str:
        """Return what a span is called: its name, and its helper where two share the name."""
        return self._titles.get(_identity(item)) or inert.code(shown(item))

    def presets(self, group: Group) -> tuple[Preset, ...]:
        """Return the presets that switch *group* on."""
        return self._presets.get(group.id, ())

    def span(self, name: str) -> Span | None:
        """Return the span called *name* in its spec."""
        found = self._spans.get(name)
        return found[0] if found else None

    def spans(self, registry: Registry) -> Iterator[Span]:
        """Yield the spans of a registry, topic by topic."""
        for topic in registry.topics:
            yield from topic.spans

    def children(self, span: Span) -> tuple[Span, ...]:
        """Return the spans that name *span* as a parent."""
        return tuple(self._children.get(_identity(span), ()))

    def parents(self, span: Span) -> tuple[Span, ...]:
        """Return the spans that *span* is a child of."""
        return self._parents.get(_identity(span), ())

    def linked(self, owner: Span) -> tuple[Span, ...]:
        """Return the spans whose traces are linked to *owner*."""
        return tuple(
            span
            for span in self._every()
            if span.root is not None and span.root.target == owner.name
        )

    def timed(self, metric: Metric) -> tuple[Span, ...]:
        """Return the spans whose duration *metric* takes."""
        return tuple(
            span
            for span in self._every()
            if span.duration is not None and span.duration.name == metric.name
        )

    def _every(self) -> Iterator[Span]:
        for topic in self.model.topics():
            yield from topic.spans

    def _above(self, span: Span) -> Iterator[Span]:
        """Yield the parents: a helper of the same topic before a name, which two may share."""
        said = span.spec.parent or []
        helpers = {one.helper: one for one in self._every() if one.home == span.home}
        for name in [said] if isinstance(said, str) else said:
            if name in helpers:
                yield helpers[name]
            else:
                yield from self._spans.get(name, ())[:1]

    def _below(self) -> dict[tuple[object, ...], list[Span]]:
        found: dict[tuple[object, ...], list[Span]] = defaultdict(list)
        for span in self._every():
            for parent in self.parents(span):
                found[_identity(parent)].append(span)
        return found

    def _place(self) -> Iterator[tuple[tuple[object, ...], Placed]]:
        for registry in self.registries:
            index = self.registry_page(registry.name)
            switches: tuple[Group | Preset, ...] = (*registry.groups, *registry.presets)
            for switch in switches:
                yield _identity(switch), Placed(index, slug(f"{kind_of(switch)} {switch.id}"))
            for topic in registry.topics:
                page = self.registry_page(registry.name, f"{topic.module}.md")
                yield from self._place_topic(topic, page)

    def _place_topic(self, topic: Topic, page: str) -> Iterator[tuple[tuple[object, ...], Placed]]:
        taken: set[str] = set()
        for span in topic.spans:
            title = f"span {shown(span)}"
            if slug(title) in taken:
                title = f"{title} as {span.helper}"
                self._titles[_identity(span)] = (
                    f"{inert.code(shown(span))} as {inert.code(span.helper)}"
                )
            taken.add(slug(title))
            yield _identity(span), Placed(page, slug(title))
        items: tuple[Metric | Enum | Scope | Event, ...] = (
            *topic.metrics,
            *topic.enums,
            *topic.scopes,
            *topic.events,
        )
        for item in items:
            yield _identity(item), Placed(page, slug(f"{kind_of(item)} {item.name}"))
        for attribute in topic.attributes:
            yield _identity(attribute), Placed(page, attribute.key)


def kind_of(item: Item) -> str:
    """Return the word before the name of *item* in its heading."""
    return type(item).__name__.lower()


def name_of(item: Item) -> str:
    """Return what a link to *item* says."""
    match item:
        case Attribute():
            return item.key
        case Group():
            return item.id
        case Span():
            return shown(item)
        case _:
            return item.name


def _identity(item: Item) -> tuple[object, ...]:
    match item:
        case Attribute():
            return ("attribute", item.key)
        case Group() | Preset():
            return (kind_of(item), item.id)
        case Span():
            return ("span", item.home, item.helper)
        case _:
            return (kind_of(item), item.home, item.name)


def _presets(model: Model) -> dict[str, tuple[Preset, ...]]:
    found: dict[str, list[Preset]] = defaultdict(list)
    for registry in model.registries:
        for preset in registry.presets:
            for group in preset.groups:
                found[group.id].append(preset)
    return {name: tuple(presets) for name, presets in found.items()}


def _spans(model: Model) -> dict[str, tuple[Span, ...]]:
    found: dict[str, list[Span]] = defaultdict(list)
    for topic in model.topics():
        for span in topic.spans:
            found[span.name].append(span)
    return {name: tuple(spans) for name, spans in found.items()}


def unique(words: Iterable[str]) -> tuple[str, ...]:
    """Return *words* without repetitions, in their order."""
    return tuple(dict.fromkeys(words))
