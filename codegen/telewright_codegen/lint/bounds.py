"""How much telemetry there will be: series, spans, and what they grow with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Label, Severity
from telewright_codegen.lint.rule import Finding, rule
from telewright_codegen.lint.walk import metrics, spans
from telewright_codegen.spec.common import Cardinality

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.lint.rule import Subject
    from telewright_codegen.model.signals import Attribute, Buckets, Span

_GROWTH: Final = {
    Cardinality.PER_RUN: 0,
    Cardinality.PER_STEP: 1,
    Cardinality.PER_OPERATION: 1,
    Cardinality.PER_ITEM: 2,
}
_ENDLESS: Final = re.compile(
    r"(^|[._])(id|uuid|guid|uid|url|uri|path|query|session|token|prompt|message|text|timestamp"
    r"|traceparent|trace|span|email|ip|address|port|pid|hash|digest|checksum)$"
)
"""Last words of names whose values have no end."""


@rule("TW303", "never-in-metrics", liftable=False)
def never_in_metrics(subject: Subject) -> Iterator[Finding]:
    """An attribute that says ``in_metrics: never`` is in no metric."""
    for metric in metrics(subject.registry):
        for use in metric.attributes:
            if use.attribute.spec.in_metrics == "never":
                yield Finding(
                    metric,
                    use.at.key(),
                    f"`{use.attribute.key}` is never an attribute of a metric",
                    "a series of its own for each value",
                    help="remove it, or count each value once with `once_per:`",
                    secondary=(Label(use.attribute.at.value("in_metrics"), "said here"),),
                )


@rule("TW309", "endless-series")
def endless_series(subject: Subject) -> Iterator[Finding]:
    """What has no end, identities above all, makes no attribute of a metric."""
    for metric in metrics(subject.registry):
        for use in metric.attributes:
            attribute = use.attribute
            if attribute.spec.in_metrics == "never" or not _is_endless(attribute):
                continue
            yield Finding(
                (metric, attribute),
                use.at.key(),
                f"`{attribute.key}` may take any number of values, each a series of"
                f" `{metric.name}`",
                "no bound is known",
                help="add `max_values:` to the attribute, or remove it here",
                secondary=(Label(attribute.at.value("id"), "declared without `max_values`"),),
            )


def _is_endless(attribute: Attribute) -> bool:
    if attribute.enum is not None or attribute.type == "boolean":
        return False
    return attribute.spec.max_values is None and _ENDLESS.search(attribute.key) is not None


@rule("TW311", "preset-grows")
def preset_grows(subject: Subject) -> Iterator[Finding]:
    """A preset named after what it grows with has no group that grows with more."""
    classes = {one.value: one for one in Cardinality}
    for preset in subject.registry.presets:
        limit = classes.get(preset.name)
        if limit is None:
            continue
        for group in preset.groups:
            if group.cardinality is None or _GROWTH[group.cardinality] <= _GROWTH[limit]:
                continue
            yield Finding(
                (preset, group),
                preset.at.key(),
                f"preset `{preset.name}` has group `{group.name}`, which grows"
                f" {_words(group.cardinality)}",
                f"promises to grow {_words(limit)}",
                help="move the group to another preset",
                secondary=(Label(group.at.key(), f"grows {_words(group.cardinality)}"),),
            )


@rule("TW319", "default-grows", severity=Severity.WARNING)
def default_grows(subject: Subject) -> Iterator[Finding]:
    """What is on by default does not grow with items: nobody chose to pay for it."""
    for preset in subject.registry.presets:
        grows = [one for one in preset.groups if one.cardinality is Cardinality.PER_ITEM]
        if preset.name == "default" and grows:
            named = ", ".join(f"`{one.name}`" for one in grows)
            yield Finding(
                (preset, *grows),
                preset.at.key(),
                f"preset `default` has groups that grow with items: {named}",
                "on for everybody who chose nothing",
                help="move them to a preset of their own, or say with `allow:` why not",
                secondary=tuple(Label(one.at.key(), "grows with items") for one in grows),
            )


@rule("TW312", "span-outgrows-group")
def span_outgrows_group(subject: Subject) -> Iterator[Finding]:
    """A span does not grow with more than its group says: people switch groups by that."""
    for span in spans(subject.registry):
        own, group = span.spec.cardinality, span.group
        if own is None or group.cardinality is None:
            continue
        if _GROWTH[own] > _GROWTH[group.cardinality]:
            yield Finding(
                span,
                span.at.value("cardinality"),
                f"span `{span.name}` grows {_words(own)}, its group `{group.name}`"
                f" {_words(group.cardinality)}",
                "more than the group promises",
                help="move it to a group of its own",
                secondary=(Label(group.at.key(), f"grows {_words(group.cardinality)}"),),
            )


@rule("TW317", "trace-grows", severity=Severity.WARNING)
def trace_grows(subject: Subject) -> Iterator[Finding]:
    """A trace does not grow with the run: spans of items below a span of the run are roots."""
    by_name = {
        span.name: span
        for registry in subject.visible()
        for topic in registry.topics
        for span in topic.spans
    }
    for span in spans(subject.registry):
        if span.cardinality is not Cardinality.PER_ITEM or span.root is not None:
            continue
        for name in span.parents:
            parent = by_name.get(name)
            if parent is not None and parent.cardinality is Cardinality.PER_RUN:
                yield Finding(
                    span,
                    span.at.value("parent"),
                    f"every `{span.name}` of a run is in the one trace of `{parent.name}`",
                    "grows with the run, and is whole only when that ends",
                    help=f"add `root: {{linked_to: {parent.name}}}`",
                    secondary=(Label(parent.at.value("name"), "one for the whole run"),),
                )


@rule("TW313", "bucket-cannot-be", liftable=False)
def bucket_cannot_be(subject: Subject) -> Iterator[Finding]:
    """Time is counted towards a bucket once: not by umbrellas, not by spans that overlap."""
    for group in subject.registry.groups:
        if group.spec.umbrella and group.spec.bucket is not None:
            yield Finding(
                group,
                group.at.key("bucket"),
                f"group `{group.name}` is an umbrella and has a bucket",
                "its spans contain others, which would be counted twice",
                help="remove `bucket`, or `umbrella` if its spans contain no others",
                secondary=(Label(group.at.key("umbrella"), "an umbrella"),),
            )
    for span in spans(subject.registry):
        yield from _bucket_of(span)
    if subject.registry.buckets is not None:
        yield from _listed(subject, subject.registry.buckets)


def _bucket_of(span: Span) -> Iterator[Finding]:
    own = span.spec.bucket not in (None, "none")
    if own and span.group.spec.umbrella:
        yield Finding(
            span,
            span.at.key("bucket"),
            f"span `{span.name}` has a bucket, and its group `{span.group.name}` is an umbrella",
            "would be counted twice",
            help="remove `bucket`, or move the span to a group of leaves",
            secondary=(Label(span.group.at.key("umbrella"), "an umbrella"),),
        )
    group = span.group.bucket if span.spec.bucket is None else None
    said = span.spec.bucket if own else None if group is None else group.name
    if span.spec.overlaps and said is not None and not span.group.spec.umbrella:
        yield Finding(
            span,
            span.at.key("overlaps"),
            f"span `{span.name}` overlaps others and counts towards `{said}`",
            "would be counted as often as it overlaps",
            help="move it to an umbrella group, or say `bucket: none`",
            secondary=(Label(span.at.key("bucket") if own else span.group.at.key(), "the bucket"),),
        )


def _listed(subject: Subject, buckets: Buckets) -> Iterator[Finding]:
    """Yield what lists the attribute itself where no bucket may be."""
    key = buckets.attribute.key
    label = (Label(buckets.at.key(), "what buckets are said with"),)
    for span in spans(subject.registry):
        for use in span.attributes:
            if use.attribute.key == key:
                yield Finding(
                    span,
                    use.at.key(),
                    f"span `{span.name}` leaves its bucket to whoever opens it",
                    "a wrong choice would count time twice, or not at all",
                    help="write `bucket:`, if it contains no other span, or remove it",
                    secondary=label,
                )
    for topic in subject.registry.topics:
        for scope in topic.scopes:
            for use in scope.attributes:
                if use.attribute.key == key:
                    yield Finding(
                        scope,
                        use.at.key(),
                        f"scope `{scope.name}` would put every span inside into a bucket",
                        "umbrellas too, which would be counted twice",
                        help="write `rebucket:`, which leaves umbrellas alone",
                        secondary=label,
                    )


def _words(cardinality: Cardinality) -> str:
    return {
        Cardinality.PER_RUN: "with runs",
        Cardinality.PER_STEP: "with steps",
        Cardinality.PER_OPERATION: "with operations",
        Cardinality.PER_ITEM: "with items",
    }[cardinality]
