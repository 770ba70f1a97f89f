"""One request is one CLIENT span and one SERVER span, whoever makes and exports the spans."""

from __future__ import annotations

import pytest
from tests.runtime.interpreter import succeeds

CODE = """
import asyncio
import httpx
import telewright
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from telewright.gym import groups, http_client
from telewright.http import TracedServer, TracedTransport

memory, mode = InMemorySpanExporter(), {mode!r}
if mode == "adopted":
    trace.set_tracer_provider(TracerProvider())
    telewright.adopt("all", strict=True)
else:
    telewright.start("all", exporter="file", path={path!r}, fast=mode == "fast")
trace.get_tracer_provider().add_span_processor(SimpleSpanProcessor(memory))

def request(method, url):
    return http_client.request(method, url_full=url)

def answers(_request):
    return httpx.Response(200)

def send(times=1):
    with httpx.Client(transport=TracedTransport(request, httpx.MockTransport(answers))) as client:
        for _ in range(times):
            client.get("http://host/x")

async def application(_scope, _receive, send):
    await send({{"type": "http.response.start", "status": 200, "headers": []}})
    await send({{"type": "http.response.body", "body": b""}})

server = TracedServer(TracedServer(application, groups.SERVER), groups.SERVER)

async def serve():
    transport = httpx.ASGITransport(server)
    async with httpx.AsyncClient(transport=transport, base_url="http://host") as client:
        await client.get("/y")

def kinds():
    found = [span.kind.name for span in memory.get_finished_spans()]
    memory.clear()
    return found
"""


def run(code, folder, mode="adopted"):
    """Run *code* where *mode* says whose spans there are, and return its lines."""
    lines, log = succeeds(CODE.format(mode=mode, path=str(folder)), code)
    assert "could not" not in log
    return lines


@pytest.mark.behaviour("B101")
@pytest.mark.parametrize("mode", ["standard", "fast", "adopted"])
def test_attempts_and_hops_open_nothing(mode, tmp_path):
    """Attempts inside a CLIENT span, and a middleware inside another, are of the span they have."""
    lines = run(
        """
        with request("GET", "http://host/logical"):
            send(3)
        asyncio.run(serve())
        print(kinds())
        """,
        tmp_path,
        mode,
    )
    assert lines == ["['CLIENT', 'SERVER']"]


@pytest.mark.behaviour("B101")
@pytest.mark.parametrize("mode", ["standard", "adopted"])
def test_under_spans_of_others_there_is_no_second_one(mode, tmp_path):
    """Under their CLIENT and SERVER spans none is opened; under one of another kind each is."""
    lines = run(
        """
        theirs = trace.get_tracer("theirs")
        for kind in (trace.SpanKind.CLIENT, trace.SpanKind.SERVER, trace.SpanKind.INTERNAL):
            with theirs.start_as_current_span("theirs", kind=kind):
                send()
                asyncio.run(serve())
            print(kinds())
        """,
        tmp_path,
        mode,
    )
    assert lines == [
        "['SERVER', 'CLIENT']",
        "['CLIENT', 'SERVER']",
        "['CLIENT', 'SERVER', 'INTERNAL']",
    ]


def test_spans_that_say_their_kind_by_name_say_it(tmp_path):
    """A kind may be a text, as that of ddtrace; one without any is of no kind that is known."""
    lines = run(
        """
        class Theirs(trace.NonRecordingSpan):
            def is_recording(self):
                return True

        class Named(Theirs):
            kind = "client"

        context = trace.SpanContext(1, 2, is_remote=False, trace_flags=trace.TraceFlags(1))
        for span in (Named(context), Theirs(context)):
            with trace.use_span(span):
                send()
            print(kinds())
        """,
        tmp_path,
    )
    assert lines == ["[]", "['CLIENT']"]


@pytest.mark.parametrize("mode", ["standard", "fast", "adopted"])
def test_a_span_that_has_ended_is_not_open(mode, tmp_path):
    """A task that outlives the request it began in has CLIENT spans of its own."""
    lines = run(
        """
        span = request("GET", "http://host/logical").open()
        with span.current():
            span.close()
            send()
        print(kinds())
        """,
        tmp_path,
        mode,
    )
    assert lines == ["['CLIENT', 'CLIENT']"]
