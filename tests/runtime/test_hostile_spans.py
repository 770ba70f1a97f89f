"""The current span, whoever calls it with what: nothing gets out, and the span arrives."""

from __future__ import annotations

import pytest
from opentelemetry import trace

import telewright
from tests.runtime.hostile_calls import CALLS, VALUES, call_all
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
    with telewright.start("kiln.firing", fast=fast, metrics=False):
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
