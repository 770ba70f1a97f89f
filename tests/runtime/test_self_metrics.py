"""What telemetry says about itself, among the metrics of its process."""

from __future__ import annotations

import pytest

import telewright
from telewright._delivery import OURS
from telewright.testing import captured
from tests.runtime.sample import kiln
from tests.runtime.sample.kiln import Stage


def work():
    """Make four spans, one of them with a value that may not leave, and some points."""
    with kiln.fire(Stage.COOL, batch="b", kind="k"), kiln.heat(), kiln.write(), kiln.heat() as span:
        span._set("undeclared", "x")


def exported(receiver):
    """Return the books as they were exported last."""
    return {
        (*labels, figure): number
        for figure in ("made", "exported", "dropped")
        for labels, number in receiver.points(f"telewright.items.{figure}").items()
    }


def test_the_books_are_exported_as_they_are(receiver):
    """After a flush the metrics say what `stats` says, signal by signal."""
    telewright.start("kiln.firing", logs=False)
    work()
    assert telewright.flush()
    books = telewright.stats()
    assert (books.made, books.exported) == (4, 4)
    assert exported(receiver) == {
        ("spans", "made"): 4,
        ("spans", "exported"): 4,
        ("points", "made"): 0,
        ("points", "exported"): 0,
        ("logs", "made"): 0,
        ("logs", "exported"): 0,
    }
    assert telewright.flush()
    assert exported(receiver)["points", "exported"] == books.points.exported > 0


def test_what_was_dropped_is_exported_by_reason(monkeypatch, receiver):
    """A full queue and a key that nobody declared are in the metrics as they are in `stats`."""
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "1")
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "1")
    receiver.delay = 0.2
    telewright.start("kiln.firing")
    for _ in range(5):
        work()
    telewright.flush()
    telewright.stop()
    books = telewright.stats()
    assert books.dropped["queue_full"] > 10
    assert exported(receiver)["spans", "queue_full", "dropped"] == books.dropped["queue_full"]
    assert receiver.points("telewright.values.changed")["undeclared",] == books.values["undeclared"]
    assert receiver.points("telewright.values.redacted") == {(): books.redacted}


def test_they_are_in_no_book_themselves(receiver):
    """However often they are exported, nothing grows: only the application's points count."""
    telewright.start("kiln.firing")
    for _ in range(3):
        assert telewright.flush()
    assert telewright.stats().points.made == 0
    assert exported(receiver)["points", "made"] == 0
    assert len(receiver.metrics) == 3
    kiln.faults.add(code="timeout")
    assert telewright.stop()
    assert telewright.stats().points.made == telewright.stats().points.exported == 1


def test_they_can_be_left_out(monkeypatch, receiver):
    """TELEWRIGHT_SELF_METRICS=false: the application's metrics alone are exported."""
    monkeypatch.setenv("TELEWRIGHT_SELF_METRICS", "false")
    with telewright.start("kiln.firing"):
        work()
    assert receiver.metric_scopes
    assert not [scope for scope in receiver.metric_scopes if scope.scope.name == OURS]


def test_the_console_is_spared_them(capsys):
    """Who looks at a console looks for what the application did."""
    with telewright.start("kiln.firing", exporter="console"):
        work()
    assert "kiln.firing_ms" in (shown := capsys.readouterr().out)
    assert "telewright.items" not in shown


@pytest.mark.parametrize("again", [False, True])
def test_they_end_with_telemetry(receiver, again):
    """Started again they are read once, and the books begin anew; afterwards not at all."""
    for _ in range(1 + again):
        with telewright.start("kiln.firing"), kiln.heat():
            pass
    (own,) = [
        scope.metrics
        for resource in receiver.metrics[-1].resource_metrics
        for scope in resource.scope_metrics
        if scope.scope.name == OURS
    ]
    assert [metric.name for metric in own].count("telewright.items.made") == 1
    assert receiver.points("telewright.items.made") == {("spans",): 1, ("points",): 0, ("logs",): 0}
    with captured() as telemetry:
        assert not telemetry.points("telewright.items.made")


def test_counts_of_values_begin_anew_with_each_start(receiver):
    """As what was made does, in `stats` and in what is exported."""
    for number in (3, 1):
        receiver.metrics.clear()
        telewright.start("kiln.firing")
        for _ in range(number):
            work()
        assert telewright.flush()
        assert telewright.stats().values == {"undeclared": number}
        assert telewright.stats().redacted == number
        assert receiver.points("telewright.values.changed") == {("undeclared",): number}
        assert receiver.points("telewright.values.redacted") == {(): number}
        assert telewright.stop()
