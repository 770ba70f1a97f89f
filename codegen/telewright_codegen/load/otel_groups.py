"""OpenTelemetry's two formats as one: groups of attributes, with where each was written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from telewright_codegen.spec.otel import OtelFile
from telewright_codegen.spec.otel2 import Otel2File

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from telewright_codegen.load.loaded import Loaded
    from telewright_codegen.source import At, SourceFile
    from telewright_codegen.spec.otel import OtelAttribute, OtelGroup
    from telewright_codegen.spec.otel2 import (
        Otel2Attribute,
        Otel2Entity,
        Otel2EntityRefinement,
        Otel2Item,
        Otel2Reference,
    )

    Written = OtelAttribute | Otel2Attribute | Otel2Reference
    GroupSpec = OtelGroup | Otel2Item | Otel2Entity | Otel2EntityRefinement

Kind = Literal["attribute_group", "span", "metric", "event", "entity"]


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """One line under `attributes:`: a declaration, a reference, or a reference to a group."""

    spec: Written
    at: At
    declares: str | None
    """The key that it declares."""
    refers: str | None
    """The key that it refers to."""
    includes: str | None
    """The group that it takes all attributes of."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A group, whatever it describes."""

    id: str
    kind: Kind
    base: str | None
    """The group that it extends, or refines."""
    entries: tuple[Entry, ...]
    spec: GroupSpec | None
    """None for attributes that are in no group."""
    at: At
    naming: str
    """The field that its id is made of."""
    basing: str
    """The field that says what it extends, or refines."""
    file: SourceFile

    @property
    def name_at(self) -> At:
        """Where its id stands; it itself, where it has none."""
        return self.at / self.naming if self.naming else self.at

    @property
    def base_at(self) -> At:
        """Where it says what it extends."""
        return self.at / self.basing

    @property
    def signal(self) -> str | None:
        """What the signal that it describes is called."""
        named = getattr(self.spec, "metric_name", None) or getattr(self.spec, "name", None)
        return named if isinstance(named, str) else None


def groups(loaded: Sequence[Loaded]) -> Iterator[Group]:
    """Yield every group of *loaded*, in order."""
    for item in loaded:
        if isinstance(item.spec, OtelFile):
            yield from _first(item.spec, item)
        elif isinstance(item.spec, Otel2File):
            yield from _second(item.spec, item)


def _entries(written: Sequence[Written], at: At) -> tuple[Entry, ...]:
    return tuple([_entry(spec, at / index) for index, spec in enumerate(written)])


def _entry(spec: Written, at: At) -> Entry:
    said = vars(spec).get  # each format has other fields
    return Entry(spec, at, said("id") or said("key"), said("ref"), said("ref_group"))


def _prefixed(group: OtelGroup) -> Sequence[OtelAttribute]:
    """Return the attributes of a group; older files leave out what all their ids begin with."""
    if group.prefix is None:
        return group.attributes
    return [
        one if one.id is None else one.model_copy(update={"id": f"{group.prefix}.{one.id}"})
        for one in group.attributes
    ]


def _first(spec: OtelFile, item: Loaded) -> Iterator[Group]:
    kinds: dict[str, Kind] = {
        "span": "span",
        "metric": "metric",
        "event": "event",
        "entity": "entity",
        "resource": "entity",
    }
    groups_at = item.at / "groups"
    for index, group in enumerate(spec.groups):
        at = groups_at / index
        yield Group(
            id=group.id,
            kind=kinds.get(group.type, "attribute_group"),
            base=group.extends,
            entries=_entries(_prefixed(group), at / "attributes"),
            spec=group,
            at=at,
            naming="id",
            basing="extends",
            file=item.file,
        )


_SIGNALS: tuple[tuple[str, str, Kind], ...] = (
    ("metrics", "name", "metric"),
    ("spans", "type", "span"),
    ("events", "name", "event"),
)
_REFINEMENTS: tuple[tuple[str, Kind], ...] = (
    ("metric_refinements", "metric"),
    ("span_refinements", "span"),
    ("event_refinements", "event"),
)


def _second(spec: Otel2File, item: Loaded) -> Iterator[Group]:
    at = item.at / "attributes"
    if spec.attributes:
        entries = _entries(spec.attributes, at)
        name = f"attributes of {item.file.name}"
        yield Group(name, "attribute_group", None, entries, None, at, "", "", item.file)
    for index, group in enumerate(spec.attribute_groups):
        place = item.at / "attribute_groups" / index
        yield _made(group.id, "attribute_group", None, group, place, "id", item)
    for field, naming, kind in _SIGNALS:
        for index, signal in enumerate(getattr(spec, field)):
            name = f"{kind}.{getattr(signal, naming)}"
            yield _made(name, kind, None, signal, item.at / field / index, naming, item)
    for field, kind in _REFINEMENTS:
        for index, refined in enumerate(getattr(spec, field)):
            base = f"{kind}.{refined.ref}"
            yield _made(refined.id, kind, base, refined, item.at / field / index, "id", item)
    yield from _entities(spec, item)


def _made(  # noqa: PLR0913, PLR0917  a group has so many parts
    name: str, kind: Kind, base: str | None, spec: Otel2Item, at: At, naming: str, item: Loaded
) -> Group:
    entries = _entries(spec.attributes, at / "attributes")
    return Group(name, kind, base, entries, spec, at, naming, "ref", item.file)


def _entities(spec: Otel2File, item: Loaded) -> Iterator[Group]:
    for field, naming in (("entities", "type"), ("entity_refinements", "id")):
        found: list[Otel2Entity | Otel2EntityRefinement] = getattr(spec, field)
        for index, entity in enumerate(found):
            at = item.at / field / index
            refined: str | None = getattr(entity, "ref", None)
            name: str = getattr(entity, naming)
            yield Group(
                id=name if refined else f"entity.{name}",
                kind="entity",
                base=None if refined is None else f"entity.{refined}",
                entries=(
                    *_entries(entity.identity, at / "identity"),
                    *_entries(entity.description, at / "description"),
                ),
                spec=entity,
                at=at,
                naming=naming,
                basing="ref",
                file=item.file,
            )
