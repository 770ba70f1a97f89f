"""The fast tier of metrics: whatever is measured, the bytes are those of the standard tier."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from opentelemetry.exporter.otlp.proto.common._internal.metrics_encoder import EncodingException
from opentelemetry.sdk.metrics.export import AggregationTemporality

import telewright
from telewright._fast_cells import HistogramCell
from telewright._fast_family import Family
from telewright._fast_gauge import GaugeCell
from telewright.base import Counter
from tests import soak
from tests.runtime import fast_measurements
from tests.runtime.fast_examples import MEASUREMENTS
from tests.runtime.fast_measurements import KINDS, PROGRAMS, TEMPORALITIES
from tests.runtime.receiver import values
from tests.runtime.sample import groups

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]


def compare(program, temporality):
    """Run *program* in both tiers, and hold what came of it against each other."""
    standard = fast_measurements.run(program, fast=False, temporality=temporality)
    fast = fast_measurements.run(program, fast=True, temporality=temporality)
    assert fast == standard


@pytest.mark.parametrize(
    "temporality", [AggregationTemporality.DELTA, AggregationTemporality.CUMULATIVE]
)
@pytest.mark.parametrize("program", MEASUREMENTS)
def test_all_that_can_be_measured_exports_the_same_bytes(program, temporality):
    """Each instrument and each kind of value, in spans and out of them, in several intervals."""
    compare(program, dict.fromkeys(KINDS, temporality))


@settings(max_examples=25, deadline=None, suppress_health_check=QUIET)
@given(PROGRAMS, TEMPORALITIES)
def test_random_measurements_export_the_same_bytes(program, temporality):
    """Values of every kind, bound or not, in spans of any kind, delta and cumulative."""
    compare(program, temporality)


@pytest.mark.soak
def test_many_random_measurements_export_the_same_bytes(request):
    """The same, for minutes."""
    base = settings(suppress_health_check=QUIET)
    soak.begin(request).examples(
        compare, PROGRAMS, TEMPORALITIES, count=3_000, patience=60, base=base
    )


class Nowhere:
    """A cell that keeps nothing."""

    take = bool


BREAKAGES = {
    "a sum that loses what it begins with": (
        Family,
        "begin",
        lambda _family, cell: cell.open() or Nowhere,
    ),
    "a histogram without exemplars": (HistogramCell, "_see", lambda *_given: None),
    "a gauge that takes anything": (GaugeCell, "_fitted", lambda _cell, value: value),
    "series that are not told apart": (Family, "cell", lambda family, _labels: family._overflow()),
}


@pytest.mark.parametrize("broken", BREAKAGES)
def test_a_broken_cell_is_found(broken, monkeypatch):
    """The comparison sees a cell that does any one thing wrong."""
    kind, method, wrong = BREAKAGES[broken]
    monkeypatch.setattr(kind, method, wrong)

    @settings(
        max_examples=300,
        deadline=None,
        suppress_health_check=QUIET,
        phases=[Phase.generate],
        database=None,
        derandomize=True,
    )
    @given(PROGRAMS, TEMPORALITIES)
    def search(program, temporality):
        compare(program, temporality)

    with pytest.raises((AssertionError, EncodingException)):
        search()


@pytest.fixture
def loose():
    """Return a counter without a limit of its own."""

    class Loose(Counter):
        __slots__ = ()

    counter = Loose(groups.REGISTRY, "kiln.loose", unit="1", brief="x", integer=True)
    yield counter
    groups.REGISTRY.instruments.remove(counter)


def _series(receiver):
    """Return the series of that counter in each export, and what they hold."""
    return [
        [(values(point.attributes), point.as_int) for point in metric.sum.data_points]
        for request in receiver.metrics
        for scope in request.resource_metrics[0].scope_metrics
        for metric in scope.metrics
        if metric.name == "kiln.loose"
    ]


@pytest.mark.parametrize("fast", [False, True])
def test_series_beyond_the_limit_are_one(fast, receiver, loose):
    """In either tier two thousand are kept apart, and the rest is one that says what it is."""
    with telewright.start("all", fast=fast):
        for number in range(2_100):
            loose._record(1, {"kiln.town": f"t{number}"})
    (points,) = _series(receiver)
    assert len(points) == 2_001
    assert points[-1] == ({"otel.metric.overflow": True}, 100)


@pytest.mark.parametrize("fast", [False, True])
def test_series_of_earlier_intervals_take_no_room(fast, receiver, loose, monkeypatch):
    """Where each interval stands for itself, the limit does: other series of the next have room."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE", "delta")
    with telewright.start("all", fast=fast):
        for interval in range(3):
            for number in range(1_500):
                loose._record(1, {"kiln.town": f"t{interval}-{number}"})
            assert telewright.flush()
    exported = _series(receiver)
    assert [len(points) for points in exported] == [1_500] * 3
    assert all(amount == 1 for points in exported for _, amount in points)
