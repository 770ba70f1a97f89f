"""Instruments: buckets, attributes, who writes them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Label, Severity
from telewright_codegen.lint.rule import Finding, rule
from telewright_codegen.lint.walk import metrics, spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.lint.rule import Subject
    from telewright_codegen.model.signals import Metric, Span

_LAST_BUCKET: Final = {
    "s": (0.01, 1_000_000),
    "ms": (100, 1_000_000_000),
    "us": (1_000, 1_000_000_000_000),
    "By": (1_024, 2**60),
    "min": (1, 100_000),
    "1": (0, 10_000_000),
    "%": (1, 1_000),
}
"""Between what the largest boundary of a unit usually is."""
_SHARE: Final = re.compile(
    r"(^|[._])((?<!learning_)(?<!sample_)(?<!sampling_)rate|ratio|fraction|share|percent|pct)$"
)


@rule("TW305", "histogram-without-buckets", severity=Severity.WARNING)
def histogram_without_buckets(subject: Subject) -> Iterator[Finding]:
    """A histogram says where its buckets end: the default was made for milliseconds."""
    for metric in metrics(subject.registry):
        given = metric.spec.aggregation
        if metric.kind == "histogram" and metric.spec.boundaries is None and given is None:
            yield Finding(
                metric,
                metric.at.value(metric.kind),
                f"histogram `{metric.name}` has no bucket boundaries",
                "gets OpenTelemetry's default, 0 to 10 000",
                help="add `boundaries:`, or an exponential `aggregation:`",
            )


@rule("TW306", "buckets-not-rising", liftable=False)
def buckets_not_rising(subject: Subject) -> Iterator[Finding]:
    """Boundaries rise, each once."""
    for name, bounds in subject.registry.spec.boundaries.items():
        at = subject.registry.at / "boundaries" / name
        if (why := _disorder(bounds)) is not None:
            yield Finding(subject.registry, at.value(), f"boundaries `{name}` {why[0]}", why[1])
    for metric in metrics(subject.registry):
        if not isinstance(metric.spec.boundaries, list) or metric.boundaries is None:
            continue
        if (why := _disorder(metric.boundaries)) is not None:
            place = metric.at.value("boundaries")
            yield Finding(metric, place, f"boundaries of `{metric.name}` {why[0]}", why[1])


def _disorder(bounds: list[float | int] | tuple[float, ...]) -> tuple[str, str] | None:
    if not bounds:
        return ("are empty", "expected one at least")
    for low, high in pairwise(bounds):
        if not low < high:
            return ("do not rise", f"{high:g} after {low:g}")
    return None


@rule("TW307", "buckets-do-not-fit", severity=Severity.WARNING)
def buckets_do_not_fit(subject: Subject) -> Iterator[Finding]:
    """Buckets are in the unit of their histogram."""
    for metric in metrics(subject.registry):
        expected = _LAST_BUCKET.get(metric.unit)
        if not metric.boundaries or expected is None:
            continue
        low, high = expected
        last = max(metric.boundaries)
        if not low <= last <= high:
            yield Finding(
                metric,
                metric.at.value("boundaries"),
                f"the last bucket of `{metric.name}` ends at {last:g} `{metric.unit}`",
                "seems to be in another unit",
                help=f"give the boundaries in `{metric.unit}`, or change the unit",
                secondary=(Label(metric.at.value("unit"), "the unit"),),
            )


@rule("TW314", "gauge-of-many", severity=Severity.WARNING)
def gauge_of_many(subject: Subject) -> Iterator[Finding]:
    """A gauge is written by one process, or its attributes tell the writers apart."""
    roles = subject.registry.spec.processes
    if not any(role.instances == "many" for role in roles.values()):
        return
    for metric in metrics(subject.registry):
        if "gauge" not in metric.kind or metric.attributes or metric.spec.writer is not None:
            continue
        yield Finding(
            metric,
            metric.at.value(metric.kind),
            f"gauge `{metric.name}` may be written by many processes",
            "the last one wins, and nobody knows which that was",
            help="say `writer:`, or add an attribute that tells them apart",
        )


@rule("TW325", "read-by-many", severity=Severity.WARNING)
def read_by_many(subject: Subject) -> Iterator[Finding]:
    """What is read from pages is read by one process."""
    roles = subject.registry.spec.processes
    if not any(role.instances == "many" for role in roles.values()):
        return
    for metric in metrics(subject.registry):
        if metric.source is not None and metric.spec.writer is None:
            yield Finding(
                metric,
                metric.at.key("source"),
                f"`{metric.name}` is read from its pages by every process",
                "each of them asks each page, and reports the same",
                help="say `writer:`, the one role that reads it",
            )


@rule("TW315", "durations-merged", severity=Severity.WARNING)
def durations_merged(subject: Subject) -> Iterator[Finding]:
    """A duration that several kinds of span share has an attribute that tells them apart."""
    users: dict[str, list[Span]] = {}
    for span in spans(subject.registry):
        if span.duration is not None:
            users.setdefault(span.duration.name, []).append(span)
    for found in users.values():
        metric = found[0].duration
        if metric is None or metric.attributes:
            continue
        if len(found) > 1 or found[0].placeholder is not None:
            yield Finding(
                metric,
                metric.at.value(metric.kind),
                f"`{metric.name}` merges the durations of different spans",
                "has no attributes",
                help="add the attribute that tells them apart",
                secondary=tuple(Label(one.at.value("duration"), "recorded here") for one in found),
            )


@rule("TW316", "share-without-window", severity=Severity.WARNING)
def share_without_window(subject: Subject) -> Iterator[Finding]:
    """A gauge of a share says over which time it is taken: one over a whole run flattens."""
    for metric in metrics(subject.registry):
        if "gauge" in metric.kind and _is_share(metric) and metric.spec.window is None:
            yield Finding(
                metric,
                metric.at.value(metric.kind),
                f"`{metric.name}` does not say over which time its share is taken",
                "over one step, or over the run?",
                help="add `window:`, or count both parts and let the backend divide",
            )


def _is_share(metric: Metric) -> bool:
    return _SHARE.search(metric.name) is not None
