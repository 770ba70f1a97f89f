"""What the specs declare, ready to be asked by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from telewright_codegen import config, pipeline
from telewright_codegen.diagnostics import Report

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.model.registry import Model, Topic
    from telewright_codegen.model.signals import Attribute, Group, Metric, Preset, Setting, Span

SPECS: Final = Path(__file__).resolve().parents[2] / "specs"


def load(specs: Path = SPECS) -> tuple[Declared, Report]:
    """Read and resolve a folder of specs."""
    report = Report()
    model = pipeline.model(config.default(specs), report)
    return Declared(model), report


@dataclass(frozen=True)
class Declared:
    """The resolved specs by name."""

    model: Model

    @cached_property
    def topics(self) -> tuple[Topic, ...]:
        """Every topic of the registries that are ours."""
        return tuple(topic for one in self.model.owned for topic in one.topics)

    @cached_property
    def attributes(self) -> dict[str, Attribute]:
        """Every attribute by key, OpenTelemetry's included."""
        return {one.key: one for topic in self.model.topics() for one in topic.attributes}

    @cached_property
    def spans(self) -> dict[str, Span]:
        """Every span by each name that it can be exported under."""
        return {name: span for topic in self.topics for span in topic.spans for name in names(span)}

    @cached_property
    def patterns(self) -> set[str]:
        """The names of spans that instrumentors open."""
        return {
            name
            for topic in self.topics
            for one in topic.instrumentations
            for name in one.spec.spans
        }

    @cached_property
    def metrics(self) -> dict[str, Metric]:
        """Every metric by name."""
        return {one.name: one for topic in self.topics for one in topic.metrics}

    @cached_property
    def instrumented(self) -> set[str]:
        """The metrics that instrumentors record."""
        return {
            name
            for topic in self.topics
            for one in topic.instrumentations
            for name in one.spec.metrics
        }

    @cached_property
    def groups(self) -> dict[str, Group]:
        """Every group by id."""
        return {one.id: one for registry in self.model.owned for one in registry.groups}

    @cached_property
    def presets(self) -> dict[str, Preset]:
        """Every preset by id."""
        return {one.id: one for registry in self.model.owned for one in registry.presets}

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """Every setting."""
        return tuple(one for topic in self.topics for one in topic.settings)

    @cached_property
    def resources(self) -> set[str]:
        """The keys that some resource may have."""
        return {
            use.attribute.key
            for topic in self.topics
            for resource in topic.resources
            for use in resource.attributes
        }

    @cached_property
    def scopes(self) -> dict[str, set[str]]:
        """The keys that each scope puts on spans."""
        return {
            scope.name: {use.attribute.key for use in scope.attributes}
            for topic in self.topics
            for scope in topic.scopes
        }

    def carried(self, span: Span) -> set[str]:
        """Return the keys that a span may have: its own, filled ones, and those of its scopes."""
        return {*_own(span), *(key for scope in span.scopes for key in self.scopes[scope])}


def names(span: Span) -> list[str]:
    """Return every name that a span can be exported under, `_OTHER` aside."""
    if span.placeholder is None:
        return [span.name]
    return [name for _, name in span.placeholder.names]


def _own(span: Span) -> Iterator[str]:
    for use in span.attributes:
        yield use.attribute.key
    if span.outcome is not None:
        yield span.outcome.attribute.key
    if span.error_code is not None:
        yield span.error_code.key
