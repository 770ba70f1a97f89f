"""A forked child that starts, stops, selects or imports before it has recorded anything."""

from __future__ import annotations

import logging

import pytest

import telewright
from telewright import _start
from tests.runtime.receiver import values
from tests.runtime.sample import kiln
from tests.runtime.test_fork import in_child

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")

LATE = """
from telewright.base import OFF, Counter, Registry, Span

REGISTRY = Registry("late", version="1.0.0")
GROUP = REGISTRY.group("work")
OTHER = REGISTRY.group("other")
REGISTRY.ready()
counted = Counter(REGISTRY, "late.counted", unit="1", brief="Counted.", integer=True)


def work():
    return Span(GROUP, "late.work", {}) if GROUP.on else OFF
"""


def test_a_child_that_starts_has_one_pipeline(receiver):
    """What it starts with holds; nothing opens the pipeline that it would have had otherwise."""
    telewright.start("kiln.firing", service="parent", logs=True)

    def work():
        assert telewright.start("kiln.firing", service="child").on
        started = _start.STATE.pipeline
        logging.getLogger("app").warning("would wake a child that sleeps")
        with kiln.write():
            pass
        assert _start.STATE.pipeline is started
        assert telewright.stop()

    in_child(work)
    telewright.stop()
    (request,) = receiver.traces
    assert values(request.resource_spans[0].resource.attributes)["service.name"] == "child"


def test_a_child_that_stops_stays_off(receiver):
    """Nothing wakes it: no span, no number, no log record."""
    telewright.start("kiln.firing", logs=True)

    def work():
        assert telewright.stop()
        logging.getLogger("app").warning("would wake a child that sleeps")
        kiln.faults.add(1, code="timeout")
        with kiln.write() as span:
            assert not span.live
        assert _start.STATE.pipeline is None

    in_child(work)
    telewright.stop()
    assert not receiver.spans


def test_a_child_may_be_started_without_telemetry(receiver, monkeypatch):
    """The variable that forbids telemetry holds at the child's own start."""
    telewright.start("kiln.firing")

    def work():
        monkeypatch.setenv("TELEWRIGHT_OFF", "1")
        assert not telewright.start("kiln.firing").on
        assert not kiln.GATE.on

    in_child(work)
    assert telewright.stop()
    assert not receiver.spans


def test_a_child_records_what_was_selected_last(receiver):
    """By its parent before the fork, or by itself before its first span."""
    telewright.start("kiln.shift")
    telewright.select("kiln.firing,-kiln.shift")
    assert telewright.environment()["TELEWRIGHT_GROUPS"] == "kiln.firing,-kiln.shift"

    def work():
        for _ in range(2):
            with kiln.write(), kiln.shift() as shift:
                assert not shift.live
        assert telewright.stop()

    def selects():
        assert telewright.select("kiln.shift,tpyo") == {"tpyo"}
        assert _start.STATE.pipeline is None
        for _ in range(2):
            with kiln.shift(), kiln.write() as write:
                assert not write.live
        assert telewright.stop()

    in_child(work)
    in_child(selects)
    telewright.stop()
    assert sorted(span.name for span in receiver.spans) == [
        *["kiln.shift"] * 2,
        *["kiln.write"] * 2,
    ]


@pytest.mark.parametrize("first", ["span", "number"])
def test_a_registry_that_only_the_child_imports_is_recorded_there(
    receiver, tmp_path, monkeypatch, first
):
    """Its spans and numbers go to the child's own pipeline, which the first of them opens."""
    (tmp_path / "late.py").write_text(LATE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    telewright.start("kiln.firing,late.work")

    def work():
        import late

        assert _start.STATE.pipeline is None
        assert (late.GROUP.on, late.OTHER.on) == (True, False)
        if first == "span":
            with late.work():
                pass
        late.counted.put(3, {})
        assert telewright.stop()
        stats = telewright.stats()
        assert stats.made == stats.exported == (first == "span")
        assert stats.points.made == stats.points.exported > 0

    in_child(work)
    assert telewright.stop()
    assert [span.name for span in receiver.spans] == ["late.work"] * (first == "span")
    assert "late.counted" in receiver.metric_names


def test_what_a_child_starts_goes_on_as_its_parent(receiver):
    """A child that has recorded nothing hands over what it would have started with."""
    telewright.start("kiln.firing", exporter="otlp", service="pottery")
    handed = telewright.environment({})

    def work():
        assert telewright.environment({}) == handed
        assert _start.STATE.pipeline is None

    in_child(work)
    assert handed["TELEWRIGHT_GROUPS"] == "kiln.firing"
    assert telewright.stop()
    assert not receiver.spans
