"""References from one span to others, and to scopes, events and metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.diagnostics import Label
from telewright_codegen.model.signals import Root
from telewright_codegen.resolve import names
from telewright_codegen.resolve.catalogue import ScopeEntry, SpanEntry, report_unknown
from telewright_codegen.spec.span import LinkedRootSpec

if TYPE_CHECKING:
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.signals import Event
    from telewright_codegen.resolve.catalogue import Catalogue
    from telewright_codegen.source import At, Place
    from telewright_codegen.spec.common import OneOrMore


def declare(catalogue: Catalogue, report: Report) -> None:
    """Make the spans and scopes of a registry known by name, before any is resolved."""
    for draft in catalogue.drafts:
        for index, spec in enumerate(draft.spec.spans):
            at = draft.at / "spans" / index
            twin = catalogue.spans.get(spec.name)
            if twin is not None and not (spec.only and twin.spec.only):
                report.error(
                    "TW115",
                    f"span `{spec.name}` is declared twice",
                    at.value("name"),
                    "declared again here",
                    secondary=(Label(twin.at.value("name"), "first declared here"),),
                    help="keep one of them: one name has one meaning",
                )
            helper = spec.as_ or names.span_helper(
                spec.name, draft.home.topic, catalogue.namespaces
            )
            entry = SpanEntry(spec.name, helper, draft.home, spec, at)
            catalogue.spans.setdefault(spec.name, entry)
            catalogue.entries.append(entry)
        for index, scope in enumerate(draft.spec.scopes):
            at = draft.at / "scopes" / index
            former = catalogue.scopes.setdefault(scope.name, ScopeEntry(scope.name, scope, at))
            if former.at != at:
                report.error(
                    "TW115",
                    f"scope `{scope.name}` is declared twice",
                    at.value("name"),
                    "declared again here",
                    secondary=(Label(former.at.value("name"), "first declared here"),),
                    help="rename one of them: spans require scopes by name",
                )


def each(said: OneOrMore | None, at: At) -> list[tuple[str, At]]:
    """Return the names in a field that takes one or several, each with its place."""
    if said is None:
        return []
    if isinstance(said, str):
        return [(said, at)]
    return [(name, at / index) for index, name in enumerate(said)]


def span(
    said: str, place: Place, entry: SpanEntry, catalogue: Catalogue, report: Report
) -> SpanEntry | None:
    """Return the span that *said* means where *entry* says it."""
    siblings = [other for other in catalogue.entries if other.home == entry.home]
    for other in siblings:
        if said == other.helper:
            return other
    found = catalogue.find(lambda one: one.spans, said)
    if found is not None:
        return found
    visible = {other.name: other for one in catalogue.visible() for other in one.spans.values()}
    for other in siblings:
        visible.setdefault(other.helper or other.name, other)
    report_unknown(
        report,
        "TW104",
        said,
        place,
        what="span",
        known=lambda: {name: other.at.value("name") for name, other in visible.items()},
    )
    return None


def parents(entry: SpanEntry, catalogue: Catalogue, report: Report) -> tuple[str, ...]:
    """Return the names of the spans that *entry* is a child of."""
    found = [
        span(said, at.value(), entry, catalogue, report)
        for said, at in each(entry.spec.parent, entry.at / "parent")
    ]
    return tuple(dict.fromkeys(one.name for one in found if one is not None))


def check_links(entry: SpanEntry, catalogue: Catalogue, report: Report) -> None:
    """Report links to spans that do not exist."""
    for said, at in each(entry.spec.links, entry.at / "links"):
        span(said, at.value(), entry, catalogue, report)


def scopes(entry: SpanEntry, catalogue: Catalogue, report: Report) -> tuple[str, ...]:
    """Return the scopes that must be open around *entry*."""
    found: list[str] = []
    for said, at in each(entry.spec.requires_scope, entry.at / "requires_scope"):
        if catalogue.find(lambda one: one.scopes, said) is not None:
            found.append(said)
            continue
        report_unknown(
            report,
            "TW107",
            said,
            at.value(),
            what="scope",
            known=lambda: {
                known: other.at.value("name")
                for one in catalogue.visible()
                for known, other in one.scopes.items()
            },
        )
    return tuple(dict.fromkeys(found))


def events(entry: SpanEntry, catalogue: Catalogue, report: Report) -> tuple[Event, ...]:
    """Return the events that happen in *entry*."""
    found: list[Event] = []
    for said, at in each(entry.spec.events, entry.at / "events"):
        event = catalogue.find(lambda one: one.events, said)
        if event is not None:
            found.append(event)
            continue
        report_unknown(
            report,
            "TW108",
            said,
            at.value(),
            what="event",
            known=lambda: {
                known: other.at.value("name")
                for one in catalogue.visible()
                for known, other in one.events.items()
            },
        )
    return tuple(dict.fromkeys(found))


def root(entry: SpanEntry, catalogue: Catalogue, report: Report) -> Root | None:
    """Return whose trace *entry* belongs to; None where nothing is said."""
    policy = entry.spec.root
    if not isinstance(policy, LinkedRootSpec):
        return None if policy is None else Root(policy, None)
    at = entry.at / "root" / "linked_to"
    target = span(policy.linked_to, at.value(), entry, catalogue, report)
    if target is None:
        return None
    if target.spec.root != "owner":
        report.error(
            "TW118",
            f"`{target.name}` does not own its trace, so nothing can be linked to it",
            at.value(),
            "must be a span with `root: owner`",
            secondary=(Label(target.at.value("name"), "this span"),),
            help=f"add `root: owner` to `{target.name}`",
        )
        return None
    return Root("linked_to", target.name)
