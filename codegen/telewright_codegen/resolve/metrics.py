"""Instruments: kind, value, buckets, attributes, and what is counted once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Label
from telewright_codegen.model.signals import Metric
from telewright_codegen.resolve import names
from telewright_codegen.resolve.catalogue import Context, report_unknown
from telewright_codegen.resolve.once import once_per
from telewright_codegen.resolve.sources import source
from telewright_codegen.resolve.uses import resolve_uses
from telewright_codegen.spec.metric import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.resolve.catalogue import Catalogue
    from telewright_codegen.source import At
    from telewright_codegen.spec.metric import InstrumentKind, MetricSpec

_SUMS: Final = ("counter", "up_down_counter", "observable_counter", "observable_up_down_counter")


def declare(catalogue: Catalogue, report: Report) -> None:
    """Resolve every metric that a registry declares."""
    for draft in catalogue.drafts:
        for index, spec in enumerate(draft.spec.metrics):
            at = draft.at / "metrics" / index
            kind = _kind(spec, at, report)
            if kind is None:
                continue
            made = _metric(spec, kind, at, Context(catalogue, draft.home, report))
            twin = None if made is None else catalogue.metrics.setdefault(made.name, made)
            if twin is not made and twin is not None:
                report.error(
                    "TW115",
                    f"metric `{twin.name}` is declared twice",
                    at.value(kind),
                    "declared again here",
                    secondary=(Label(twin.at.value(twin.kind), "first declared here"),),
                    help="keep one of them: both would share one instrument",
                )


def _kind(spec: MetricSpec, at: At, report: Report) -> InstrumentKind | None:
    kinds = spec.instruments
    if len(kinds) == 1:
        return kinds[0]
    report.error(
        "TW125",
        "a metric has exactly one instrument" if kinds else "a metric without an instrument",
        at.key(kinds[1]) if kinds else at.value(),
        "a second one" if kinds else "what is it called, and how is it recorded?",
        secondary=(Label(at.key(kinds[0]), "the first one"),) if kinds else (),
        help="keep one of them" if kinds else f"add one of {', '.join(KINDS)}",
    )
    return None


def _metric(spec: MetricSpec, kind: InstrumentKind, at: At, context: Context) -> Metric | None:
    name: str = getattr(spec, kind)
    helper = spec.as_ or names.metric_helper(name, context.home.topic, context.catalogue.namespaces)
    if helper is None:
        context.report.error(
            "TW207",
            f"nothing of `{name}` is left to call its helper by",
            at.value(kind),
            "is all namespace and topic, or starts with a digit",
            help="add `as:` with a Python name",
        )
        return None
    value = _value(spec, kind)
    attributes = resolve_uses(spec.attributes, at / "attributes", context)
    if spec.writer is not None:
        check_roles([spec.writer], at / "writer", context)
    _check_overflow(spec, at, context)
    return Metric(
        name=name,
        home=context.home,
        kind=kind,
        unit=spec.unit,
        value=value,
        boundaries=_boundaries(spec, kind, at, context),
        attributes=attributes,
        once_per=once_per(spec, at, attributes, context),
        source=source(spec, kind, at, attributes, context),
        helper=helper,
        class_name=names.camel(helper),
        value_param=names.value_param(kind, helper, spec.unit),
        value_default=1 if kind == "counter" and value == "int" and _counts(spec.unit) else None,
        spec=spec,
        at=at,
    )


def _check_overflow(spec: MetricSpec, at: At, context: Context) -> None:
    if spec.overflow is not None and spec.max_series is None:
        context.report.error(
            "TW139",
            "`overflow` of a metric whose series have no limit",
            at.key("overflow"),
            "there is nothing beyond which a series would overflow",
            help="add `max_series:`, or remove it",
        )


def _counts(unit: str) -> bool:
    return unit in {"", "1"} or (unit.startswith("{") and unit.endswith("}"))


def _value(spec: MetricSpec, kind: InstrumentKind) -> Literal["int", "double"]:
    if spec.value is not None:
        return spec.value
    return "int" if kind in _SUMS and (_counts(spec.unit) or spec.unit == "By") else "double"


def _boundaries(
    spec: MetricSpec, kind: InstrumentKind, at: At, context: Context
) -> tuple[float, ...] | None:
    if spec.boundaries is None:
        return None
    if kind != "histogram":
        context.report.error(
            "TW308",
            f"boundaries on a {kind.replace('_', '-')}",
            at.key("boundaries"),
            "only histograms have buckets",
            help="remove `boundaries`, or make it a `histogram`",
        )
        return None
    if isinstance(spec.boundaries, list):
        return tuple(spec.boundaries)
    for one in context.catalogue.visible():
        shared = one.spec.boundaries.get(spec.boundaries)
        if shared is not None:
            return tuple(shared)
    report_unknown(
        context.report,
        "TW109",
        spec.boundaries,
        at.value("boundaries"),
        what="boundaries called",
        known=lambda: {
            known: entry.at.key()
            for one in context.catalogue.visible()
            for known, entry in one.boundaries.items()
        },
    )
    return None


def check_roles(roles: Sequence[str], at: At, context: Context) -> None:
    """Report the *roles* written at *at* that are no processes."""
    for index, role in enumerate(roles):
        if context.catalogue.find(lambda one: one.processes, role) is None:
            written = at.value()
            place = written if len(roles) == 1 else at.value(index)
            report_unknown(
                context.report,
                "TW106",
                role,
                place,
                what="process",
                known=lambda: {
                    known: entry.at.key()
                    for one in context.catalogue.visible()
                    for known, entry in one.processes.items()
                },
                where="not among the `processes` of this registry or one that it uses",
            )
