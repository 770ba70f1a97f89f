"""Totals that observable counters read: what is exported never falls, whatever its sources do."""

from __future__ import annotations

import pytest

import telewright
from telewright import _guard, _rises
from telewright.base import ObservableCounter
from tests.runtime.sample import groups, kiln


@pytest.fixture
def observe():
    """Have `kiln.gas_used` read sources for one test."""
    observed = []

    def observed_now(source):
        observed.append(source)
        return kiln.gas_used.observe(source)

    yield observed_now
    for source in observed:
        kiln.gas_used.forget(source)


def read(instrument):
    """Return what is exported now, by the values of its labels."""
    return {tuple(one.attributes.values()): one.value for one in instrument._collect(None)}


def showing(totals):
    """Return a source that shows *totals* as they are, by burner."""
    return lambda: [kiln.gas_used.point(total, burner=name) for name, total in totals.items()]


@pytest.mark.behaviour("B150")
@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("temporality", ["delta", "cumulative"])
def test_no_export_takes_anything_back(receiver, monkeypatch, observe, fast, temporality):
    """A total that fell has no point then, and what it rises by afterwards is added."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", temporality)
    totals = {}
    observe(showing(totals))
    telewright.start("all", fast=fast)
    for totals["b"] in (100, 130, 5, 25, 40):
        assert telewright.flush(5)
    points = [point.as_double for one in receiver.exports("kiln.gas_used") for point in one]
    expected = {"delta": [100, 30, 20, 15], "cumulative": [100, 130, 150, 165]}
    assert points == expected[temporality]
    assert _guard.VALUES["total_fell"] == 1


@pytest.mark.behaviour("B150")
@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize("temporality", ["delta", "cumulative"])
def test_what_one_run_exported_no_other_exports(receiver, monkeypatch, observe, fast, temporality):
    """After a stop and another start a total counts from where it was read last."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", temporality)
    totals = {"b": 100}
    observe(showing(totals))
    for _ in range(3):
        telewright.start("all", fast=fast)
        assert telewright.flush(5)
        totals["b"] += 1
        assert telewright.stop(5)
        totals["b"] += 2
    points = [point.as_double for one in receiver.exports("kiln.gas_used") for point in one]
    expected = {"delta": [100, 1, 2, 1, 2, 1], "cumulative": [100, 101, 2, 3, 2, 3]}
    assert points == expected[temporality]


def test_another_source_in_another_run_begins_at_its_total(sdk_probe, observe):
    """As one does that is there before the first."""
    sources = [showing({"b": 10}), showing({"b": 10})]
    for source in sources:
        observe(source)
        sdk_probe.start(process="master")
        assert read(kiln.gas_used) == {("b",): 10}
        kiln.gas_used.forget(source)


def test_sources_of_one_series_are_added_up(sdk_probe, observe):
    """What one of them is silent about, or begins anew, takes nothing from the others."""
    first, second = {"b": 10}, {"b": 20}
    observe(showing(first))
    observe(showing(second))
    sdk_probe.start(process="master")
    seen = [read(kiln.gas_used)]
    first["b"], second["b"] = 11, 21
    seen.append(read(kiln.gas_used))
    del first["b"]
    second["b"] = 22
    seen.append(read(kiln.gas_used))
    first["b"], second["b"] = 13, 0
    seen.append(read(kiln.gas_used))
    second["b"] = 1
    seen.append(read(kiln.gas_used))
    assert seen == [{("b",): total} for total in (30, 32, 33, 35, 36)]


def test_who_follows_a_source_goes_on_where_it_ended(sdk_probe, observe):
    """The same total behind another function is not counted twice, nor is what began anew."""
    totals = {"b": 100}
    before = observe(showing(totals))
    sdk_probe.start(process="master")
    assert read(kiln.gas_used) == {("b",): 100}
    kiln.gas_used.forget(before)
    totals["b"] = 110
    after = observe(showing(totals))
    assert read(kiln.gas_used) == {("b",): 110}
    kiln.gas_used.forget(after)
    other = {"b": 5}
    observe(showing(other))
    assert read(kiln.gas_used) == {}
    other["b"] = 6
    assert read(kiln.gas_used) == {("b",): 111}


