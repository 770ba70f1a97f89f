"""Groups of OpenTelemetry's dialect, resolved and whole, for emitters of its own layouts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from telewright_codegen.load.otel_annotations import merged
from telewright_codegen.otel.conventions import (
    BodyField,
    Conventions,
    Key,
    Need,
    Retirement,
    Signal,
    Value,
)
from telewright_codegen.spec.otel import OtelDeprecation, OtelEnum, OtelLevel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from telewright_codegen.load.otel_groups import Entry, Group
    from telewright_codegen.load.otel_resolve import Resolver
    from telewright_codegen.spec.otel import Deprecated, OtelBody, OtelMember, Stability

_ANY: Final = "any"
_NEEDS: Final[tuple[Need, ...]] = ("conditionally_required", "required", "recommended", "opt_in")


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """What a registry was read from; resolving all of it waits until somebody asks."""

    resolver: Resolver
    groups: tuple[Group, ...]
    """Its own, and those that it imports."""
    borrowed: Mapping[str, Entry]
    """What these refer to in registries that it depends on, by key."""

    def __call__(self) -> Conventions:
        """Return everything that the registry says."""
        homes = _homes([*reversed(self.resolver.groups.values())])
        keys = [
            _key(entry.declares or "", (entry,), homes, declared=True)
            for group in self.groups
            for entry in group.entries
            if entry.declares is not None
            and self.resolver.declared.get(entry.declares) is entry
            and entry.declares not in self.borrowed
        ]
        keys += [
            _key(name, (entry,), homes, declared=True) for name, entry in self.borrowed.items()
        ]
        signals = [_signal(group, self.resolver, homes) for group in self.groups]
        return Conventions(tuple(keys), tuple(signals))


def _homes(groups: Sequence[Group]) -> dict[str, str]:
    """Return the group that declares each attribute."""
    return {
        entry.declares: group.id if group.spec else f"registry.{entry.declares.split('.')[0]}"
        for group in groups
        for entry in group.entries
        if entry.declares is not None
    }


def _signal(group: Group, resolver: Resolver, homes: dict[str, str]) -> Signal:
    chain = _chain(group, resolver)
    attributes = resolver.attributes(group)
    roles = _roles(chain)
    return Signal(
        id=group.id,
        kind=group.kind,
        name=_first(chain, "metric_name") or _name(chain),
        brief=_first(chain, "brief") or "",
        note=_first(chain, "note") or "",
        stability=stability(_first(chain, "stability")),
        deprecated=retirement(getattr(group.spec, "deprecated", None)),
        refines=chain[1].id if len(chain) > 1 else None,
        keys=tuple(
            _key(name, entries, homes, role=roles.get(name)) for name, entries in attributes.items()
        ),
        instrument=_first(chain, "instrument"),
        unit=_first(chain, "unit"),
        span_kind=_first(chain, "span_kind") or _first(chain, "kind"),
        entities=tuple(dict.fromkeys(_entities(_first(chain, "entity_associations") or ()))),
        annotations=resolver.annotations(group),
        body=_fields(_first(chain, "body")),
        place=group.name_at.value,
    )


def _entities(said: Iterable[object]) -> Iterator[str]:
    """Yield the entities that associations name, one of several or all of them."""
    for one in said:
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            for names in cast("dict[str, object]", one).values():
                yield from _entities(cast("list[object]", names) if isinstance(names, list) else ())


def _chain(group: Group, resolver: Resolver) -> list[Group]:
    """Return a group and, where it refines another signal, what it refines."""
    chain = [group]
    while chain[-1].base is not None and hasattr(chain[-1].spec, "ref"):
        base = resolver.groups.get(chain[-1].base)
        if base is None or base in chain:
            break
        chain.append(base)
    return chain


def _first(chain: Sequence[Group], field: str) -> Any:  # noqa: ANN401  whatever the field holds
    for group in chain:
        said = getattr(group.spec, field, None)
        if said is not None and said != []:
            return said
    return None


def _name(chain: Sequence[Group]) -> str:
    found = _first(chain, "name")
    if chain[-1].kind == "entity" and not isinstance(found, str):
        found = _first(chain, "type")
    return found if isinstance(found, str) else ""


def _roles(chain: Sequence[Group]) -> dict[str, str]:
    """Return the roles of an entity's attributes, which the second format says by its fields."""
    return {
        str(one.ref): role
        for group in reversed(chain)
        for field, role in (("identity", "identifying"), ("description", "descriptive"))
        for one in cast("list[Any]", getattr(group.spec, field, None) or [])
    }


