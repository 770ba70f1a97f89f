"""The fast tier as a process runs it: when it runs, what falls back, and what stays exact."""

from __future__ import annotations

import sys
import threading

import pytest
from opentelemetry import trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import telewright
from telewright import _fast_cells, _fast_family, _guard, _relay
from telewright._fast_span import FastSpan
from telewright._fast_tracer import FastTracer
from telewright._pipeline import Pipeline
from telewright._settings import Arguments, read
from tests.runtime.receiver import values
from tests.runtime.sample import groups, kiln
from tests.runtime.sample.kiln import FaultCode, Outcome, Stage


class Watcher(SpanProcessor):
    """A processor that looks at spans while they are open."""

    def __init__(self):
        self.kinds = []

    def on_start(self, span, parent_context=None):  # noqa: ARG002 - the SDK's signature
        """Remember what kind of span it was."""
        self.kinds.append(type(span))


def threads(work, number=8):
    """Run *work* on several threads that take turns as often as they can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        made = [threading.Thread(target=work) for _ in range(number)]
        for thread in made:
            thread.start()
        for thread in made:
            thread.join()
    finally:
        sys.setswitchinterval(interval)


def test_our_own_spans_arrive_among_those_of_others(receiver):
    """Children of either kind hang together, and applications write on ours as on any span."""
    with telewright.start("all", service="pottery", fast=True):
        with kiln.fire(Stage.GLAZE, batch="b1", kind="gas"):
            current = trace.get_current_span()
            assert type(current) is FastSpan
            current.set_attribute("kiln.shelves", 3)
            with trace.get_tracer("theirs").start_as_current_span("theirs"), kiln.heat():
                pass
        assert telewright.flush()
        books = telewright.stats()
    assert (books.made, books.exported, books.dropped) == (3, 3, {})
    fire, theirs, heat = (receiver.span(n) for n in ("kiln.fire.glaze", "theirs", "kiln.heat"))
    assert values(fire.attributes)["kiln.shelves"] == 3
    assert heat.parent_span_id == theirs.span_id
    assert theirs.parent_span_id == fire.span_id
    assert {fire.trace_id} == {theirs.trace_id, heat.trace_id}


@pytest.mark.usefixtures("receiver")
def test_the_environment_turns_it_on(monkeypatch):
    """``TELEWRIGHT_FAST`` is the argument."""
    monkeypatch.setenv("TELEWRIGHT_FAST", "1")
    with telewright.start("all"):
        assert isinstance(groups.POT.tracer, FastTracer)
    monkeypatch.setenv("TELEWRIGHT_FAST", "0")
    with telewright.start("all", fast=True):
        assert not isinstance(groups.POT.tracer, FastTracer)


@pytest.mark.usefixtures("receiver")
@pytest.mark.parametrize(
    ("variable", "value", "reason"),
    [
        ("OTEL_TRACES_SAMPLER", "always_on", "OTEL_TRACES_SAMPLER is always_on"),
        ("OTEL_PYTHON_SDK_INTERNAL_METRICS_ENABLED", "true", "the SDK is to measure itself"),
    ],
)
def test_what_needs_the_sdk_s_spans_gets_them(variable, value, reason, monkeypatch, caplog):
    """The standard tier runs, and the log says once why."""
    monkeypatch.setenv(variable, value)
    with telewright.start("all", fast=True), kiln.heat():
        assert not isinstance(trace.get_current_span(), FastSpan)
        assert trace.get_current_span().is_recording()
    assert caplog.text.count(f"the standard tier of spans runs: {reason}") == 1


def test_what_is_adopted_stays_the_other_s(caplog):
    """With providers that somebody else has installed, both tiers are the standard one."""
    settings = read(Arguments(fast=True, exporter="none"), "r1")
    pipeline = Pipeline(
        settings,
        adopted=TracerProvider(shutdown_on_exit=False),
        adopted_meters=MeterProvider(shutdown_on_exit=False),
    )
    assert not isinstance(pipeline.tracer(groups.REGISTRY), FastTracer)
    assert "the standard tier of spans runs: the provider is somebody else's" in caplog.text
    assert "the standard tier of metrics runs: the provider is somebody else's" in caplog.text
    pipeline.stop(0, "test")


@pytest.mark.usefixtures("receiver")
def test_the_sampler_that_is_there_anyway_may_be_named(monkeypatch):
    """To ask for what is the default is no reason to fall back."""
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "parentbased_always_on")
    with telewright.start("all", fast=True), kiln.heat():
        assert isinstance(trace.get_current_span(), FastSpan)


@pytest.mark.usefixtures("receiver")
@pytest.mark.parametrize(
    ("variable", "value", "reason"),
    [
        ("OTEL_METRICS_EXEMPLAR_FILTER", "always_on", "every measurement is to have an exemplar"),
        (
            "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION",
            "base2_exponential_bucket_histogram",
            "ExponentialBucketHistogramAggregation is asked for",
        ),
    ],
)
def test_what_needs_the_sdk_s_aggregation_gets_it(variable, value, reason, monkeypatch, caplog):
    """Exemplars of everything, and histograms of another kind, are the SDK's to make."""
    monkeypatch.setenv(variable, value)
    with telewright.start("all", fast=True):
        assert not isinstance(kiln.firing_ms.send.__self__, _fast_family.Family)
    assert reason in caplog.text


