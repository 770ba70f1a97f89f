"""The fast tier of spans: whatever a program does, its bytes are those of the standard tier."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from opentelemetry import trace

import telewright
from telewright._fast_span import FastSpan
from tests import soak
from tests.runtime import fast_programs
from tests.runtime.fast_examples import SPANS
from tests.runtime.fast_programs import LIMITS, PROGRAMS
from tests.runtime.sample import groups

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]


def compare(program, limits):
    """Run *program* in both tiers, and hold what came of it against each other."""
    standard = fast_programs.run(program, fast=False, limits=limits)
    fast = fast_programs.run(program, fast=True, limits=limits)
    assert fast == standard


@pytest.mark.parametrize(("program", "limits"), SPANS)
def test_a_program_with_everything_in_it_exports_the_same_bytes(program, limits):
    """All that a span can do at least once, with room for all of it and for little."""
    compare(program, limits)


@settings(max_examples=40, deadline=None, suppress_health_check=QUIET)
@given(PROGRAMS, LIMITS)
def test_random_programs_export_the_same_bytes(program, limits):
    """Attributes of every type, events, links, exceptions, limits, scopes, parents of any kind."""
    compare(program, limits)


@pytest.mark.soak
def test_many_random_programs_export_the_same_bytes(request):
    """The same, for minutes."""
    base = settings(suppress_health_check=QUIET)
    soak.begin(request).examples(compare, PROGRAMS, LIMITS, count=5_000, patience=60, base=base)


@pytest.mark.parametrize("fast", [False, True])
def test_what_a_span_was_given_is_what_leaves(fast, receiver):
    """A list that its owner goes on filling, before or after the start, is as it was given."""
    with telewright.start("all", fast=fast):
        given, later = ["a"], ["b"]
        span = groups.POT.tracer.start_span("given", attributes={"kiln.batch": given})
        span.set_attribute("kiln.kind", later)
        for one in (given, later):
            one.append("c")
        span.end()
    (span,) = receiver.spans
    found = {
        one.key: [item.string_value for item in one.value.array_value.values]
        for one in span.attributes
    }
    assert found == {"kiln.batch": ["a"], "kiln.kind": ["b"]}


def _no_event(span, *_given):
    span.is_recording()


BREAKAGES = {
    "add_event": _no_event,
    "set_status": _no_event,
    "update_name": _no_event,
    "hold": _no_event,
    "_put": lambda _span, attributes, key, value: attributes.update({key: value}),
    "get_span_context": lambda _span: trace.INVALID_SPAN_CONTEXT,
}


@pytest.mark.filterwarnings("ignore:Generating overly large repr")  # it is not shrunk here
@pytest.mark.parametrize("broken", BREAKAGES)
def test_a_broken_span_is_found(broken, monkeypatch):
    """The comparison sees a span that leaves out, or does wrong, any one thing."""
    monkeypatch.setattr(FastSpan, broken, BREAKAGES[broken])

    @settings(
        max_examples=2_000,
        deadline=None,
        suppress_health_check=QUIET,
        phases=[Phase.generate],
        database=None,
        derandomize=True,
    )
    @given(PROGRAMS, LIMITS)
    def search(program, limits):
        compare(program, limits)

    with pytest.raises(AssertionError):
        search()
