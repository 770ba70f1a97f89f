"""Three backends under one face: what tests of helpers look at is the same with either."""

from __future__ import annotations

from opentelemetry import trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import (
    InMemorySpanExporter,
)

from telewright import _gates
from telewright._books import Ledger
from telewright._fast_meter import FastMetrics
from telewright._fast_span import FastSpan
from telewright._fast_tracer import FastQueue
from telewright._processor import ScopeProcessor
from telewright._recording import RecordingTracer
from telewright._recording_meter import RecordingMeter
from telewright.testing import Captured, Event, Link, Span


class RecordingProbe:
    """The backend of `telewright.testing`."""

    def __init__(self):
        self._recorded = Captured([], [])

    def start(self, groups="default", *, process=None, traces=True, metrics=True):
        _gates.Source(
            groups,
            process,
            (lambda registry: self.tracer(registry.scope)) if traces else None,
            (lambda registry: self._meter(registry.scope)) if metrics else None,
        ).open()

    def tracer(self, name):
        return RecordingTracer(name, self._recorded.keep)

    def _meter(self, name):
        return RecordingMeter(name, self._recorded._recorders)

    @property
    def spans(self):
        return self._recorded.spans

    def span(self, name):
        return self._recorded.span(name)

    def points(self, name):
        return {
            tuple(point.attributes.values()): point.value for point in self._recorded.points(name)
        }

    def counts(self, name):
        return {
            tuple(point.attributes.values()): point.count for point in self._recorded.points(name)
        }

    def close(self):
        _gates.shut()


class SdkProbe:
    """The SDK, with exporters in memory."""

    def __init__(self):
        self.exporter = InMemorySpanExporter()
        self.reader = InMemoryMetricReader()
        self.tracer_provider = TracerProvider(shutdown_on_exit=False)
        self.tracer_provider.add_span_processor(ScopeProcessor())
        self.tracer_provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.meter_provider = MeterProvider([self.reader], shutdown_on_exit=False)

    def start(self, groups="default", *, process=None, traces=True, metrics=True):
        _gates.Source(
            groups,
            process,
            (lambda registry: self.tracer(registry.scope)) if traces else None,
            (lambda registry: self.meter_provider.get_meter(registry.scope)) if metrics else None,
        ).open()

    def tracer(self, name):
        return self.tracer_provider.get_tracer(name)

    @property
    def spans(self):
        ended = self.exporter.get_finished_spans()
        names = {span.context.span_id: span.name for span in ended}
        return [_span(span, names) for span in ended]

    def span(self, name):
        (found,) = [span for span in self.spans if span.name == name]
        return found

    def _collected(self):
        return self.reader.get_metrics_data()

    def _data_points(self, name):
        data = self._collected()
        return [
            point
            for resource in (data.resource_metrics if data else ())
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if metric.name == name
            for point in metric.data.data_points
        ]

    def points(self, name):
        return {
            tuple(point.attributes.values()): getattr(point, "value", None)
            if hasattr(point, "value")
            else point.sum
            for point in self._data_points(name)
        }

    def counts(self, name):
        return {tuple(point.attributes.values()): point.count for point in self._data_points(name)}

    def close(self):
        _gates.shut()


class FastProbe(SdkProbe):
    """The fast tier, whose spans and cells stay in memory."""

    def __init__(self):
        super().__init__()
        self.queue = FastQueue(self, Ledger(), SpanLimits())
        self.tracer_provider = TracerProvider(
            active_span_processor=self.queue, shutdown_on_exit=False
        )
        self.cells = FastMetrics({}, Resource({}))

    def put(self, span):
        """Take a span that has ended, in the place of a queue."""
        self.exporter.export([span.readable() if isinstance(span, FastSpan) else span])

    def start(self, groups="default", *, process=None, traces=True, metrics=True):
        _gates.Source(
            groups, process, self._fast_tracer if traces else None, self._meter if metrics else None
        ).open()

    def _fast_tracer(self, registry):
        return self.queue.tracer(self.tracer(registry.scope), registry)

    def _meter(self, registry):
        return self.cells.meter(self.meter_provider.get_meter(registry.scope), registry)

    def _collected(self):
        return self.cells.merge(super()._collected())


def _span(span, names):
    parent = span.parent
    return Span(
        name=span.name,
        attributes=dict(span.attributes),
        kind=span.kind.name.lower(),
        status=span.status.status_code.name.lower(),
        description=span.status.description,
        events=tuple(Event(event.name, dict(event.attributes)) for event in span.events),
        links=tuple(
            Link(
                trace.format_trace_id(link.context.trace_id),
                trace.format_span_id(link.context.span_id),
            )
            for link in span.links
        ),
        scope=span.instrumentation_scope.name,
        trace_id=trace.format_trace_id(span.context.trace_id),
        span_id=trace.format_span_id(span.context.span_id),
        parent_id=None if parent is None else trace.format_span_id(parent.span_id),
        parent=None if parent is None else names.get(parent.span_id),
        seconds=0.0,
    )
