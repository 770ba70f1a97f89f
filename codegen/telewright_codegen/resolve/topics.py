"""Topics: everything that one file declares, resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

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
from telewright_codegen.resolve.settings import resolve_settings
from telewright_codegen.resolve.spans import resolve_spans
from telewright_codegen.resolve.uses import resolve_uses
from telewright_codegen.resolve.words import KEYWORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.signals import Attribute, Enum, Home, Metric
    from telewright_codegen.resolve.catalogue import Catalogue, Draft
    from telewright_codegen.source import At
    from telewright_codegen.spec.common import OneOrMore
    from telewright_codegen.spec.topic import TopicSpec

Homed = TypeVar("Homed", "Attribute", "Enum", "Metric", "Event")


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


def resolve_topic(draft: Draft, catalogue: Catalogue, report: Report) -> Topic:
    """Return the topic that *draft* became."""
    spec = draft.spec
    group = None
    if spec.group is not None:
        group = groups.find(spec.group, draft.at.value("group"), catalogue, report)
    return Topic(
        registry=catalogue.name,
        name=spec.topic,
        file=draft.file,
        module=f"{spec.topic}_" if spec.topic in KEYWORDS else spec.topic,
        group=group,
        attributes=tuple(_at_home(catalogue.attributes.values(), draft.home)),
        enums=_in_order(list(_at_home(catalogue.enums.values(), draft.home)), spec),
        spans=resolve_spans(draft, catalogue, report),
        metrics=tuple(_at_home(catalogue.metrics.values(), draft.home)),
        events=tuple(_at_home(catalogue.events.values(), draft.home)),
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


def _at_home(items: Iterable[Homed], home: Home) -> Iterator[Homed]:
    """Yield what a topic declares; topics first, for there are more of them than registries."""
    for one in items:
        if one.home.topic == home.topic and one.home.registry == home.registry:
            yield one


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
