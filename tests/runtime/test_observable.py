"""Observable instruments: when their sources are read, and what those may do meanwhile."""

from __future__ import annotations

import itertools
import threading
from contextvars import ContextVar

import pytest

from telewright import _guard, _observable
from telewright._scrape_read import Reading
from tests.runtime.sample import kiln

VARIABLE: ContextVar[str] = ContextVar("kiln.test", default="nobody's")


@pytest.mark.behaviour("B148", "B149")
def test_observable_instruments_read_their_sources(probe):
    """All three kinds; a source that fails costs its own points."""

    def gas():
        yield kiln.gas_used.point(10, burner="a")
        yield kiln.gas_used.point(-1, burner="b")

    def broken():
        raise OSError

    sources = {
        kiln.gas_used: [gas, broken],
        kiln.queue: [lambda: [kiln.queue.point(4)]],
        kiln.humidity: [lambda: [kiln.humidity.point(0.5, room="east")]],
    }
    for instrument, found in sources.items():
        for source in found:
            assert instrument.observe(source) is source
    try:
        probe.start(process="master")
        assert probe.points("kiln.gas_used") == {("a",): 10}
        assert probe.points("kiln.queue") == {(): 4}
        assert probe.points("kiln.humidity") == {("east",): 0.5}
        assert _guard.FAILURES["read an observable instrument"] >= 1
    finally:
        for instrument, found in sources.items():
            for source in found:
                instrument.forget(source)


@pytest.mark.behaviour("B150")
def test_a_total_that_falls_has_no_point_in_that_interval(probe):
    """What began anew is counted on from its next reading; other series stay."""
    totals = {"a": 10, "b": 1}

    def gas():
        return [kiln.gas_used.point(total, burner=burner) for burner, total in totals.items()]

    kiln.gas_used.observe(gas)
    try:
        probe.start(process="master")
        seen = []
        for total in (10, 4, 4, 6):
            totals.update(a=total, b=totals["b"] + 1)
            seen.append(probe.points("kiln.gas_used"))
    finally:
        kiln.gas_used.forget(gas)
    assert [points.get(("a",)) for points in seen] == [10, None, 10, 12]
    assert [points[("b",)] for points in seen] == [2, 3, 4, 5]
    assert _guard.VALUES["total_fell"] == 1


@pytest.mark.behaviour("B134", "B149")
def test_what_is_no_point_costs_itself(probe):
    """The good points of a source are read, whatever stands between them."""
    good = kiln.gas_used.point(10, burner="a")

    def gas():
        return [None, 7, (), good, (1, None), kiln.gas_used.point(5, burner="b")]

    kiln.gas_used.observe(gas)
    try:
        probe.start(process="master")
        assert probe.points("kiln.gas_used") == {("a",): 10, ("b",): 5}
    finally:
        kiln.gas_used.forget(gas)


@pytest.mark.behaviour("B149")
def test_a_source_that_never_ends_is_read_for_a_while(probe, monkeypatch):
    """Whether it gives points for ever, or what is none: the export ends."""
    monkeypatch.setattr(_observable, "PATIENCE", 60.0)
    given = []

    def endless(point):
        for number in itertools.count():
            given.append(number)
            yield point

    good = kiln.gas_used.point(10, burner="a")
    sources = [lambda: endless(good), lambda: endless(None)]
    try:
        probe.start(process="master")
        for source in sources:
            kiln.gas_used.observe(source)
        assert set(probe.points("kiln.gas_used")) == {("a",)}
        assert len(given) < 500_000
    finally:
        for source in sources:
            kiln.gas_used.forget(source)


@pytest.fixture
def hanging(monkeypatch):
    """Have a source of `kiln.humidity` that hangs, and another; return its gate, and its calls."""
    monkeypatch.setattr(_observable, "PATIENCE", 0.3)
    gate, calls = threading.Event(), []

    def hangs():
        calls.append(len(calls))
        yield kiln.humidity.point(0.1, room=f"early{len(calls)}")
        gate.wait(30)
        yield kiln.humidity.point(0.1, room=f"late{len(calls)}")

    def well():
        return [kiln.humidity.point(0.5, room="east")]

    for source in (hangs, well):
        kiln.humidity.observe(source)
    yield gate, calls
    gate.set()
    for source in (hangs, well):
        kiln.humidity.forget(source)


@pytest.mark.behaviour("B149")
def test_a_source_that_hangs_costs_its_own_points(probe, hanging, caplog):
    """It is waited for once, and is said; what it answers late is not of the time when it does."""
    gate, calls = hanging
    probe.start()
    kiln.loaded.add(1)
    for _ in range(3):
        assert probe.points("kiln.humidity") == {("east",): 0.5}
        assert probe.points("kiln.loaded") == {(): 1}
    assert calls == [0]
    assert _guard.FAILURES == {"read kiln.humidity in time": 1}
    assert caplog.text.count("could not read kiln.humidity in time") == 1
    (call,) = kiln.humidity._late.values()
    gate.set()
    call._thread.join(30)
    rooms = {("east",): 0.5, ("early2",): 0.1, ("late2",): 0.1}
    assert probe.points("kiln.humidity") == rooms


@pytest.mark.behaviour("B149")
def test_a_source_is_read_in_the_context_of_who_reads(sdk_probe):
    """And can leave nothing in it."""
    seen = []

    def source():
        seen.append(VARIABLE.get())
        VARIABLE.set("the source's")
        return []

    kiln.humidity.observe(source)
    token = VARIABLE.set("the reader's")
    try:
        sdk_probe.start()
        sdk_probe.points("kiln.humidity")
        assert (seen, VARIABLE.get()) == (["the reader's"], "the reader's")
    finally:
        VARIABLE.reset(token)
        kiln.humidity.forget(source)


@pytest.mark.behaviour("B149")
def test_what_only_looks_at_memory_needs_no_thread(sdk_probe, monkeypatch):
    """As what was read from pages does; all else has one of its own."""
    assert [Reading] == _observable.DIRECT
    here = []

    class Direct:
        def __call__(self):
            here.append(threading.current_thread() is threading.main_thread())
            return []

    class Other(Direct):
        pass

    monkeypatch.setattr(_observable, "DIRECT", [Direct])
    sources = [Direct(), Other()]
    for source in sources:
        kiln.humidity.observe(source)
    try:
        sdk_probe.start()
        sdk_probe.points("kiln.humidity")
    finally:
        for source in sources:
            kiln.humidity.forget(source)
    assert sorted(here) == [False, True]


@pytest.mark.behaviour("B149")
def test_without_threads_a_source_is_read_where_it_is(sdk_probe, monkeypatch):
    """There may be too many of them, or none any more as the process ends."""

    def refused(_self):
        raise RuntimeError("can't start new thread")

    def gas():
        return [kiln.gas_used.point(10, burner="a")]

    kiln.gas_used.observe(gas)
    try:
        sdk_probe.start(process="master")
        monkeypatch.setattr(threading.Thread, "start", refused)
        assert sdk_probe.points("kiln.gas_used") == {("a",): 10}
    finally:
        kiln.gas_used.forget(gas)


@pytest.mark.behaviour("B149")
def test_without_a_source_there_are_no_points(probe):
    """An observable instrument that nobody feeds is empty."""
    probe.start()
    assert probe.points("kiln.queue") == {}