def test_a_processor_that_looks_at_open_spans_sees_the_sdk_s(receiver, caplog):
    """From then on the standard tier runs; who wants ended spans alone gets the SDK's of ours."""
    memory, watcher = InMemorySpanExporter(), Watcher()
    with telewright.start("all", fast=True):
        _relay.RELAY.add_span_processor(SimpleSpanProcessor(memory))
        with kiln.fire(Stage.COOL, batch="b", kind="k") as span:
            span.set(shelves=2)
            assert isinstance(trace.get_current_span(), FastSpan)
        (ended,) = memory.get_finished_spans()
        assert type(ended) is ReadableSpan
        assert ended.attributes["kiln.shelves"] == 2
        assert ended.to_json()
        _relay.RELAY.add_span_processor(watcher)
        with kiln.heat():
            assert not isinstance(trace.get_current_span(), FastSpan)
    assert len(watcher.kinds) == 1
    assert caplog.text.count("Watcher looks at spans while they are open") == 1
    assert [span.name for span in receiver.spans] == ["kiln.fire.cool", "kiln.heat"]


def test_spans_that_are_open_at_the_end_are_marked(receiver):
    """The innermost first, as in the standard tier."""
    telewright.start("all", fast=True)
    outer, inner = kiln.heat().open(), kiln.write().open()
    assert telewright.stop()
    assert [span.name for span in receiver.spans] == ["kiln.write", "kiln.heat"]
    assert all(values(span.attributes)["nemo.span.truncated"] for span in receiver.spans)
    outer.close()
    inner.close()


def test_a_span_ends_once_whoever_ends_it(receiver):
    """Of eight threads that end a span and write on it, one does end it, and nothing fails."""
    with telewright.start("all", fast=True):
        for _ in range(50):
            span = groups.POT.tracer.start_span("once")

            def work(span=span):
                span.set_attribute("kiln.potter", "x")
                span.end()
                span.set_attribute("kiln.potter", "y")

            threads(work)
        assert telewright.flush()
    assert len(receiver.spans) == 50
    assert telewright.stats().made == telewright.stats().exported == 50
    assert not _guard.FAILURES


def test_books_are_exact_though_no_lock_is_held(receiver):
    """Eight threads that make spans as fast as they can: each is counted, and arrives."""
    with telewright.start("all", fast=True):

        def work():
            for _ in range(200):
                with kiln.heat():
                    pass

        threads(work)
        assert telewright.flush()
    books = telewright.stats()
    assert books.made == books.exported + sum(books.dropped.values()) == 1_600
    assert len(receiver.spans) == books.exported


@pytest.mark.usefixtures("receiver")
def test_to_write_too_late_is_said_and_changes_nothing(caplog):
    """An ended span stays as it was; the log has one line, not one for each."""
    with telewright.start("all", fast=True):
        span = groups.POT.tracer.start_span("late", attributes={"a": 1})
        span.end()
        span.set_attributes({"a": 2})
        span.add_event("e")
        span.add_link(span.get_span_context())
        span.update_name("x")
        span.set_status(trace.StatusCode.ERROR)
        span.end()
    assert (span.name, dict(span.attributes), span.events) == ("late", {"a": 1}, ())
    assert span.status.status_code is trace.StatusCode.UNSET
    said = [line for line in caplog.records if "has ended" in line.message]
    assert len(said) == 6
    assert sum(line.levelname == "WARNING" for line in said) <= 1


def while_collected(family, work, number=8):
    """Run *work* on several threads, collect meanwhile, and return all that was collected."""
    collected, ended = [], threading.Event()

    def collect():
        while not ended.is_set():
            collected.append(family.collect(1))

    collector = threading.Thread(target=collect)
    collector.start()
    try:
        threads(work, number)
    finally:
        ended.set()
        collector.join()
    return [*collected, family.collect(2)]


class Torn(_fast_cells.SumCell):
    """A cell that lets other threads in while it adds."""

    __slots__ = ()

    def take(self, amount=1):
        """Add an amount, with a call between reading and writing."""
        if self._value is None:
            self._family.begin(self).take(amount)
        else:
            value = self._value
            threading.get_ident()
            self._value = self._plus(value, amount)

    @staticmethod
    def _plus(value, amount):
        return value + amount


