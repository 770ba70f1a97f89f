"""Points that no receiver could tell apart, once what told them apart may not leave, are one."""

from __future__ import annotations

import pytest

import telewright
from telewright.base import Counter, Gauge, Histogram, ObservableUpDownCounter
from tests.runtime.receiver import values
from tests.runtime.sample import groups, kiln

NAMES = ("alice", "bob", "carol")


@pytest.fixture
def declare():
    """Declare instruments for one test."""
    made = []

    def instrument(kind, **keywords):
        name = f"kiln.alike.{len(made)}"
        made.append(kind(groups.REGISTRY, name, unit="1", brief="x", integer=True, **keywords))
        return made[-1]

    yield instrument
    for one in made:
        groups.REGISTRY.instruments.remove(one)


def of(receiver, instrument):
    """Return the points of *instrument* in the last export, without their labels, and those."""
    points = receiver.exports(instrument.name)[-1]
    return [(values(point.attributes), point) for point in points]


def towns(name):
    """Return a label that is masked when it leaves."""
    return {"kiln.town": f"run of {name}@example.com"}


@pytest.mark.parametrize("temporality", ["delta", "cumulative"])
@pytest.mark.parametrize("fast", [False, True])
def test_what_is_masked_alike_is_one_point(receiver, monkeypatch, declare, fast, temporality):
    """Sums and histograms are added up, of a gauge the last is left; the books say what left."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", temporality)
    counter, gauge = declare(Counter), declare(Gauge)
    histogram = declare(Histogram, boundaries=(5, 50))
    total = declare(ObservableUpDownCounter)
    total.observe(lambda: [(number, towns(name)) for number, name in enumerate(NAMES)])
    with telewright.start("all", fast=fast):
        with kiln.heat():
            for place, name in enumerate(NAMES):
                counter._record(10**place, towns(name))
                gauge._record(place, towns(name))
                histogram._record(10**place, towns(name))
        counter._record(1000, {"kiln.town": "plain"})
    masked = {"kiln.town": "run of [redacted:email]"}
    (labels, point), (plain, other) = of(receiver, counter)
    assert (labels, point.as_int) == (masked, 111)
    assert (plain, other.as_int) == ({"kiln.town": "plain"}, 1000)
    assert [one.as_int for one in point.exemplars] == [100]
    ((labels, point),) = of(receiver, gauge)
    assert (labels, point.as_int) == (masked, 2)
    ((labels, point),) = of(receiver, histogram)
    assert (labels, point.count, point.sum, point.min, point.max) == (masked, 3, 111, 1, 100)
    assert list(point.bucket_counts) == [1, 1, 1]
    assert [one.as_int for one in point.exemplars] == [1, 10, 100]
    ((labels, point),) = of(receiver, total)
    assert (labels, point.as_int) == (masked, 3)
    books = telewright.stats().points
    assert books.made == books.exported == 5


@pytest.mark.parametrize("fast", [False, True])
def test_texts_that_are_mended_alike_are_one_point(receiver, declare, fast):
    """Two halves of surrogate pairs leave as one question mark."""
    counter = declare(Counter)
    with telewright.start("all", fast=fast):
        for half in ("a\ud800", "a\ud801", "a?"):
            counter._record(1, {"kiln.town": half})
    assert [(labels, point.as_int) for labels, point in of(receiver, counter)] == [
        ({"kiln.town": "a?"}, 3)
    ]


@pytest.mark.parametrize("fast", [False, True])
def test_a_sum_that_otlp_has_no_room_for_costs_itself(receiver, declare, fast):
    """What is alike came to more than 64 bits: dropped, which a flush tells, and no other is."""
    counter, other = declare(Counter), declare(Counter)
    with telewright.start("all", fast=fast):
        for name in NAMES:
            counter._record(2**62, towns(name))
        counter._record(5, {"kiln.town": "plain"})
        other._record(7, {})
        assert not telewright.flush(5)
    assert [(labels, point.as_int) for labels, point in of(receiver, counter)] == [
        ({"kiln.town": "plain"}, 5)
    ]
    assert [point.as_int for _, point in of(receiver, other)] == [7]
    books = telewright.stats().points
    assert set(books.dropped) == {"unencodable"}
    assert books.made == books.exported + books.dropped["unencodable"]
