"""Bound instruments: whatever they are given, nothing is raised, and what is fit counts."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Mapping
from types import SimpleNamespace

import numpy as np
import pytest

import telewright
from telewright import _guard
from telewright._fast_beyond import Beyond
from telewright._fast_cells import SumCell
from telewright.testing import captured
from tests.runtime.receiver import values
from tests.runtime.sample import kiln
from tests.runtime.sample.kiln import FaultCode, Outcome
from tests.shared import shared


class Lies(Mapping):
    """A mapping that cannot be read."""

    def __getitem__(self, key):
        raise KeyError(key)

    def __iter__(self):
        raise RuntimeError

    def __len__(self):
        return 1


def hostile():
    """Return values that no telemetry wants, and the one that it may take after them."""
    space = {}
    exec(shared("cases", "hostile.py").read_text("utf-8"), space)  # noqa: S102 - the cases
    return [value for _, value in space["hostile"]()]


@pytest.mark.parametrize("fast", [False, True])
def test_hostile_values_cost_themselves(fast, receiver):
    """Values and labels of every kind: nothing raises, and the good one is there."""
    odd = hostile()
    with telewright.start("all", fast=fast):
        for value in odd:
            for instrument, verb in (
                (kiln.faults, "add"),
                (kiln.firing_ms, "record"),
                (kiln.temperature, "set"),
            ):
                getattr(instrument.bound({}), verb)(value)
                getattr(instrument.bound({"kiln.town": value}), verb)(1)
        kiln.loaded.bound({}).add(5)
        assert telewright.flush()
    assert set(_guard.FAILURES) <= {"record a metric"}  # a class without a module
    assert {"kiln.faults_total", "kiln.firing_ms", "kiln.temperature"} <= receiver.metric_names
    assert "kiln.loaded" in receiver.metric_names


class Thing:
    """No number."""


@pytest.mark.parametrize("temporality", ["delta", "cumulative"])
@pytest.mark.parametrize("fast", [False, True])
def test_a_bound_gauge_is_judged_when_it_is_set(fast, temporality, receiver, monkeypatch):
    """However many unfit values come after a good one, it stays; all are counted, none is kept."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", temporality)
    with telewright.start("all", fast=fast):
        gauge = kiln.temperature.bound({})
        gauge.set(3.5)
        for _ in range(20):
            gauge.set(float("nan"))
        things = [Thing() for _ in range(40)]
        known = [weakref.ref(thing) for thing in things]
        while things:
            gauge.set(things.pop())
        gc.collect()
        assert not any(one() for one in known)
        assert receiver_has(receiver, 3.5)
        assert telewright.stats().values == {"not_finite": 20, "not_a_number": 40}
        array = np.ones(())
        gauge.set(array)
        array += 41
        assert receiver_has(receiver, 1.0)
        gauge.set(2)
        gauge.set(2**63)
        assert receiver_has(receiver, 2.0)


def receiver_has(receiver, value):
    """Say whether the gauge is exported now, as *value*."""
    assert telewright.flush()
    return receiver.points("kiln.temperature") == {(): value}


@pytest.mark.parametrize("fast", [False, True])
def test_bound_verbs_take_their_value_by_name(fast, receiver):
    """In either tier, the first time and afterwards; also in a series that there is no room for."""
    with telewright.start("all", fast=fast):
        gauge, counter = kiln.temperature.bound({}), kiln.loaded.bound({})
        labels = {"kiln.stage": "glaze", "kiln.outcome": Outcome.OK}
        histogram = kiln.firing_ms.bound(labels)
        for _ in range(3):
            gauge.set(value=2.5)
            counter.add(value=2)
            histogram.record(value=4.0)
    assert receiver.points("kiln.temperature") == {(): 2.5}
    assert receiver.points("kiln.loaded") == {(): 6}
    ((point,),) = receiver.exports("kiln.firing_ms")
    assert (point.count, point.sum) == (3, 12.0)
    taken = []
    Beyond(SimpleNamespace(take=taken.append, note=bool), {}).take(value=7)
    assert taken == [7]


def test_labels_that_are_bound_are_looked_at():
    """An instrument whose verb has nothing but members for labels looks at others when bound."""
    taken = []
    with captured():
        kiln.firing_ms.send = lambda *measured: taken.append(measured)
        kiln.firing_ms.bound({"kiln.stage": 2**70, "kiln.outcome": Outcome.OK}).record(1)
    assert taken == [(1.0, {"kiln.outcome": "ok"})]


@pytest.mark.behaviour("B162", "B164")
@pytest.mark.parametrize("fast", [False, True])
def test_what_is_bound_is_in_the_series_of_its_member(fast, receiver):
    """A member, its text, and what an open enumeration does not know, as with keywords."""
    with telewright.start("all", fast=fast):
        for code in (FaultCode.TIMEOUT, "timeout", "odd", 3, FaultCode.OTHER):
            kiln.faults.add(code=code)
            kiln.faults.bound({"kiln.fault_code": code}).add(10)
    points = [
        (values(point.attributes)["kiln.fault_code"], point.as_int)
        for point in receiver.exports("kiln.faults_total")[-1]
    ]
    assert sorted(points) == [("other", 33), ("timeout", 22)]


def test_attributes_that_cannot_be_read_bind_nothing():
    """They are counted as a failure, and nothing is recorded for them."""
    with captured() as recording:
        kiln.faults.bound(Lies()).add()
        kiln.faults.bound({"kiln.fault_code": FaultCode.TIMEOUT}).add(2)
        points = recording.points("kiln.faults_total")
    assert [point.value for point in points] == [2]
    assert _guard.FAILURES == {"bind an instrument": 1}


def test_what_nobody_holds_is_not_kept():
    """Binding again and again in a loop keeps nothing."""
    bound = weakref.ref(kiln.faults.bound({"kiln.fault_code": FaultCode.TIMEOUT}))
    gc.collect()
    assert bound() is None


def test_a_handler_may_be_the_first_to_record_in_a_series(receiver, monkeypatch):
    """It comes while the series is made: both values are in one, and none is lost."""
    made = SumCell.__init__

    def interrupted(self, *given):
        made(self, *given)
        if waiting:
            waiting.pop()()

    waiting = [lambda: kiln.faults.add(code="refused")]
    telewright.start("all", fast=True)
    monkeypatch.setattr(SumCell, "__init__", interrupted)
    kiln.faults.add(2, code="refused")
    assert not waiting
    assert telewright.stop(5)
    ((point,),) = receiver.exports("kiln.faults_total")
    assert point.as_int == 3
