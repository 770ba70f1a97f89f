"""Limits of what one span holds: what there was no room for is counted where it is exported."""

from __future__ import annotations

import pytest
from opentelemetry import trace

import telewright
from tests.runtime.sample import kiln


@pytest.mark.parametrize("fast", [False, True])
def test_what_had_no_room_is_counted_on_the_span(fast, receiver, monkeypatch):
    """Attributes, events and links of a span, and attributes of those: the numbers arrive."""
    for name in (
        *("SPAN_ATTRIBUTE", "SPAN_EVENT", "SPAN_LINK", "EVENT_ATTRIBUTE", "LINK_ATTRIBUTE"),
        "ATTRIBUTE",
    ):
        monkeypatch.setenv(f"OTEL_{name}_COUNT_LIMIT", "2")
    many = {"http.route": "/a", "http.request.method": "GET", "url.scheme": "x", "url.path": "/b"}
    with telewright.start("all", fast=fast), kiln.heat():
        span = trace.get_current_span()
        span.set_attributes({"kiln.batch": "b", "kiln.kind": "k", "kiln.shelves": 3})
        for number in range(5):
            span.add_event(f"e{number}", many)
            span.add_link(trace.SpanContext(1, number + 1, is_remote=True), many)
    heat = receiver.span("kiln.heat")
    assert heat.dropped_attributes_count == 1
    assert (heat.dropped_events_count, len(heat.events)) == (3, 2)
    assert (heat.dropped_links_count, len(heat.links)) == (3, 2)
    assert {one.dropped_attributes_count for one in (*heat.events, *heat.links)} == {2}


@pytest.mark.parametrize("fast", [False, True])
def test_where_there_is_room_nothing_is_counted(fast, receiver):
    """The counts are of what was lost, not of what was left out because nobody declared it."""
    with telewright.start("all", fast=fast), kiln.heat():
        trace.get_current_span().set_attribute("nobody.declared", "x")
    assert receiver.span("kiln.heat").dropped_attributes_count == 0
