"""Spans: names, attributes, outcome, duration, and what surrounds them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.diagnostics import Label
from telewright_codegen.model.signals import Outcome, Span
from telewright_codegen.resolve import buckets, groups, names, references
from telewright_codegen.resolve.catalogue import Context
from telewright_codegen.resolve.duration import duration_of
from telewright_codegen.resolve.metrics import check_roles
from telewright_codegen.resolve.patterns import placeholder_of
from telewright_codegen.resolve.uses import find_attribute, resolve_uses

if TYPE_CHECKING:
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.signals import Attribute, Group
    from telewright_codegen.resolve.catalogue import Catalogue, Draft, SpanEntry


def resolve_spans(draft: Draft, catalogue: Catalogue, report: Report) -> tuple[Span, ...]:
    """Return the spans of a topic, without those that cannot be generated."""
    found = [
        _span(entry, draft, catalogue, report)
        for entry in catalogue.entries
        if entry.home == draft.home
    ]
    return tuple(span for span in found if span is not None)


def _span(entry: SpanEntry, draft: Draft, catalogue: Catalogue, report: Report) -> Span | None:
    spec, at = entry.spec, entry.at
    context = Context(catalogue, entry.home, report)
    group = _group(entry, draft, catalogue, report)
    placeholder = placeholder_of(entry, context)
    if entry.helper is None:
        report.error(
            "TW207",
            f"nothing of `{spec.name}` is left to call its helper by",
            at.value("name"),
            "is all namespace, topic and placeholder, or starts with a digit",
            help="add `as:` with a Python name",
        )
    attributes = resolve_uses(spec.attributes, at / "attributes", context, end=True)
    outcome = _outcome(entry, context)
    error_code = _error_code(entry, context)
    filled = [] if outcome is None else [outcome.attribute]
    if error_code is not None:
        filled.append(error_code)
    attributes = tuple(use for use in attributes if use.attribute not in filled)
    references.check_links(entry, catalogue, report)
    process = [name for name, _ in references.each(spec.process, at)]
    check_roles(process, at / "process", context)
    known = [use.attribute for use in attributes if use.level == "required" and not use.late]
    if placeholder is not None:
        known.append(placeholder.attribute)
    duration = duration_of(entry, [*known, *filled], context)
    parents = references.parents(entry, catalogue, report)
    scopes = references.scopes(entry, catalogue, report)
    events = references.events(entry, catalogue, report)
    root = references.root(entry, catalogue, report)
    patterned = names.PLACEHOLDER.search(spec.name) is not None
    if group is None or entry.helper is None or (patterned and placeholder is None):
        return None
    return Span(
        name=spec.name,
        home=entry.home,
        group=group,
        placeholder=placeholder,
        attributes=attributes,
        events=events,
        outcome=outcome,
        error_code=error_code,
        duration=duration,
        root=root,
        parents=parents,
        processes=tuple(dict.fromkeys(process)),
        scopes=scopes,
        cardinality=spec.cardinality or group.cardinality,
        bucket=_bucket(entry, group, catalogue, report),
        own_bucket=entry.spec.bucket is not None,
        helper=entry.helper,
        class_name=names.camel(entry.helper),
        spec=spec,
        at=at,
    )


def _bucket(entry: SpanEntry, group: Group, catalogue: Catalogue, report: Report) -> str | None:
    said = entry.spec.bucket
    own = buckets.find(said, entry.at / "bucket", catalogue, report)
    if group.spec.umbrella or entry.spec.overlaps:
        return None
    member = group.bucket if said is None else own
    return None if member is None else member.text


def _group(entry: SpanEntry, draft: Draft, catalogue: Catalogue, report: Report) -> Group | None:
    if entry.spec.group is not None:
        return groups.find(entry.spec.group, entry.at.value("group"), catalogue, report)
    if draft.spec.group is not None:
        return catalogue.groups.get(draft.spec.group)
    report.error(
        "TW114",
        f"span `{entry.name}` is in no group",
        entry.at.value("name"),
        "nobody could switch it on",
        help="add `group:` to the span, or to the topic",
    )
    return None


def _outcome(entry: SpanEntry, context: Context) -> Outcome | None:
    key = entry.spec.outcome
    if key is None:
        return None
    at = entry.at / "outcome"
    attribute = find_attribute(key, at.value, context.catalogue, context.report)
    if attribute is None:
        return None
    enum = attribute.enum
    if enum is None or enum.numeric:
        context.report.error(
            "TW120",
            f"`{key}` has {'no enum' if enum is None else 'an enum of numbers'}, so it cannot say"
            " how a block ended",
            at.value(),
            "an outcome is a member of an enum",
            secondary=(Label(attribute.at.value("id"), f"its type is `{attribute.type}`"),),
            help="give it an `enum:` with a member for each ending",
        )
        return None
    missing = [role for role in ("ok", "error") if getattr(enum, role) is None]
    if enum.ok is None or enum.error is None:
        context.report.error(
            "TW120",
            f"enum `{enum.name}` does not say which member means "
            + " and which means ".join(f"`{role}`" for role in missing),
            at.value(),
            f"the outcome of `{entry.name}`",
            secondary=(Label(enum.at.value("enum"), "this enum"),),
            help=f"add `{missing[0]}:` with the name of a member to the enum",
        )
        return None
    return Outcome(attribute, enum, enum.ok, enum.error, enum.cancelled)


def _error_code(entry: SpanEntry, context: Context) -> Attribute | None:
    key = entry.spec.error_code
    if key is None:
        return None
    at = entry.at / "error_code"
    attribute = find_attribute(key, at.value, context.catalogue, context.report)
    if attribute is not None and attribute.type != "string":
        context.report.error(
            "TW120",
            f"`{key}` is no string, so it cannot be an error code",
            at.value(),
            f"its type is `{attribute.type}`",
            help="use an attribute with an enum",
        )
        return None
    return attribute
