"""Totals that observable counters read, in forked children: one process exports each rise."""

from __future__ import annotations

import threading

import pytest

import telewright
from telewright import _observable
from tests.runtime.receiver import values
from tests.runtime.sample import kiln
from tests.runtime.test_fork import in_child

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")


@pytest.fixture
def gas():
    """Have `kiln.gas_used` read totals, which the test changes."""
    totals = {}

    def source():
        return [kiln.gas_used.point(total, burner=name) for name, total in totals.items()]

    kiln.gas_used.observe(source)
    yield totals
    kiln.gas_used.forget(source)


def used(receiver):
    """Return what was exported of `kiln.gas_used`, by burner, export by export."""
    return [
        {values(point.attributes)["kiln.burner"]: point.as_double for point in points}
        for points in receiver.exports("kiln.gas_used")
    ]


@pytest.mark.behaviour("B092")
def test_a_total_of_the_parents_is_not_the_childs(receiver, gas):
    """The child, and its child, count what a source rises by there; the rest is exported once."""
    telewright.start("kiln.firing")
    gas["a"] = 100
    assert telewright.flush()

    def grandchild():
        gas["a"] += 2
        kiln.loaded.add(1)
        assert telewright.stop()

    def child():
        gas.update(a=105, b=3)
        kiln.loaded.add(1)
        assert telewright.flush()
        in_child(grandchild)
        assert telewright.stop()

    in_child(child)
    gas["a"] = 110
    assert telewright.stop()
    parents, childs, grandchilds = [{"a": 100}, {"a": 110}], {"a": 5, "b": 3}, {"a": 2, "b": 0}
    assert used(receiver) == [parents[0], childs, grandchilds, childs, parents[1]]


@pytest.mark.behaviour("B092")
def test_a_total_that_the_parent_has_not_read_is_not_the_childs(receiver, gas):
    """Its first reading in the child is what it is counted from; a source of the child's counts."""
    gas["a"] = 100
    telewright.start("kiln.firing")

    def own():
        return [kiln.gas_used.point(7, burner="own")]

    def child():
        kiln.gas_used.observe(own)
        kiln.loaded.add(1)
        assert telewright.flush()
        gas["a"] += 5
        assert telewright.stop()

    in_child(child)
    assert telewright.stop()
    assert used(receiver) == [{"a": 0, "own": 7}, {"a": 5, "own": 7}, {"a": 100}]


def test_a_source_that_hangs_in_the_parent_is_read_in_the_child(receiver, gas, monkeypatch):
    """The thread that hung is not there; what it would have said is no total of the child's."""
    monkeypatch.setattr(_observable, "PATIENCE", 0.3)
    gate = threading.Event()

    def hangs():
        gate.wait(30)
        return [kiln.gas_used.point(50, burner="stuck")]

    kiln.gas_used.observe(hangs)
    gas["a"] = 100
    telewright.start("kiln.firing")
    assert telewright.flush()

    def child():
        gate.set()
        kiln.loaded.add(1)
        assert telewright.stop()

    try:
        in_child(child)
    finally:
        gate.set()
        kiln.gas_used.forget(hangs)
    assert used(receiver) == [{"a": 100}, {"a": 0, "stuck": 0}]


def test_the_books_of_a_child_begin_at_zero(receiver):
    """They are no total of the parent's, which the child would go on with."""
    telewright.start("kiln.firing", metrics=True)
    for _ in range(5):
        with kiln.heat():
            pass
    assert telewright.flush()

    def child():
        with kiln.heat():
            pass
        assert telewright.flush()
        assert "total_fell" not in telewright.stats().values

    in_child(child)
    made = [
        point.as_int
        for points in receiver.exports("telewright.items.made")
        for point in points
        if values(point.attributes)["telewright.signal"] == "spans"
    ]
    assert made == [5, 1]
