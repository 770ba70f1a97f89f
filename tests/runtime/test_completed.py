"""Spans of what is over: made from two timestamps (behaviours B120 to B127)."""

from __future__ import annotations

import itertools

import pytest
from opentelemetry import trace

import telewright
from telewright import _guard, _measured
from tests.runtime.receiver import values
from tests.runtime.sample import kiln
from tests.runtime.sample.kiln import Stage

BEGAN, ENDED = 1_764_460_800.25, 1_764_460_802.75


def fire(**attributes):
    """Open a span with an outcome and a duration."""
    return kiln.fire(Stage.COOL, batch="b", kind="k", **attributes)


@pytest.mark.behaviour("B120")
@pytest.mark.parametrize("fast", [False, True])
def test_a_span_is_made_from_two_timestamps(receiver, fast):
    """It lasted from one to the other, has what was set, and the books know it as one."""
    with (
        telewright.start("kiln.firing", fast=fast),
        fire(shelf="s").between(BEGAN, ENDED) as span,
    ):
        span.set(shelves=3)
    (sent,) = receiver.spans
    assert sent.start_time_unix_nano == 1_764_460_800_250_000_000
    assert sent.end_time_unix_nano == 1_764_460_802_750_000_000
    assert values(sent.attributes)["kiln.shelves"] == 3
    books = telewright.stats()
    assert (books.made, books.exported) == (1, 1)


@pytest.mark.behaviour("B120", "B136")
def test_its_duration_is_that_of_the_timestamps(probe):
    """The metric gets what the timestamps say, even while the group is off."""
    probe.start("kiln.shift")
    with fire().between(BEGAN, ENDED):
        pass
    assert list(probe.points("kiln.firing_ms").values()) == [2500.0]
    assert not probe.spans


@pytest.mark.behaviour("B123")
def test_stages_are_contiguous(receiver):
    """Where one mark ends a stage and begins the next, not a nanosecond is between them."""
    marks = [BEGAN + step / 7 for step in range(6)]
    with telewright.start("kiln.firing"):
        for start, end in itertools.pairwise(marks):
            with kiln.heat().between(start, end):
                pass
    spans = receiver.spans
    for one, following in itertools.pairwise(spans):
        assert one.end_time_unix_nano == following.start_time_unix_nano


@pytest.mark.behaviour("B121")
def test_an_end_before_the_start_is_clamped_with_evidence(receiver, caplog):
    """No duration, `inverted.*` that no caller can override, and one line that says so."""
    with telewright.start("kiln.firing"):
        for _ in range(2):
            with fire().between(ENDED, BEGAN) as span:
                span._set("inverted.skew", value=False)
                span._set("inverted.delta_seconds", "0")
    for sent in receiver.spans:
        assert sent.start_time_unix_nano == sent.end_time_unix_nano == int(ENDED * 100) * 10_000_000
        found = values(sent.attributes)
        assert {key: one for key, one in found.items() if key.startswith("inverted.")} == {
            "inverted.skew": True,
            "inverted.start_epoch_seconds": repr(ENDED),
            "inverted.end_epoch_seconds": repr(BEGAN),
            "inverted.delta_seconds": "2.5",
        }
    said = [record for record in caplog.records if "before it started" in record.message]
    assert [record.levelname for record in said] == ["WARNING", "DEBUG"]
    assert telewright.stats().values["inverted"] == 2


@pytest.mark.behaviour("B122")
@pytest.mark.parametrize(
    "bad", [float("nan"), float("inf"), -1.0, 2.0**70, None, "soon", True, object()]
)
def test_what_is_no_time_costs_the_span(bad, probe, caplog):
    """Nothing is raised; the block runs, nothing is recorded, and one line says why."""
    probe.start("kiln.firing")
    ran = []
    with fire().between(bad, ENDED) as span:
        assert not span.on
        span.set(shelves=1)
        ran.append(1)
    assert ran == [1]
    assert not probe.spans
    assert not probe.points("kiln.firing_ms")
    assert _guard.VALUES["no_time"] == 1
    assert "its start or its end is" in caplog.text


@pytest.mark.behaviour("B120")
def test_a_shut_gate_looks_at_no_timestamp():
    """Off, the same call yields what keeps nothing, whatever the times are."""
    with kiln.write().between(float("nan"), None) as span:
        span.set(lines=1)
        assert not span.on
    assert not _guard.VALUES


@pytest.mark.behaviour("B130")
def test_an_error_is_noted_and_goes_on(probe):
    """What leaves the block is on the span and is the same object outside."""
    probe.start("kiln.firing")
    error = ValueError("cracked")
    with pytest.raises(ValueError, match="cracked") as caught, fire().between(BEGAN, ENDED):
        raise error
    assert caught.value is error
    assert probe.span("kiln.fire.cool").status == "error"


def test_it_is_current_inside_its_block(probe):
    """What is opened inside is its child, and afterwards nothing is current."""
    probe.start("kiln.firing")
    with kiln.heat().between(BEGAN, ENDED), kiln.write().between(BEGAN, ENDED):
        pass
    assert probe.span("kiln.write").parent == "kiln.heat"


@pytest.mark.behaviour("B127")
def test_durations_come_from_the_monotonic_clock(probe, monkeypatch):
    """What a block took is what that clock says, wherever the one on the wall is set."""
    readings = iter([7_000_000, 9_500_000])
    monkeypatch.setattr(_measured, "perf_counter_ns", lambda: next(readings))
    probe.start("kiln.shift")
    with fire():
        pass
    assert list(probe.points("kiln.firing_ms").values()) == [2.5]


@pytest.mark.behaviour("B120")
@pytest.mark.parametrize("fast", [False, True])
def test_a_span_that_is_dated_again_has_the_later_dates(receiver, fast):
    """One object may stand for several spans that are over, and for one that is not."""
    with telewright.start("kiln.firing", fast=fast):
        span = kiln.heat()
        first = span.between(BEGAN, ENDED)
        for block in (first, first, span.between(BEGAN, BEGAN + 1), span):
            with block:
                pass
    lasted = [one.end_time_unix_nano - one.start_time_unix_nano for one in receiver.spans]
    assert lasted[:3] == [2_500_000_000, 2_500_000_000, 1_000_000_000]
    assert receiver.spans[3].start_time_unix_nano > ENDED * 1e9


@pytest.mark.filterwarnings("error:Span.add_link:UserWarning")
def test_what_is_over_can_be_linked(probe):
    """A link that is added inside the block is on the span, as on one that is open."""
    elsewhere = trace.SpanContext(7, 8, is_remote=True, trace_flags=trace.TraceFlags(1))
    probe.start("kiln.firing")
    with kiln.heat().between(BEGAN, ENDED):
        trace.get_current_span().add_link(elsewhere)
    (link,) = probe.span("kiln.heat").links
    assert (int(link.trace_id, 16), int(link.span_id, 16)) == (7, 8)
