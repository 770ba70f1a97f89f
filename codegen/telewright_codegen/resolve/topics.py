"""Topics: everything that one file declares, resolved."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from telewright_codegen.diagnostics import Label
from telewright_codegen.model.registry import Topic
from telewright_codegen.model.signals import (
    Event,
    Instrumentation,
    Resource,
    Scope,
)
from telewright_codegen.resolve import buckets, groups, names
from telewright_codegen.resolve.catalogue import Context
from telewright_codegen.resolve.metrics import check_roles
from telewright_codegen.resolve.modules import module_name
from telewright_codegen.resolve.settings import resolve_settings
from telewright_codegen.resolve.spans import resolve_spans
from telewright_codegen.resolve.uses import resolve_uses

if TYPE_CHECKING:
    from collections.abc import Iterable

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.signals import Attribute, Enum, Metric
    from telewright_codegen.resolve.catalogue import Catalogue, Draft
    from telewright_codegen.source import At
    from telewright_codegen.spec.common import OneOrMore
    from telewright_codegen.spec.topic import TopicSpec

Homed = TypeVar("Homed", "Attribute", "Enum", "Metric", "Event")


class _Declared(NamedTuple):
    """What each topic declares, by the topic's name."""

    attributes: defaultdict[str, list[Attribute]]
    enums: defaultdict[str, list[Enum]]
    metrics: defaultdict[str, list[Metric]]
    events: defaultdict[str, list[Event]]


def declare_events(catalogue: Catalogue, report: Report) -> None:
    """Resolve every event that a registry declares."""
    for draft in catalogue.drafts:
        for index, spec in enumerate(draft.spec.events):
            at = draft.at / "events" / index
            helper = spec.as_ or names.event_helper(
                spec.name, draft.home.topic, catalogue.namespaces
            )
            if helper is None:
                report.error(
                    "TW207",
                    f"nothing of `{spec.name}` is left to call its helper by",
                    at.value("name"),
                    "is all namespace and topic, or starts with a digit",
                    help="add `as:` with a Python name",
                )
                continue
            uses = resolve_uses(
                spec.attributes, at / "attributes", Context(catalogue, draft.home, report)
            )
            event = Event(spec.name, draft.home, uses, helper, spec, at)
            former = catalogue.events.setdefault(spec.name, event)
            if former is not event:
                report.error(
                    "TW115",
                    f"event `{spec.name}` is declared twice",
                    at.value("name"),
                    "declared again here",
                    secondary=(Label(former.at.value("name"), "first declared here"),),
                    help="keep one of them",
                )


def resolve_topics(catalogue: Catalogue, report: Report) -> tuple[Topic, ...]:
    """Return the topics of a registry, in order."""
    declared = _Declared(
        _by_topic(catalogue, catalogue.attributes.values()),
        _by_topic(catalogue, catalogue.enums.values()),
        _by_topic(catalogue, catalogue.metrics.values()),
        _by_topic(catalogue, catalogue.events.values()),
    )
    return tuple(_topic(draft, catalogue, declared, report) for draft in catalogue.drafts)


def _topic(draft: Draft, catalogue: Catalogue, declared: _Declared, report: Report) -> Topic:
    spec = draft.spec
    group = None
    if spec.group is not None:
        group = groups.find(spec.group, draft.at.value("group"), catalogue, report)
    return Topic(
        registry=catalogue.name,
        name=spec.topic,
        file=draft.file,
        module=module_name(spec.topic),
        group=group,
        attributes=tuple(declared.attributes[spec.topic]),
        enums=_in_order(declared.enums[spec.topic], spec),
        spans=resolve_spans(draft, catalogue, report),
        metrics=tuple(declared.metrics[spec.topic]),
        events=tuple(declared.events[spec.topic]),
        scopes=_scopes(draft, catalogue, report),
        resources=_resources(draft, catalogue, report),
        settings=resolve_settings(draft, report),
        instrumentations=_instrumentations(draft, catalogue, report),
        spec=spec,
        at=draft.at,
    )


def _in_order(enums: list[Enum], spec: TopicSpec) -> tuple[Enum, ...]:
    """Return *enums* as the file has them: those of attributes may stand before shared ones."""
    if spec.enums and len(enums) > len(spec.enums):
        enums.sort(key=lambda one: one.at.value())
    return tuple(enums)


def _by_topic(catalogue: Catalogue, items: Iterable[Homed]) -> defaultdict[str, list[Homed]]:
    """Return those of *items* that the registry itself declares, by topic."""
    found: defaultdict[str, list[Homed]] = defaultdict(list)
    for one in items:
        if one.home.registry == catalogue.name:
            found[one.home.topic].append(one)
    return found


def _listed(said: OneOrMore | None) -> tuple[str, ...]:
    return () if said is None else (said,) if isinstance(said, str) else tuple(said)


def _roles(said: OneOrMore | None, at: At, context: Context) -> tuple[str, ...]:
    roles = _listed(said)
    check_roles(roles, at / "process", context)
    return tuple(dict.fromkeys(roles))


def _scopes(draft: Draft, catalogue: Catalogue, report: Report) -> tuple[Scope, ...]:
    found: list[Scope] = []
    for index, spec in enumerate(draft.spec.scopes):
        at = draft.at / "scopes" / index
        group = None
        if spec.group is not None:
            group = groups.find(spec.group, at.value("group"), catalogue, report)
        uses = resolve_uses(
            spec.attributes, at / "attributes", Context(catalogue, draft.home, report)
        )
        found.append(
            Scope(
                name=spec.name,
                home=draft.home,
                attributes=uses,
                propagates=tuple(dict.fromkeys(spec.propagates)),
                rebucket=buckets.find(spec.rebucket, at / "rebucket", catalogue, report),
                group=group,
                helper=names.safe(spec.name),
                spec=spec,
                at=at,
            )
        )
    return tuple(found)


def _resources(draft: Draft, catalogue: Catalogue, report: Report) -> tuple[Resource, ...]:
    context = Context(catalogue, draft.home, report)
    found: list[Resource] = []
    seen: dict[str, At] = {}
    for index, spec in enumerate(draft.spec.resources):
        at = draft.at / "resources" / index
        former = seen.setdefault(spec.name, at)
        if former is not at:
            report.error(
                "TW115",
                f"resource `{spec.name}` is declared twice",
                at.value("name"),
                "declared again here",
                secondary=(Label(former.value("name"), "first declared here"),),
                help="keep one of them",
            )
        uses = resolve_uses(spec.attributes, at / "attributes", context, resource=True)
        found.append(
            Resource(
                name=spec.name,
                home=draft.home,
                attributes=uses,
                processes=_roles(spec.process, at, context),
                helper=names.safe(spec.name),
                spec=spec,
                at=at,
            )
        )
    return tuple(found)


def _instrumentations(
    draft: Draft, catalogue: Catalogue, report: Report
) -> tuple[Instrumentation, ...]:
    context = Context(catalogue, draft.home, report)
    found: list[Instrumentation] = []
    for index, spec in enumerate(draft.spec.instrumentations):
        at = draft.at / "instrumentations" / index
        group = None
        word = spec.group or draft.spec.group
        if word is not None:
            place = at.value("group") if spec.group else draft.at.value("group")
            group = groups.find(word, place, catalogue, report)
        found.append(
            Instrumentation(
                package=spec.package,
                home=draft.home,
                group=group,
                cardinality=spec.cardinality or (group.cardinality if group else None),
                processes=_roles(spec.process, at, context),
                attributes=resolve_uses(spec.attributes, at / "attributes", context),
                spec=spec,
                at=at,
            )
        )
    return tuple(found)
