"""Sampling, where the environment does not choose it: what the SDK does by itself."""

from __future__ import annotations

from itertools import product

import pytest
from opentelemetry.context import Context
from opentelemetry.sdk.trace.sampling import DEFAULT_ON, Decision
from opentelemetry.trace import (
    INVALID_SPAN_CONTEXT,
    NonRecordingSpan,
    SpanContext,
    TraceFlags,
    TraceState,
    set_span_in_context,
)

from telewright._sampler import ParentSampler, sampler

PARENTS = [
    SpanContext(1, 2, is_remote=remote, trace_flags=TraceFlags(flags), trace_state=state)
    for remote, flags, state in product(
        (False, True), (0, 1, 2, 3), (TraceState(), TraceState([("vendor", "x")]))
    )
]


@pytest.mark.parametrize("parent", [None, INVALID_SPAN_CONTEXT, *PARENTS])
@pytest.mark.parametrize("attributes", [None, {"a": 1}])
def test_decides_as_the_sdk_does(
    parent: SpanContext | None, attributes: dict[str, int] | None
) -> None:
    """Under every kind of parent, decision, attributes and state are those of the SDK's default."""
    context = Context()
    if parent is not None:
        context = set_span_in_context(NonRecordingSpan(parent), context)
    ours = ParentSampler().should_sample(context, 1, "x", attributes=attributes)
    theirs = DEFAULT_ON.should_sample(context, 1, "x", attributes=attributes)
    assert ours.decision is theirs.decision
    assert dict(ours.attributes) == dict(theirs.attributes)
    assert ours.trace_state == theirs.trace_state


def test_looks_at_the_current_span_where_no_context_is_given() -> None:
    """Without a context the current one is meant; here that has no span, so the span is kept."""
    made = ParentSampler().should_sample(None, 1, "x")
    assert made.decision is Decision.RECORD_AND_SAMPLE


def test_the_environment_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sampler that ``OTEL_TRACES_SAMPLER`` names is left to the SDK, which makes it."""
    monkeypatch.delenv("OTEL_TRACES_SAMPLER", raising=False)
    assert isinstance(sampler(), ParentSampler)
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", " ")
    assert isinstance(sampler(), ParentSampler)
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_off")
    assert sampler() is None
