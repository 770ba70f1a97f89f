"""Random programs that measure, and a machine that runs one of them in either tier.

The clock moves only between steps, so that both tiers see the same times.
"""

from __future__ import annotations

from contextlib import ExitStack
from unittest import mock

from hypothesis import strategies as st
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.common.metrics_encoder import encode_metrics
from opentelemetry.sdk import metrics as sdk
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import AggregationTemporality, InMemoryMetricReader
from opentelemetry.sdk.resources import Resource

from telewright import _exemplars, _gates, _guard
from telewright._fast_meter import FastMetrics
from telewright._guard_export import ExportGuard
from tests.runtime.fast_programs import Odd, silence
from tests.runtime.sample import kiln

_SDK = "opentelemetry.sdk.metrics._internal"
_CLOCKS = [
    *(f"{_SDK}.{name}.time_ns" for name in ("instrument", "measurement_consumer")),
    *(f"{_SDK}.{name}.time_ns" for name in ("metric_reader_storage", "_view_instrument_match")),
    *(f"telewright._fast_{name}.time_ns" for name in ("cells", "family", "meter")),
]

NUMBERS = st.one_of(
    st.integers(-3, 1_000),
    st.floats(0, 5_000),
    st.floats(),
    st.integers(-(2**40), 2**40),
    st.sampled_from([True, None, "x", b"x", 2**63, 1e70, -0.0, 1.0, Odd()]),
)
CODES = st.sampled_from(kiln.FaultCode) | st.text(max_size=2)
TOWNS = st.text("abc", max_size=1) | st.just(None) | st.just(Odd())

CALLS = st.one_of(
    st.tuples(st.just("faults"), NUMBERS, CODES),
    st.tuples(st.just("visitors"), NUMBERS, TOWNS),
    st.tuples(st.just("loaded"), NUMBERS),
    st.tuples(st.just("temperature"), NUMBERS),
    st.tuples(st.just("firing"), NUMBERS, st.sampled_from(kiln.Stage), st.just("ok")),
    st.tuples(st.just("pots"), NUMBERS, st.sampled_from(kiln.Stage), st.text("ab", max_size=1)),
    st.tuples(st.just("bound faults"), NUMBERS),
    st.tuples(st.just("bound visitors"), NUMBERS),
    st.tuples(st.just("bound loaded"), NUMBERS),
    st.tuples(st.just("bound temperature"), NUMBERS),
    st.tuples(st.just("bound firing"), NUMBERS),
    st.tuples(st.just("collect")),
)
PROGRAMS = st.lists(
    st.recursive(
        CALLS,
        lambda below: st.tuples(
            st.just("within"),
            st.integers(0, 3),
            st.booleans(),
            st.lists(below, min_size=1, max_size=5),
        ),
        max_leaves=30,
    ),
    min_size=1,
    max_size=20,
)
KINDS = (sdk.Counter, sdk.UpDownCounter, sdk.Histogram, sdk.ObservableCounter)
TEMPORALITIES = st.fixed_dictionaries(
    {
        kind: st.sampled_from([AggregationTemporality.DELTA, AggregationTemporality.CUMULATIVE])
        for kind in KINDS
    }
)


def run(program, *, fast, temporality):
    """Run *program* in one of the tiers, and return what each export was, and what was lost."""
    return _Machine(fast=fast, temporality=temporality).run(program)


class _Machine:
    """One process's telemetry of metrics, without export."""

    def __init__(self, *, fast, temporality):
        self.reader = InMemoryMetricReader(preferred_temporality=temporality)
        resource = Resource({})
        self.provider = MeterProvider(
            [self.reader],
            resource=resource,
            shutdown_on_exit=False,
            views=[_exemplars.view()],
        )
        self.fast = FastMetrics({"preferred_temporality": temporality}, resource) if fast else None
        self.now, self.span, self.exports = 1_000_000, 0, []

    def _meter(self, registry):
        meter = self.provider.get_meter(registry.scope, registry.version, registry.schema_url)
        return meter if self.fast is None else self.fast.meter(meter, registry)

    def run(self, program):
        _guard.VALUES.clear()
        with ExitStack() as stack:
            stack.enter_context(silence())
            for clock in _CLOCKS:
                stack.enter_context(mock.patch(clock, self._time))
            _gates.Source("all", None, None, self._meter).open()
            stack.callback(_gates.shut)
            self._bind()
            stack.callback(kiln.gas_used.forget, kiln.gas_used.observe(self._gas))
            self._body(program)
            self._collect()
        lost = dict(_guard.VALUES)
        lost.pop("negative", None)  # the SDK does not count those of a histogram
        return self.exports, lost

    def _time(self):
        return self.now

    def _bind(self):
        self.bound_faults = kiln.faults.bound({"kiln.fault_code": kiln.FaultCode.TIMEOUT})
        self.bound_visitors = kiln.visitors.bound({"kiln.town": "z"})
        self.bound_loaded = kiln.loaded.bound({})
        self.bound_temperature = kiln.temperature.bound({})
        self.bound_firing = kiln.firing_ms.bound(
            {"kiln.stage": kiln.Stage.GLAZE, "kiln.outcome": kiln.Outcome.OK}
        )

    def _gas(self):
        return [kiln.gas_used.point(float(self.now), burner="b")]

    def _body(self, body):
        for what, *given in body:
            self.now += 1_000
            getattr(self, f"_{what.replace(' ', '_')}")(*given)

    def _within(self, flags, remote, body):
        self.span += 1
        context = trace.SpanContext(self.span, self.span, remote, trace.TraceFlags(flags))
        with trace.use_span(trace.NonRecordingSpan(context)):
            self._body(body)

    def _collect(self):
        data = self.reader.get_metrics_data()
        if self.fast is not None:
            data = self.fast.merge(data)
        self.exports.append(None if data is None else _plain(ExportGuard().metrics(data)))

    def _faults(self, value, code):
        kiln.faults.add(value, code=code)

    def _visitors(self, value, town):
        kiln.visitors.add(value, town=town)

    def _loaded(self, value):
        kiln.loaded.add(value)

    def _temperature(self, value):
        kiln.temperature.set(value)

    def _firing(self, value, stage, outcome):
        kiln.firing_ms.record(value, stage=stage, outcome=kiln.Outcome(outcome))

    def _pots(self, value, stage, batch):
        kiln.pots.add(value, stage=stage, batch=batch)

    def _bound_faults(self, value):
        self.bound_faults.add(value)

    def _bound_visitors(self, value):
        self.bound_visitors.add(value)

    def _bound_loaded(self, value):
        self.bound_loaded.add(value)

    def _bound_temperature(self, value):
        self.bound_temperature.set(value)

    def _bound_firing(self, value):
        self.bound_firing.record(value)


def _plain(data):
    """Return the OTLP messages of *data* as bytes, in an order of their own.

    The SDK has instruments and series in the order in which they were first used. A gauge has no
    exemplars in the fast tier.
    """
    found = []
    for resource in encode_metrics(data).resource_metrics:
        for scope in resource.scope_metrics:
            for metric in scope.metrics:
                kind = metric.WhichOneof("data")
                points = getattr(metric, kind).data_points
                for point in points:
                    if kind == "gauge":
                        del point.exemplars[:]
                ordered = sorted(
                    points, key=lambda point: point.SerializeToString(deterministic=True)
                )
                del points[:]
                points.extend(ordered)
                found.append(
                    (
                        scope.scope.name,
                        scope.schema_url,
                        metric.SerializeToString(deterministic=True),
                    )
                )
    return sorted(found)
