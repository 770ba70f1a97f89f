"""Metrics of OpenTelemetry's dialect, in ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from telewright_codegen.load.otel_annotations import number_of
from telewright_codegen.load.otel_attributes import deprecation, made, stability
from telewright_codegen.spec.common import RequirementSpec
from telewright_codegen.spec.metric import MetricSpec
from telewright_codegen.spec.otel import OtelGroup, OtelLevel
from telewright_codegen.spec.otel2 import Otel2Metric

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telewright_codegen.load.otel_groups import Entry, Group
    from telewright_codegen.spec.common import Requirement

_KINDS: Final = {
    "counter": "counter",
    "updowncounter": "up_down_counter",
    "gauge": "gauge",
    "histogram": "histogram",
}


def metric(
    group: Group, attributes: Mapping[str, tuple[Entry, ...]], annotations: Mapping[str, Any]
) -> MetricSpec | None:
    """Return the metric that *group* describes; None where it does not say all that is needed."""
    spec = group.spec
    if isinstance(spec, OtelGroup):
        name = spec.metric_name
    elif isinstance(spec, Otel2Metric):
        name = spec.name
    else:
        return None
    if name is None or spec.instrument is None or spec.unit is None:
        return None
    fields: dict[str, Any] = {
        _KINDS[spec.instrument]: name,
        "brief": spec.brief,
        "note": spec.note or None,
        "unit": spec.unit,
        "value": number_of(annotations),
        "stability": stability(spec.stability),
        "deprecated": deprecation(spec.deprecated),
        "attributes": {key: _level(entries) for key, entries in attributes.items()},
    }
    return made(MetricSpec, fields)


def _level(entries: tuple[Entry, ...]) -> Requirement:
    for entry in reversed(entries):
        said = getattr(entry.spec, "requirement_level", None)
        if isinstance(said, OtelLevel):
            condition = said.conditionally_required or said.recommended
            if condition is not None:
                return RequirementSpec(recommended=condition)
            return "required" if said.required is not None else "opt_in"
        if said == "conditionally_required":
            return "recommended"
        if isinstance(said, str):
            return said
    return "recommended"