def _fields(body: OtelBody | None) -> tuple[BodyField, ...]:
    return tuple(BodyField(_field(one), _fields(one)) for one in body.fields) if body else ()


def _field(said: OtelBody) -> Key:
    need, condition = _need([said])
    return Key(
        name=said.id,
        type=said.type,
        values=tuple(map(_value, said.members)) if said.type == "enum" else None,
        brief=said.brief or "",
        note=said.note or "",
        examples=said.examples,
        stability=stability(said.stability),
        deprecated=retirement(said.deprecated),
        need=need,
        condition=condition,
        role=None,
        is_early=False,
        annotations={},
        home=said.id,
    )


def _key(
    name: str,
    entries: Sequence[Entry],
    homes: dict[str, str],
    *,
    role: str | None = None,
    declared: bool = False,
) -> Key:
    said = [entry.spec for entry in entries]
    kind: Any = getattr(said[0], "type", None)
    values = tuple(_value(one) for one in kind.members) if isinstance(kind, OtelEnum) else None
    need, condition = _need([] if declared else said)
    own_role = _last(said, "role")
    return Key(
        name=name,
        type=_kind_of(values) if values is not None else str(kind or _ANY),
        values=values,
        brief=_last(said, "brief") or "",
        note=_last(said, "note") or "",
        examples=_last(said, "examples"),
        stability=stability(_last(said, "stability")),
        deprecated=retirement(_last(said, "deprecated")),
        need=need,
        condition=condition,
        role=role or own_role,
        is_early=bool(_last(said, "sampling_relevant")),
        annotations=merged(said),
        home=homes.get(name, name),
    )


def _last(said: Sequence[object], field: str) -> Any:  # noqa: ANN401  whatever the field holds
    for spec in reversed(said):
        found = getattr(spec, field, None)
        if found is not None:
            return found
    return None


def _need(said: Sequence[object]) -> tuple[Need, str]:
    level = _last(said, "requirement_level")
    if isinstance(level, OtelLevel):
        for need in _NEEDS:
            condition: str | None = getattr(level, need)
            if condition is not None:
                return need, condition
    return (cast("Need", level), "") if level is not None else ("recommended", "")


def _kind_of(values: Sequence[Value]) -> str:
    if all(isinstance(one.value, str) for one in values):
        return "string"
    if all(isinstance(one.value, bool) for one in values):
        return "boolean"
    return "int" if all(isinstance(one.value, int) for one in values) else "double"


def _value(member: OtelMember) -> Value:
    return Value(
        id=member.id,
        value=member.id if member.value is None else member.value,
        brief=member.brief or "",
        note=member.note or "",
        stability=stability(member.stability),
        deprecated=retirement(member.deprecated),
        annotations=member.annotations,
    )


def stability(said: Stability | None) -> str | None:
    """Return a stability in today's words."""
    return "development" if said in {"experimental", "deprecated"} else said


def retirement(said: Deprecated | None) -> Retirement | None:
    """Return a deprecation, whose note may be left to its reason."""
    if said is None:
        return None
    if not isinstance(said, OtelDeprecation):
        return Retirement(None, None, said)
    note = said.note
    if note is None:
        note = f"Replaced by `{said.renamed_to}`." if said.renamed_to else "Obsoleted."
    return Retirement(said.reason, said.renamed_to, note)
