"""What each registry declares, collected while it is being resolved."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

from telewright_codegen.diagnostics import Label
from telewright_codegen.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.signals import (
        Attribute,
        Buckets,
        Enum,
        Event,
        Group,
        Home,
        Metric,
        Preset,
    )
    from telewright_codegen.otel.conventions import Conventions
    from telewright_codegen.source import At, Place
    from telewright_codegen.spec.registry import RegistrySpec
    from telewright_codegen.spec.span import ScopeSpec, SpanSpec
    from telewright_codegen.spec.topic import TopicSpec

SUGGESTIONS: Final = 200
"""So many problems get a suggestion; after them, nobody reads one and looking takes long."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """A topic whose parts are not resolved yet."""

    spec: TopicSpec
    at: At
    file: str
    home: Home
    given: bool = False
    """Whether its name is a namespace of OpenTelemetry's dialect."""


@dataclass(frozen=True, slots=True, eq=False)
class SpanEntry:
    """A span that others may refer to, by its name or, in its topic, by its helper."""

    name: str
    helper: str | None
    home: Home
    spec: SpanSpec
    at: At


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """Something that others refer to by its name alone."""

    name: str
    at: At


@dataclass(frozen=True, slots=True, eq=False)
class ScopeEntry:
    """A scope that spans may require."""

    name: str
    spec: ScopeSpec
    at: At


@dataclass(slots=True, eq=False)
class Catalogue:
    """One registry: what it wrote, what it may refer to, and what has been resolved of it."""

    name: str
    spec: RegistrySpec
    at: At
    folder: str
    owned: bool
    given: bool = False
    """Whether its name comes from a manifest of OpenTelemetry's dialect."""
    conventions: Callable[[], Conventions] | None = None
    drafts: list[Draft] = field(default_factory=list["Draft"])
    uses: list[Catalogue] = field(default_factory=list["Catalogue"])
    enums: dict[str, Enum] = field(default_factory=dict[str, "Enum"])
    attributes: dict[str, Attribute] = field(default_factory=dict[str, "Attribute"])
    buckets: Buckets | None = None
    groups: dict[str, Group] = field(default_factory=dict[str, "Group"])
    presets: dict[str, Preset] = field(default_factory=dict[str, "Preset"])
    processes: dict[str, Entry] = field(default_factory=dict[str, "Entry"])
    boundaries: dict[str, Entry] = field(default_factory=dict[str, "Entry"])
    metrics: dict[str, Metric] = field(default_factory=dict[str, "Metric"])
    events: dict[str, Event] = field(default_factory=dict[str, "Event"])
    scopes: dict[str, ScopeEntry] = field(default_factory=dict[str, "ScopeEntry"])
    spans: dict[str, SpanEntry] = field(default_factory=dict[str, "SpanEntry"])
    around: list[Catalogue] = field(default_factory=list["Catalogue"])
    """Every registry that was read."""
    entries: list[SpanEntry] = field(default_factory=list["SpanEntry"])
    """Every span, those with one pattern and different members apart."""

    @property
    def namespaces(self) -> list[str]:
        """What Python names leave out: the registry's own name and its namespaces."""
        return list(dict.fromkeys([self.name, *self.spec.namespaces]))

    def visible(self) -> Iterator[Catalogue]:
        """Yield this registry and those that it uses."""
        yield self
        yield from self.uses

    def unused(self, table: Callable[[Catalogue], Mapping[str, T]], name: str) -> str | None:
        """Return the registry that has *name* and is not used here, if there is one."""
        for catalogue in self.around:
            if name in table(catalogue) and catalogue not in self.visible():
                return catalogue.name
        return None

    def find(self, table: Callable[[Catalogue], Mapping[str, T]], name: str) -> T | None:
        """Return what is called *name* here or in a used registry; ours first."""
        for catalogue in self.visible():
            if (found := table(catalogue).get(name)) is not None:
                return found
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """Where something is written: what it may refer to, and who hears of mistakes."""

    catalogue: Catalogue
    home: Home
    report: Report


def report_unknown(  # noqa: PLR0913  one argument for each part of the message
    report: Report,
    code: str,
    name: str,
    place: Place,
    *,
    what: str,
    known: Callable[[], Mapping[str, Place]],
    where: str = "not declared in this registry or one that it uses",
    help: str | None = None,  # noqa: A002  the word that the reader sees
) -> None:
    """Report a reference that leads nowhere, and the name that was probably meant."""
    places: Mapping[str, Place] = known() if len(report.diagnostics) < SUGGESTIONS else {}
    similar = nearest(name, places)
    label = "a similar one is declared here"
    secondary = () if similar is None else (Label(places[similar], label),)
    report.error(
        code,
        f"no {what} `{name}`",
        place,
        where,
        secondary=secondary,
        help=help or (None if similar is None else f"did you mean `{similar}`?"),
    )
