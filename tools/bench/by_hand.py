"""What rollouts.py measures beside the helpers: the same spans and counts with the SDK alone."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor


class ByHand:
    """An application that holds OpenTelemetry's tracer and counter itself."""

    def __init__(self) -> None:
        resource = Resource.create({"service.name": "bench"})
        self._traces = TracerProvider(resource=resource)
        self._traces.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        reader = PeriodicExportingMetricReader(OTLPMetricExporter())
        self._metrics = MeterProvider([reader], resource=resource)
        self._tracer = self._traces.get_tracer("bench")
        self._count = self._metrics.get_meter("bench").create_counter("completed").add

    def dispatch(self, name: str) -> AbstractContextManager[object]:
        """Open a rollout."""
        attributes = {
            "nemo.gym.rollout.dispatch.name": "bench",
            "nemo.gym.rollout.id": name,
        }
        return self._tracer.start_as_current_span("dispatch", attributes=attributes)

    def agent(self, name: str) -> AbstractContextManager[object]:
        """Open an agent's turn."""
        attributes = {"nemo.gym.server.name": "agent", "nemo.gym.rollout.id": name}
        return self._tracer.start_as_current_span("agent", attributes=attributes)

    def model(self, name: str) -> AbstractContextManager[object]:
        """Open a model's answer."""
        attributes = {"nemo.gym.server.name": "model", "nemo.gym.rollout.id": name}
        return self._tracer.start_as_current_span("model", attributes=attributes)

    def count(self) -> None:
        """Count a rollout."""
        self._count(
            1,
            {
                "nemo.gym.rollout.outcome": "scored",
                "nemo.gym.rollout.dispatch.name": "bench",
            },
        )

    def stop(self) -> dict[str, Any]:
        """Export the rest; the SDK does not say how much it exported."""
        self._traces.shutdown()
        self._metrics.shutdown()
        return {"made": 0, "exported": 0, "dropped": 0}
