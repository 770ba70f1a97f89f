"""Exemplars: a data point names the last span that it was recorded in, whatever tier runs."""

from __future__ import annotations

import random

import pytest
from opentelemetry.context import Context
from opentelemetry.sdk.metrics import TraceBasedExemplarFilter
from opentelemetry.trace import INVALID_SPAN, NonRecordingSpan, SpanContext, TraceFlags

import telewright
from telewright._api import SPAN_KEY
from telewright._exemplars import InSampledSpan, only
from telewright.base import Counter, Histogram
from tests.runtime.receiver import values
from tests.runtime.sample import groups, kiln
from tests.runtime.sample.kiln import Outcome, Stage


def exemplars(receiver, name):
    """Return the exemplars of a metric's only data point, as span id and value."""
    (point,) = [
        point
        for request in receiver.metrics
        for scope in request.resource_metrics[0].scope_metrics
        for metric in scope.metrics
        if metric.name == name
        for point in getattr(metric, metric.WhichOneof("data")).data_points
    ]
    return [(one.span_id, one.as_int or one.as_double) for one in point.exemplars]


@pytest.mark.parametrize("fast", [False, True])
def test_the_last_measurement_inside_a_span_counts(fast, receiver):
    """A sum has one exemplar, a histogram one for each bucket; outside of spans there is none."""
    with telewright.start("all", fast=fast):
        with kiln.heat():
            for number in range(1, 4):
                kiln.faults.add(number, code="timeout")
                kiln.firing_ms.record(number / 2, stage=Stage.GLAZE, outcome=Outcome.OK)
        kiln.faults.add(9, code="timeout")
        kiln.loaded.add(3)
    heat = receiver.span("kiln.heat").span_id
    assert exemplars(receiver, "kiln.faults_total") == [(heat, 3)]
    found = exemplars(receiver, "kiln.firing_ms")
    assert {span for span, _ in found} == {heat}
    assert found[-1] == (heat, 1.5)
    assert exemplars(receiver, "kiln.loaded") == []


@pytest.mark.parametrize("fast", [False, True])
def test_who_wants_none_gets_none(fast, receiver, monkeypatch):
    """OpenTelemetry's variable decides, in either tier."""
    monkeypatch.setenv("OTEL_METRICS_EXEMPLAR_FILTER", "always_off")
    with telewright.start("all", fast=fast), kiln.heat():
        kiln.faults.add(1, code="timeout")
        kiln.firing_ms.record(1, stage=Stage.GLAZE, outcome=Outcome.OK)
    assert exemplars(receiver, "kiln.faults_total") == []
    assert exemplars(receiver, "kiln.firing_ms") == []


@pytest.mark.parametrize("said", ["", " "])
@pytest.mark.parametrize("fast", [False, True])
def test_a_variable_that_is_empty_chooses_nothing(fast, said, receiver, monkeypatch):
    """As OpenTelemetry has it; a blank one, at which the SDK would fail, is as empty."""
    monkeypatch.setenv("OTEL_METRICS_EXEMPLAR_FILTER", said)
    with telewright.start("all", fast=fast), kiln.heat():
        kiln.faults.add(1, code="timeout")
    heat = receiver.span("kiln.heat").span_id
    assert exemplars(receiver, "kiln.faults_total") == [(heat, 1)]


@pytest.mark.parametrize("fast", [False, True])
def test_what_has_no_series_of_its_own_is_told_by_its_exemplar(fast, receiver):
    """Among what there is no room for, the labels of what was measured are the exemplar's."""
    counter = Counter(groups.REGISTRY, "kiln.many", unit="1", brief="x", integer=True)
    histogram = Histogram(groups.REGISTRY, "kiln.long", unit="1", brief="x", boundaries=(5,))
    try:
        with telewright.start("all", fast=fast), kiln.heat():
            for number in range(2_010):
                counter._record(1, {"kiln.town": f"t{number}"})
                histogram._record(float(number % 10), {"kiln.town": f"t{number}"})
    finally:
        for one in (counter, histogram):
            groups.REGISTRY.instruments.remove(one)
    found = [
        [values(one.filtered_attributes)["kiln.town"] for one in point.exemplars]
        for name in ("kiln.many", "kiln.long")
        for point in receiver.exports(name)[-1]
        if "otel.metric.overflow" in values(point.attributes)
    ]
    assert found == [["t2009"], ["t2005", "t2009"]]


@pytest.mark.usefixtures("receiver")
@pytest.mark.parametrize("fast", [False, True])
def test_no_lot_is_drawn_from_the_application_s_stream(fast):
    """However often a series is counted inside a span, `random` stays where it was."""
    with telewright.start("all", fast=fast), kiln.heat():
        random.seed(7)
        before = random.getstate()
        for _ in range(20):
            kiln.faults.add(code="timeout")
            kiln.temperature.set(1.0)
            kiln.loaded.add(1)
        assert random.getstate() == before


SPANS = [
    None,
    "no span",
    INVALID_SPAN,
    *(
        NonRecordingSpan(SpanContext(1, 2, is_remote=remote, trace_flags=TraceFlags(flags)))
        for remote in (False, True)
        for flags in (0, 1, 2, 3)
    ),
]


@pytest.mark.parametrize("span", SPANS)
def test_the_filter_takes_what_the_sdk_s_takes(span):
    """Under every kind of current span, and under what is none."""
    context = Context() if span is None else Context({SPAN_KEY: span})
    asked = (1.0, 1, {}, context)
    assert InSampledSpan().should_sample(*asked) is TraceBasedExemplarFilter().should_sample(*asked)


def test_the_environment_chooses_the_filter(monkeypatch):
    """A filter that OpenTelemetry's variable names is left to the SDK, which makes it."""
    monkeypatch.delenv("OTEL_METRICS_EXEMPLAR_FILTER", raising=False)
    assert isinstance(only(), InSampledSpan)
    monkeypatch.setenv("OTEL_METRICS_EXEMPLAR_FILTER", "always_on")
    assert only() is None
