"""Registries and their topics, resolved."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from telewright_codegen.model.signals import (
        Attribute,
        Buckets,
        Enum,
        Event,
        Group,
        Instrumentation,
        Metric,
        Preset,
        Resource,
        Scope,
        Setting,
        Span,
    )
    from telewright_codegen.otel.conventions import Conventions
    from telewright_codegen.source import At
    from telewright_codegen.spec.registry import RegistrySpec
    from telewright_codegen.spec.topic import TopicSpec


@dataclass(frozen=True, slots=True, eq=False)
class Topic:
    """What one topic file declares: one generated module, one page."""

    registry: str
    name: str
    file: str
    """The spec file, as diagnostics and headers call it."""
    module: str
    """The Python module's own name, and its page's; `name` unless that cannot be one."""
    group: Group | None
    attributes: tuple[Attribute, ...]
    enums: tuple[Enum, ...]
    """Those of its attributes and those declared on their own, in the order of the file."""
    spans: tuple[Span, ...]
    metrics: tuple[Metric, ...]
    events: tuple[Event, ...]
    scopes: tuple[Scope, ...]
    resources: tuple[Resource, ...]
    settings: tuple[Setting, ...]
    instrumentations: tuple[Instrumentation, ...]
    spec: TopicSpec
    at: At


@dataclass(frozen=True, slots=True, eq=False)
class Registry:
    """One registry."""

    name: str
    title: str
    version: str
    folder: str
    """The folder (or the lone file) of its specs, as headers call it."""
    owned: bool
    """Whether it is checked and generated here; False where it is only used."""
    uses: tuple[str, ...]
    groups: tuple[Group, ...]
    buckets: Buckets | None
    """What the time of its spans counts towards, if it says so."""
    presets: tuple[Preset, ...]
    topics: tuple[Topic, ...]
    """Sorted by name."""
    spec: RegistrySpec
    at: At
    conventions: Callable[[], Conventions] | None = None
    """Resolves all that OpenTelemetry's dialect says; None for a registry in ours."""

    def topic(self, name: str) -> Topic:
        """Return the topic called *name*; `KeyError` if there is none."""
        for topic in self.topics:
            if topic.name == name:
                return topic
        raise KeyError(name)


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """All registries of one run, those that are used before those that use them."""

    registries: tuple[Registry, ...]
    _spans: dict[str, Span] = field(default_factory=dict[str, "Span"], init=False, repr=False)

    _helpers: dict[tuple[str, str], dict[str, Span]] = field(
        default_factory=dict[tuple[str, str], "dict[str, Span]"], init=False, repr=False
    )

    def registry(self, name: str) -> Registry:
        """Return the registry called *name*; `KeyError` if there is none."""
        for registry in self.registries:
            if registry.name == name:
                return registry
        raise KeyError(name)

    @property
    def owned(self) -> tuple[Registry, ...]:
        """The registries that are checked and generated here."""
        return tuple(registry for registry in self.registries if registry.owned)

    def parents(self, span: Span) -> tuple[Span, ...]:
        """Return the spans that *span* is a child of.

        A helper of its topic comes before a name, which spans with different members may share.
        """
        said = span.spec.parent
        if not said:
            return ()
        home = (span.home.registry, span.home.topic)
        if home not in self._helpers:
            siblings = self.registry(home[0]).topic(home[1]).spans
            self._helpers[home] = {one.helper: one for one in siblings}
        helpers = self._helpers[home]
        found = (
            helpers.get(name) or self.span(name)
            for name in ((said,) if isinstance(said, str) else said)
        )
        return tuple(dict.fromkeys(one for one in found if one is not None))

    def span(self, name: str) -> Span | None:
        """Return the first span called *name*, as it is written; None if there is none."""
        if not self._spans:
            for topic in self.topics():
                for span in topic.spans:
                    self._spans.setdefault(span.name, span)
        return self._spans.get(name)

    def topics(self) -> Iterator[Topic]:
        """Yield every topic of every registry."""
        for registry in self.registries:
            yield from registry.topics
