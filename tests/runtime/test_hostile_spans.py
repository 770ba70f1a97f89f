"""The current span, whoever calls it with what: nothing gets out, and the span arrives."""

from __future__ import annotations

import pytest
from opentelemetry import trace

import telewright
from tests.runtime.fast_programs import silence
from tests.runtime.hostile_calls import CALLS, VALUES, call_all
from tests.runtime.interpreter import succeeds
from tests.runtime.sample import kiln


def past():
    """Open a block of what is over."""
    return kiln.heat().between(1_000.0, 1_001.0)


@pytest.mark.behaviour("B132")
@pytest.mark.parametrize("make", [kiln.heat, past], ids=["open", "over"])
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("fast", [False, True], ids=["standard", "fast"])
def test_a_bad_call_costs_no_span(receiver, fast, call, make):
    """Spans of ours raise nothing; whoever's it is, the span itself arrives."""
    with silence(), telewright.start("kiln.firing", fast=fast, metrics=False):
        escaped = call_all(CALLS[call], make)
    assert len(receiver.spans) == len(VALUES)
    if fast or make is past:
        assert escaped == []


@pytest.mark.parametrize("fast", [False, True])
def test_a_bad_event_costs_itself(receiver, fast):
    """One with a time that is none is left out and counted; its neighbours stay."""
    with telewright.start("kiln.firing", fast=fast, metrics=False), kiln.heat():
        span = trace.get_current_span()
        span.add_event("first")
        span.add_event("when", {}, "noon")
        span.add_event("last", {}, 5)
    (sent,) = receiver.spans
    assert [event.name for event in sent.events] == ["first", "last"]
    assert sent.dropped_events_count == 1


@pytest.mark.parametrize("make", [kiln.heat, past], ids=["open", "over"])
@pytest.mark.parametrize("fast", [False, True])
def test_what_is_no_status_is_ignored(receiver, fast, make):
    """The status that it had stays, and its description."""
    with telewright.start("kiln.firing", fast=fast, metrics=False), make():
        span = trace.get_current_span()
        span.set_status(trace.StatusCode.ERROR, "cracked")
        for bad in ("OK", 1, None):
            span.set_status(bad)
    (sent,) = receiver.spans
    assert (sent.status.code, sent.status.message) == (2, "cracked")


ADOPTED = """
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from tests.runtime.hostile_calls import CALLS, VALUES, call_all
from tests.runtime.interpreter import succeeds
from tests.runtime.receiver import Receiver
from tests.runtime.sample import kiln
import telewright

with Receiver() as receiver:
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(receiver.url + "/v1/traces")))
    trace.set_tracer_provider(provider)
    telewright.adopt("all", metrics=False)
    for name, call in CALLS.items():
        for make in (kiln.heat, lambda: kiln.heat().between(1_000.0, 1_001.0)):
            receiver.traces.clear()
            escaped = call_all(call, make)
            assert telewright.flush(), name
            if escaped or len(receiver.spans) != len(VALUES):
                print(name, escaped, len(receiver.spans))
    stats = telewright.stats()
    print(stats.made == stats.exported == 2 * len(CALLS) * len(VALUES))
    telewright.stop()
    provider.shutdown()
"""


@pytest.mark.behaviour("B072", "B132")
def test_a_bad_call_costs_no_batch_of_theirs():
    """A span that is handed over raises nothing, and holds nothing that cannot be encoded."""
    lines, _ = succeeds(ADOPTED)
    assert lines == ["True"]


def test_a_bad_key_costs_itself():
    """What else there is in the mapping is handed over."""
    lines, _ = succeeds("""
        from opentelemetry import trace
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor
        from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
        memory, provider = InMemorySpanExporter(), TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(memory))
        trace.set_tracer_provider(provider)
        import telewright
        from tests.runtime.sample import kiln
        with telewright.adopt("all", metrics=False), kiln.heat():
            trace.get_current_span().set_attributes({5: 1, "kiln.town": "here", None: 2})
        print(dict(memory.get_finished_spans()[0].attributes))
        print(telewright.stats().values["unfit_type"])
    """)
    assert lines == ["{'kiln.town': 'here'}", "2"]
