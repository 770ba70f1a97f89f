"""The histogram that the duration of a span goes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Label
from telewright_codegen.resolve.catalogue import report_unknown

if TYPE_CHECKING:
    from collections.abc import Container

    from telewright_codegen.model.signals import Attribute, Metric
    from telewright_codegen.resolve.catalogue import Context, SpanEntry

UNITS: Final = frozenset(["ns", "us", "ms", "s", "min", "h"])
"""Units that a duration can be recorded in."""


def duration_of(entry: SpanEntry, known: Container[Attribute], context: Context) -> Metric | None:
    """Return the metric that *entry* times itself with.

    Args:
        entry: The span.
        known: The attributes that it knows when it ends, whatever happens.
        context: Where it is.
    """
    name = entry.spec.duration
    if name is None:
        return None
    place = entry.at.value("duration")
    report = context.report
    metric = context.catalogue.metrics.get(name)
    if metric is None:
        report_unknown(
            report,
            "TW105",
            name,
            place,
            what="metric",
            known=lambda: {
                title: other.at.value(other.kind)
                for title, other in context.catalogue.metrics.items()
                if other.kind == "histogram"
            },
            where="not declared in this registry",
        )
        return None
    if metric.kind != "histogram" or metric.unit not in UNITS or metric.once_per:
        report.error(
            "TW119",
            f"`{name}` cannot record how long a span took",
            place,
            "must be a plain histogram with a unit of time",
            secondary=(Label(metric.at.value(metric.kind), f"{metric.kind} in `{metric.unit}`"),),
            help="name another metric, or record this one by hand",
        )
        return None
    if metric.home != entry.home:
        report.error(
            "TW119",
            f"`{name}` is in topic `{metric.home.topic}`, its span in `{entry.home.topic}`",
            place,
            "a span and its duration share a module",
            secondary=(Label(metric.at.value(metric.kind), "declared here"),),
            help="move one of them",
        )
        return None
    for use in metric.attributes:
        if use.level == "required" and use.attribute not in known:
            report.error(
                "TW119",
                f"span `{entry.name}` may not know `{use.attribute.key}` when it ends",
                place,
                "the metric requires it",
                secondary=(Label(use.at.key(), "required here"),),
                help="make it `required` on the span, or `recommended` on the metric",
            )
            return None
    return metric
