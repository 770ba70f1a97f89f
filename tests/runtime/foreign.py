"""Processes whose telemetry is somebody else's, all three signals of it."""

from __future__ import annotations

from tests.runtime.interpreter import succeeds

BEFORE = """
    import logging
    from opentelemetry import metrics, trace
    from opentelemetry._logs import set_logger_provider
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import InMemoryMetricReader
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    CANARY = "sk-proj-" + "a1B2" * 12
    memory, points, records = (
        InMemorySpanExporter(), InMemoryMetricReader(), InMemoryLogRecordExporter()
    )
    resource = Resource({"service.name": "theirs", "deploy.note": f"with {CANARY}"})
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(memory))
    meters, loggers = MeterProvider([points], resource=resource), LoggerProvider(resource=resource)
    loggers.add_log_record_processor(SimpleLogRecordProcessor(records))
    trace.set_tracer_provider(provider)
    metrics.set_meter_provider(meters)
    set_logger_provider(loggers)
    counter = metrics.get_meter("theirs").create_counter("theirs")

    def leak():
        memory.clear()
        records.clear()
        with trace.get_tracer("theirs").start_as_current_span(f"about {CANARY}") as span:
            span.set_attribute("url", f"https://u:{CANARY}@host/x")
            span.add_event("seen", {"what": CANARY})
        counter.add(1, {"who": CANARY})
        loggers.get_logger("theirs").emit(body=f"token {CANARY}", attributes={"x": CANARY})
        provider.force_flush()
        return {
            "spans": "a1B2" in "".join(span.to_json() for span in memory.get_finished_spans()),
            "points": "a1B2" in points.get_metrics_data().to_json(),
            "logs": "a1B2" in "".join(one.to_json() for one in records.get_finished_logs()),
        }

    import telewright
    from tests.runtime.sample import kiln
"""


def run(*code, **environ):
    """Run *code* in a process whose telemetry is somebody else's; return its lines, and its log."""
    return succeeds(BEFORE, *code, **environ)