def test_a_total_that_never_fell_is_exported_as_it_is(sdk_probe, observe):
    """Not as the sum of what it rose by, which would be another fraction."""
    totals = {}
    observe(showing(totals))
    sdk_probe.start(process="master")
    for number in range(1, 200):
        totals["b"] = number / 10
        assert read(kiln.gas_used) == {("b",): number / 10}


@pytest.fixture
def limited():
    """Declare a counter of few series."""
    counter = ObservableCounter(
        groups.REGISTRY, "kiln.limited", unit="1", brief="x", integer=True, max_series=1
    )
    yield counter
    groups.REGISTRY.instruments.remove(counter)


def test_the_series_of_the_rest_does_not_fall(sdk_probe, limited):
    """Series that have no room come and go, and begin anew; it is the sum of their rises."""
    totals = {"a": 1, "b": 5, "c": 7}
    limited.observe(lambda: [(total, {"kiln.town": town}) for town, total in totals.items()])
    sdk_probe.start()
    seen = [read(limited)]
    del totals["c"]
    totals["b"] = 6
    seen.append(read(limited))
    totals.update(b=1, c=8)
    seen.append(read(limited))
    totals["c"] = 2
    seen.append(read(limited))
    totals.update(b=2, c=3)
    seen.append(read(limited))
    assert [one[("a",)] for one in seen] == [1] * 5
    assert [one.get(("_OTHER",)) for one in seen] == [12, 13, 14, 14, 16]


def test_however_many_series_there_are_each_counts_once(sdk_probe, limited, monkeypatch):
    """What cannot be remembered is left out, rather than counted at each export."""
    monkeypatch.setattr(_rises, "_MOST_REMEMBERED", 4)
    towns = list("abcdef")
    limited.observe(lambda: [(10, {"kiln.town": town}) for town in towns])
    sdk_probe.start()
    for _ in range(3):
        assert read(limited) == {("a",): 10, ("_OTHER",): 30}
        towns.reverse()
    assert len(limited._rises._totals) == 4


class Pool:
    """Something with a total of its own, which is read by a method."""

    def __init__(self, total):
        self.points = [kiln.gas_used.point(total, burner="b")]

    def __eq__(self, other):
        raise RuntimeError

    __hash__ = None

    def read(self):
        """Return the points of now."""
        return self.points


@pytest.mark.parametrize("method", [lambda pool: pool.read, lambda pool: pool.points.copy])
def test_a_method_is_forgotten_however_it_was_looked_up(sdk_probe, observe, method):
    """Of that object alone, and without asking objects whether they are equal."""
    mine, other = Pool(10), Pool(10)
    observe(method(mine))
    observe(method(other))
    sdk_probe.start(process="master")
    assert read(kiln.gas_used) == {("b",): 20}
    kiln.gas_used.forget(method(mine))
    mine.points[:] = [kiln.gas_used.point(100, burner="b")]
    other.points[:] = [kiln.gas_used.point(11, burner="b")]
    assert read(kiln.gas_used) == {("b",): 21}


def test_a_source_that_is_forgotten_while_it_is_read_counts_once(sdk_probe, observe):
    """Another thread lets it go after it has told, and who follows goes on where it ended."""
    totals = {"b": 100}

    def tells():
        yield kiln.gas_used.point(totals["b"], burner="b")
        kiln.gas_used.forget(tells)

    observe(tells)
    sdk_probe.start(process="master")
    assert read(kiln.gas_used) == {("b",): 100}
    totals["b"] = 110
    observe(showing(totals))
    assert read(kiln.gas_used) == {("b",): 110}


def test_a_source_is_read_once_however_often_it_is_said(sdk_probe, observe):
    """A total that is observed again, as by a module that is run twice, does not count twice."""
    source = showing({"b": 10})
    for _ in range(3):
        observe(source)
    sdk_probe.start(process="master")
    assert read(kiln.gas_used) == {("b",): 10}
