"""What is known about a module while its parts are made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from telewright_codegen.emit.emitter import Target
    from telewright_codegen.emit.python.imports import Imports
    from telewright_codegen.model.registry import Model, Registry, Topic
    from telewright_codegen.model.signals import Enum, Group, Home, Member, Metric, Span

FIELDS: Final = frozenset(
    ["announce", "duration", "error_codes", "kind", "linked_to", "outcomes", "settled"]
)
"""What a class of spans says of itself; in its body these names hide those of the module."""


class Context(NamedTuple):
    """One topic, what surrounds it, and the imports of its module."""

    model: Model
    registry: Registry
    topic: Topic
    target: Target
    imports: Imports

    @property
    def home(self) -> tuple[str, str]:
        """The registry and the topic."""
        return (self.registry.name, self.topic.name)

    def is_home(self, home: Home) -> bool:
        """Return whether something declared at *home* is generated into this very module."""
        return (home.registry, home.topic) == self.home

    def package(self, registry: str) -> str:
        """Return the package that *registry* is imported as."""
        return self.target.packages.get(registry, f"telewright.{registry}")

    def module(self, home: Home) -> str:
        """Return the module that *home* is generated into."""
        name = self.model.registry(home.registry).topic(home.topic).module
        return f"{self.package(home.registry)}.{name}"

    def groups(self) -> str:
        """Return the module of this registry's groups."""
        return f"{self.package(self.registry.name)}.groups"

    def enum(self, enum: Enum) -> str:
        """Return what a class is called here, importing it where it is from elsewhere."""
        if self.is_home(enum.home):
            return enum.name
        return self.imports.name(self.module(enum.home), enum.name)

    def member(self, enum: Enum, member: Member) -> str:
        """Return a member as code."""
        return f"{self.enum(enum)}.{member.constant}"

    def metric(self, metric: Metric) -> str:
        """Return what an instrument is called here, importing it where it is from elsewhere."""
        hidden = f"_{metric.helper.upper()}" if metric.helper in FIELDS else None
        if self.is_home(metric.home):
            return hidden or metric.helper
        return self.imports.name(self.module(metric.home), metric.helper, local=hidden)

    def gate(self, group: Group) -> str:
        """Return what a group is called here: ``GATE`` for that of the topic."""
        if self.topic.group is not None and self.topic.group.id == group.id:
            return self.imports.name(self.groups(), group.constant, local="GATE")
        return self.imports.name(self.groups(), group.constant)

    def span_reference(self, name: str, *, of: Span) -> str:
        """Return how the docstring of *of* refers to the span that a spec calls *name*."""
        for span in self.topic.spans:
            if span is not of and name in (span.helper, span.name):
                return f"`{span.helper}`"
        found = self.model.span(name)
        return f"``{found.name if found is not None else name}``"