def added_by_threads(kind):
    """Return what is collected while eight threads add to cells, 64,000 times."""
    family = _fast_family.Family(
        kind, "x", "1", "x", data=lambda points: points, delta=True, exemplars=True
    )
    take = family.cell({"k": "v"}).take

    def work():
        for number in range(4_000):
            take(1.0)
            family.send(1.0, {"k": f"v{number % 7}"})

    collected = while_collected(family, work)
    return sum(point.value for metric in collected if metric for point in metric.data)


@pytest.mark.parametrize("kind", [_fast_cells.SumCell, _fast_cells.LockedSum])
def test_sums_are_exact_under_threads(kind):
    """Eight threads add while another collects: nothing is lost, or counted twice."""
    assert added_by_threads(kind) == 64_000


@pytest.mark.parametrize("kind", [_fast_cells.SumCell, _fast_cells.LockedSum])
def test_sums_are_exact_while_series_come_and_go(kind):
    """Sixteen thousand series, of which two thousand have room at a time: each amount is in one."""
    family = _fast_family.Family(
        kind, "x", "1", "x", data=lambda points: points, delta=True, exemplars=True
    )
    names = iter(range(16_000))

    def work():
        for _ in range(4_000):
            family.send(1, {"k": f"v{next(names)}"})
            family.send(1, {"k": f"v{next(names)}"})

    collected = while_collected(family, work, number=2)
    assert sum(point.value for metric in collected if metric for point in metric.data) == 16_000


def test_a_sum_that_is_not_exact_is_found():
    """Where another thread can come in between, this shows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading, "excepthook", lambda _: None)  # a value that was just collected
        assert any(added_by_threads(Torn) != 64_000 for _ in range(20))


@pytest.mark.parametrize("kind", [_fast_cells.HistogramCell, _fast_cells.LockedHistogram])
def test_histograms_are_exact_under_threads(kind):
    """Counts, sums and extremes agree, whoever records while they are collected."""
    family = _fast_family.Family(
        kind,
        "x",
        "1",
        "x",
        data=lambda points: points,
        delta=False,
        exemplars=True,
        boundaries=(1.0, 2.0),
    )
    take = family.cell({}).take

    def work():
        for number in range(4_000):
            take(float(number % 4))

    (point,) = while_collected(family, work)[-1].data
    assert (point.count, point.sum, point.min, point.max) == (32_000, 48_000, 0, 3)
    assert point.bucket_counts == (16_000, 8_000, 8_000)


def test_what_is_bound_works_in_every_tier_and_in_none(receiver):
    """A bound instrument outlives starts and stops, and shares its series with the unbound one."""
    timeouts = kiln.faults.bound({"kiln.fault_code": FaultCode.TIMEOUT})
    glazing = kiln.firing_ms.bound({"kiln.stage": Stage.GLAZE, "kiln.outcome": Outcome.OK})
    warmth = kiln.temperature.bound({})
    for fast in (True, False):
        timeouts.add(100)
        with telewright.start("all", fast=fast):
            timeouts.add()
            timeouts.add(2)
            kiln.faults.add(3, code=FaultCode.TIMEOUT)
            glazing.record(7.5)
            glazing.record(-1.0)
            warmth.set(20.5)
            warmth.set(float("nan"))
        assert _guard.VALUES["not_finite"] == 1
        _guard.VALUES.clear()
    assert _points(receiver, "kiln.faults_total") == [6, 6]
    assert _points(receiver, "kiln.temperature") == [20.5, 20.5]
    assert _points(receiver, "kiln.firing_ms") == [1, 1]


def _points(receiver, name):
    return [
        point.count or getattr(point, "sum", 0)
        if metric.HasField("histogram")
        else (point.as_int or point.as_double)
        for request in receiver.metrics
        for scope in request.resource_metrics[0].scope_metrics
        for metric in scope.metrics
        if metric.name == name
        for point in getattr(metric, metric.WhichOneof("data")).data_points
    ]


def test_what_counts_once_cannot_be_bound(caplog):
    """The log says so, and nothing is counted, for there would be no id."""
    bound = kiln.pots.bound({"kiln.stage": Stage.COOL})
    assert "kiln.pots_total counts a thing once" in caplog.text
    with telewright.start("all", exporter="none", metrics=False):
        bound.add()


def test_an_exemplar_names_the_span_it_was_recorded_in(receiver):
    """A duration leads to the span that took it."""
    with telewright.start("all", fast=True), kiln.fire(Stage.GLAZE, batch="b", kind="k"):
        pass
    (metric,) = [
        metric
        for request in receiver.metrics
        for scope in request.resource_metrics[0].scope_metrics
        for metric in scope.metrics
        if metric.name == "kiln.firing_ms"
    ]
    (exemplar,) = metric.histogram.data_points[0].exemplars
    assert exemplar.span_id == receiver.span("kiln.fire.glaze").span_id
