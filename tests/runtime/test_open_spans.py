"""Spans that are open: their ages among the metrics, and a line for one that is slow."""

from __future__ import annotations

import json
import time

import pytest
from opentelemetry import trace

import telewright
from telewright import _open_spans, _registries
from tests.runtime.sample import kiln


@pytest.fixture
def slow(monkeypatch):
    """Declare that two spans of the sample are slow after a moment."""
    data = json.loads(json.dumps(_registries.registries()["kiln"]))
    for name in ("kiln.heat", "kiln.shift"):
        data["spans"].setdefault(name, {})["slow_after"] = 0.2
    monkeypatch.setitem(_registries._DATA, "kiln", data)


def lines(caplog):
    """Return what was said of slow spans."""
    return [record.message for record in caplog.records if "has been open for" in record.message]


def await_lines(caplog, count):
    """Return them once there are *count*."""
    for _ in range(500):
        if len(lines(caplog)) >= count:
            break
        time.sleep(0.01)
    return lines(caplog)


@pytest.mark.parametrize("fast", [False, True])
def test_ages_are_exported_by_name(receiver, fast):
    """How many, the oldest, and the oldest in which nothing is open; on either tier."""
    telewright.start("kiln.firing", fast=fast)
    with trace.get_tracer("theirs").start_as_current_span("theirs"), kiln.heat():
        time.sleep(0.05)
        with kiln.heat(), kiln.write():
            assert telewright.flush()
            count = receiver.points("telewright.open_spans.count")
            oldest = receiver.points("telewright.open_spans.oldest")
            held = receiver.points("telewright.open_spans.longest_held")
    assert count == {("kiln.heat",): 2, ("kiln.write",): 1}
    assert oldest.keys() == held.keys() == count.keys()
    assert oldest["kiln.heat",] >= 0.05
    assert held["kiln.heat",] == 0
    assert held["kiln.write",] == oldest["kiln.write",] < oldest["kiln.heat",]
    telewright.stop()


@pytest.mark.parametrize("fast", [False, True])
def test_what_has_ended_has_no_age(receiver, fast):
    """Once nothing is open, no series is exported for it."""
    telewright.start("kiln.firing", fast=fast)
    with kiln.heat():
        assert telewright.flush()
    assert receiver.points("telewright.open_spans.count") == {("kiln.heat",): 1}
    receiver.metrics.clear()
    assert telewright.flush()
    assert receiver.points("telewright.items.made")
    assert not receiver.points("telewright.open_spans.count")


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.usefixtures("slow")
def test_a_slow_span_is_said_once(receiver, caplog, fast):
    """One line with its name, its limit and its ids, and no second while it stays open."""
    with telewright.start("kiln.firing", metrics=False, fast=fast), kiln.heat() as span:
        (line,) = await_lines(caplog, 1)
        own = span._otel.get_span_context()
        with kiln.heat():
            pass
        time.sleep(0.3)
    assert line.startswith("kiln.heat has been open for 0.2")
    assert line.endswith(
        f"longer than the 0.2 s of its spec (trace {own.trace_id:032x}, span {own.span_id:016x})"
    )
    assert lines(caplog) == [line]
    assert len(receiver.spans) == 2


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.usefixtures("receiver", "slow")
def test_each_slow_span_is_said(caplog, fast):
    """Every open span has its own line; one that ends in time, or may take its time, has none."""
    with telewright.start("kiln.firing,kiln.shift", metrics=False, fast=fast):
        with kiln.heat(), kiln.write():
            pass
        with kiln.write(), kiln.shift(), kiln.heat():
            said = await_lines(caplog, 2)
    assert sorted(line.partition(" ")[0] for line in said) == ["kiln.heat", "kiln.shift"]
    assert lines(caplog) == said


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.usefixtures("receiver")
def test_nothing_watches_where_no_spec_asks_for_it(fast):
    """Without a `slow_after` there is no thread for it; with one there is, until the end."""
    from threading import enumerate as threads

    def watching():
        return [thread for thread in threads() if thread.name == "telewright-slow"]

    with telewright.start("kiln.firing", fast=fast):
        assert not watching()


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.usefixtures("receiver", "slow")
def test_the_watch_ends_with_telemetry(fast):
    """Control of the above, and no thread is left behind."""
    from threading import enumerate as threads

    with telewright.start("kiln.firing", fast=fast):
        (thread,) = [one for one in threads() if one.name == "telewright-slow"]
    thread.join(5)
    assert not thread.is_alive()


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("fast", [False, True])
def test_what_is_over_is_not_open(receiver, caplog, fast):
    """A block of `between` describes what ended long since: it has no age, and is not slow."""
    now = time.time()
    with telewright.start("kiln.firing", fast=fast), kiln.write():
        with kiln.heat().between(now - 7_200, now - 3_600):
            time.sleep(0.4)
            assert telewright.flush()
        count = receiver.points("telewright.open_spans.count")
    assert count == {("kiln.write",): 1}
    assert lines(caplog) == []
    assert len(receiver.spans) == 2


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("fast", [False, True])
def test_a_span_is_known_by_the_name_that_it_was_opened_with(receiver, caplog, fast):
    """Renamed while it is open, it has the series and the limit that are declared."""
    with telewright.start("kiln.firing", fast=fast), kiln.heat():
        trace.get_current_span().update_name("what somebody asked")
        (line,) = await_lines(caplog, 1)
        assert telewright.flush()
        assert receiver.points("telewright.open_spans.count") == {("kiln.heat",): 1}
    assert line.startswith("kiln.heat has been open for")
    (span,) = receiver.spans
    assert span.name == "what somebody asked"


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("hours", [-1, 1])
@pytest.mark.parametrize("fast", [False, True])
def test_a_clock_that_is_set_changes_no_age(receiver, caplog, monkeypatch, fast, hours):
    """Forward or back while a span is open: it is as old as it is, and slow when it is."""
    real, set_ = time.time_ns, [0]
    for module in ("telewright._fast_span", "opentelemetry.sdk.trace"):
        monkeypatch.setattr(f"{module}.time_ns", lambda: real() + set_[0])
    monkeypatch.setattr(time, "time_ns", lambda: real() + set_[0])
    monkeypatch.setattr(_open_spans, "time_ns", time.time_ns, raising=False)
    begun = time.monotonic()
    with telewright.start("kiln.firing", fast=fast), kiln.heat():
        set_[0] = hours * 3_600_000_000_000
        with kiln.write():
            time.sleep(0.05)
            assert telewright.flush()
            at_most = time.monotonic() - begun
            ages = receiver.points("telewright.open_spans.oldest")
        assert 0.05 <= ages["kiln.write",] < ages["kiln.heat",] <= at_most
        (line,) = await_lines(caplog, 1)
        waited = time.monotonic() - begun
    assert 0.2 <= float(line.split()[5]) <= waited + 0.01
