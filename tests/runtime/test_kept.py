"""Verbs of bound instruments that are kept, as functions, while telemetry comes and goes."""

from __future__ import annotations

import os
import threading

import pytest

import telewright
from telewright import _fast_cells, _fast_family, _fast_meter, _guard
from tests.runtime.receiver import values
from tests.runtime.sample import groups, kiln
from tests.runtime.sample.kiln import FaultCode, Outcome, Stage
from tests.runtime.test_fork import in_child
from tests.runtime.test_inherited import exit_of

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")

KINDS = ("counter", "histogram", "gauge")
NAMES = {"counter": "kiln.faults_total", "histogram": "kiln.firing_ms", "gauge": "kiln.temperature"}


def kept(kind):
    """Return the verb of one series of an instrument, and nothing that it belongs to."""
    if kind == "counter":
        return kiln.faults.bound({"kiln.fault_code": FaultCode.TIMEOUT})
    if kind == "histogram":
        labels = {"kiln.stage": Stage.GLAZE, "kiln.outcome": Outcome.OK}
        return kiln.firing_ms.bound(labels)
    return kiln.temperature.bound({})


def verb(bound):
    """Return the verb that *bound* has now."""
    return next(getattr(bound, name) for name in ("add", "record", "set") if hasattr(bound, name))


def exported(receiver, kind):
    """Return what each export has of an instrument: a sum, or the last value."""
    return [
        sum(point.sum if kind == "histogram" else _number(point) for point in data.data_points)
        for request in receiver.metrics
        for scope in request.resource_metrics[0].scope_metrics
        for metric in scope.metrics
        if metric.name == NAMES[kind]
        for data in [getattr(metric, metric.WhichOneof("data"))]
    ]


def _number(point):
    return getattr(point, point.WhichOneof("value"))


@pytest.fixture(params=[False, True], ids=["in turns", "at once"])
def threads_at_once(request, monkeypatch):
    """Have cells as they are where threads take turns, and where they run at once."""
    if request.param:
        monkeypatch.setattr(_fast_meter, "_SUM", _fast_cells.LockedSum)
        monkeypatch.setattr(_fast_meter, "_HISTOGRAM", _fast_cells.LockedHistogram)
        monkeypatch.setattr(_fast_meter, "_KNOWN", {})


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("threads_at_once")
def test_a_verb_that_is_kept_outlives_a_stop(kind, fast, receiver):
    """It records while telemetry runs, in whatever tier, and nothing in between."""
    bound = kept(kind)
    before = verb(bound)
    with telewright.start("all", fast=True):
        before(1)
        record = verb(bound)
        record(2)
    before(100)
    record(100)
    with telewright.start("all", fast=fast):
        record(4)
        before(8)
        verb(bound)(16)
    with telewright.start("all", fast=True):
        record(32)
        verb(bound)(64)
    last = kind == "gauge"
    assert exported(receiver, kind) == ([2, 16, 64] if last else [3, 28, 96])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("threads_at_once")
def test_a_verb_that_is_kept_wakes_a_child(kind, receiver):
    """The child counts from zero, its grandchild too, and the parent goes on."""
    bound = kept(kind)
    with telewright.start("all", fast=True):
        verb(bound)(1)
        record = verb(bound)
        record(2)

        def grandchild():
            record(32)
            assert telewright.stop()

        def child():
            in_child(grandchild)
            record(4)
            in_child(grandchild)
            assert telewright.stop()

        in_child(child)
        record(8)
    found = exported(receiver, kind)
    assert found == ([32, 32, 4, 8] if kind == "gauge" else [32, 32, 4, 11])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("threads_at_once")
def test_a_verb_that_is_kept_is_fast_again(kind, receiver, monkeypatch):
    """After the first value nobody is asked where values go, whoever was there first."""
    bound = kept(kind)
    with telewright.start("all", fast=True):
        verb(bound)(1)
        record = verb(bound)
    asked = []
    begin = _fast_family.Family.begin
    monkeypatch.setattr(
        _fast_family.Family, "begin", lambda *given: asked.append(given) or begin(*given)
    )
    for _ in range(2):
        with telewright.start("all", fast=True):
            verb(kept(kind))(2)
            del asked[:]
            for _ in range(10):
                record(2)
            assert asked == []
    assert exported(receiver, kind)[1:] == ([2, 2] if kind == "gauge" else [22, 22])


def test_groups_do_not_concern_it(receiver):
    """What is selected are spans."""
    bound = kept("counter")
    with telewright.start("all", fast=True):
        bound.add()
        add = bound.add
        telewright.select("none")
        add(2)
    assert exported(receiver, "counter") == [3]


def test_the_limit_on_series_holds_for_it_as_well(receiver):
    """What was one of three series is one of the rest where three others came first."""
    ada = kiln.visitors.bound({"kiln.town": "ada"})
    with telewright.start("all", fast=True):
        kiln.visitors.add(1, town="ada")
        ada.add(2)
        add = ada.add
    with telewright.start("all", fast=True):
        for town in "xyz":
            kiln.visitors.add(1, town=town)
        add(4)
    towns = [
        {values(point.attributes)["kiln.town"]: point.as_int for point in points}
        for points in receiver.exports("kiln.visitors_total")
    ]
    assert towns == [{"ada": 3}, {"x": 1, "y": 1, "z": 1, "_OTHER": 4}]


@pytest.mark.parametrize("kind", ["counter", "histogram"])
@pytest.mark.usefixtures("threads_at_once")
def test_no_child_waits_for_a_thread_that_was_recording(kind, receiver, monkeypatch):
    """Where threads run at once, that one holds the lock of the series."""
    bound = kept(kind)
    begun, over, parent = threading.Event(), threading.Event(), os.getpid()

    def pause(*_value):
        if os.getpid() == parent and threading.current_thread() is not threading.main_thread():
            begun.set()
            over.wait()
        return 8

    with telewright.start("all", fast=True):
        verb(bound)(1)
        record = verb(bound)
        monkeypatch.setattr(type(record.__self__), "_fitted", pause)
        thread = threading.Thread(target=record, args=("slow",))
        thread.start()
        begun.wait()

        child = os.fork()
        if not child:
            record(2 if kind == "counter" else 2.0)
            os._exit(0 if telewright.stop() else 1)
        ended = exit_of(child)
        over.set()
        thread.join()
        assert ended == 0
    assert exported(receiver, kind) == [2, 9]


@pytest.mark.parametrize("fast", [False, True])
def test_an_instrument_that_no_registry_has_any_more_records_nothing(fast, receiver, monkeypatch):
    """As one of a module that was loaded again: its values go nowhere, and nobody is hurt."""
    bound = kept("counter")
    with telewright.start("all", fast=True):
        bound.add()
        add = bound.add
        rest = [one for one in groups.REGISTRY.instruments if one is not kiln.faults]
        monkeypatch.setattr(groups.REGISTRY, "instruments", rest)
    with telewright.start("all", fast=fast):
        add()
        bound.add()
        kiln.faults.add(1, code=FaultCode.TIMEOUT)
    assert exported(receiver, "counter") == [1]
    assert not _guard.FAILURES
