"""What tests of HTTP share: open gates, and a server."""

from __future__ import annotations

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.runtime.http.serving import REGISTRY, application, served

from telewright._group import TRACES


@pytest.fixture
def spans():
    """Open the gates on a provider of its own; return the exporter."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("telewright.test-http")
    TRACES.on = True
    for group in REGISTRY.groups:
        group.tracer, group.chosen = tracer, True
        group.refresh()
    yield exporter
    TRACES.on = False
    for group in REGISTRY.groups:
        group.chosen = False
        group.refresh()


@pytest.fixture
def server():
    """Serve the application on a free port; return it with its address."""
    app = application()
    with served(app) as app.state.url:
        yield app
