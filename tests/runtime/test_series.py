"""Limits on series: what is beyond them joins one that the specs name, and those that are, stay."""

from __future__ import annotations

from collections import Counter as Count

import pytest

import telewright
from telewright import _guard
from telewright.base import Counter, ObservableCounter
from tests.runtime.receiver import values
from tests.runtime.sample import groups
from tests.runtime.written import read


@pytest.fixture
def declare():
    """Declare instruments for one test."""
    made = []

    def instrument(kind, **keywords):
        one = kind(groups.REGISTRY, "kiln.limited", unit="1", brief="x", integer=True, **keywords)
        made.append(one)
        return one

    yield instrument
    for one in made:
        groups.REGISTRY.instruments.remove(one)


@pytest.mark.behaviour("B163")
def test_what_overflows_has_the_declared_value(probe, declare):
    """All attributes of the series of the rest say what the spec says, and nothing is lost."""
    counter = declare(Counter, max_series=2, overflow="other")
    probe.start()
    for town in "abcab":
        counter._record(1, {"kiln.town": town, "kiln.room": "r"})
    counter._record(10, {"kiln.town": "d", "kiln.room": "s"})
    assert probe.points("kiln.limited") == {("a", "r"): 2, ("b", "r"): 2, ("other", "other"): 11}
    assert _guard.VALUES["series_limit"] == 2


@pytest.mark.behaviour("B163")
@pytest.mark.parametrize("fast", [False, True])
def test_series_count_as_they_are_exported(receiver, declare, fast):
    """1, 1.0, True and the texts of these are series of their own; other orders of labels are not.

    The overflow is one more.
    """
    counter = declare(Counter, max_series=4)
    with telewright.start("all", fast=fast):
        for value in ("1", 1, 1.0, True, b"1", "1.0", "True", ("int", "1"), ["int", "1"]):
            counter.bound({"kiln.town": value, "kiln.room": "r"}).add(1)
            counter.bound({"kiln.room": "r", "kiln.town": value}).add(1)
    points = [
        (values(point.attributes)["kiln.town"], point.as_int)
        for point in receiver.exports("kiln.limited")[-1]
    ]
    assert sorted(map(repr, points)) == sorted(
        map(repr, [("1", 4), (1, 2), (1.0, 2), (True, 2), ("_OTHER", 8)])
    )
    assert _guard.VALUES["series_limit"] == 8


def last_exported(path):
    """Return the points of the last export, by town."""
    *_, last = (one for one in read(path, "metrics") if one["name"] == "kiln.limited")
    return {
        point["attributes"][0]["value"]["stringValue"]: int(point["asInt"])
        for point in last["sum"]["dataPoints"]
    }


@pytest.mark.behaviour("B148", "B163")
def test_totals_that_are_read_have_a_limit_too(declare, tmp_path):
    """A hot event costs an increment; its totals are read, the last time at the stop."""
    totals = Count()
    counter = declare(ObservableCounter, max_series=2, overflow="other")
    counter.observe(lambda: [(total, {"kiln.town": town}) for town, total in totals.items()])
    file = tmp_path / "f.jsonl"
    with telewright.start("none", exporter="file", path=file):
        totals["a"] += 1
        totals["b"] += 1
        telewright.flush(5)
        totals["a"] += 10
    assert last_exported(file) == {"a": 11, "b": 1}
    with telewright.start("none", exporter="file", path=file):
        totals["c"] += 5
        totals["d"] += 7
        telewright.flush(5)
    assert last_exported(file) == {"a": 0, "b": 0, "other": 12}  # it was counted in the first run
