"""Starts that fail: what is said, and that nothing of them stays."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from opentelemetry import trace

import telewright
from telewright import _exporters, _group
from tests.runtime.export_threads import threads
from tests.runtime.log import ours
from tests.runtime.receiver import values
from tests.runtime.sample import kiln


@pytest.mark.behaviour("B074", "B205")
@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        ({"groups": "tpyo"}, {}, "called tpyo"),
        ({"exporter": "otpl"}, {}, "no exporter is called 'otpl'"),
        ({"groups": ["all"]}, {}, "groups must be a text, not list"),
        ({"groups": None}, {}, "groups must be a text, not NoneType"),
        ({"hash_key": 5}, {}, "hash_key must be a text, not int"),
        ({}, {"TELEWRIGHT_METRICS": "maybe"}, "TELEWRIGHT_METRICS must be true or false"),
        ({}, {"OTEL_BSP_SCHEDULE_DELAY": "soon"}, "OTEL_BSP_SCHEDULE_DELAY must be a whole number"),
        ({}, {"OTEL_BSP_MAX_QUEUE_SIZE": "0"}, "OTEL_BSP_MAX_QUEUE_SIZE must be 1 or more"),
        ({}, {"OTEL_EXPORTER_OTLP_PROTOCOL": "smtp"}, "OTEL_EXPORTER_OTLP_PROTOCOL must be one of"),
        ({}, {"TELEWRIGHT_RESOURCE": "team"}, "TELEWRIGHT_RESOURCE must be key=value"),
    ],
)
def test_a_mistake_costs_one_line_or_raises(arguments, environment, said, monkeypatch, caplog):
    """`strict` raises and names the variable; else one line, and all stays off."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ValueError, match=said):
        telewright.start(**arguments, strict=True)
    assert not _group.TRACES.on
    assert telewright.stats().made == 0
    before = telewright.stats().values.get("start", 0)
    started = telewright.start(**arguments)
    lines = [one for one in ours(caplog) if one.levelname == "WARNING"]
    assert len(lines) == 1
    assert said in lines[0].message
    assert started.on is (arguments == {"groups": "tpyo"})
    assert telewright.stats().values.get("start", 0) == before + (not started.on)


@pytest.mark.behaviour("B075")
def test_a_start_that_fails_may_be_tried_again(monkeypatch, receiver):
    """The mistake is told each time, and mending it helps."""
    monkeypatch.setenv("TELEWRIGHT_METRICS", "maybe")
    for _ in range(2):
        with pytest.raises(ValueError, match="TELEWRIGHT_METRICS"):
            telewright.start(strict=True)
    monkeypatch.delenv("TELEWRIGHT_METRICS")
    assert telewright.start(strict=True).on
    assert not receiver.spans


@pytest.mark.behaviour("B070", "B074")
@pytest.mark.parametrize(
    ("arguments", "environment", "said"),
    [
        ({"run_id": "a\0b"}, {}, r"TELEWRIGHT_RUN_ID='a\\x00b' is no variable"),
        ({"prefix": "A=B"}, {}, "A=B_RUN_ID"),
        ({}, {"OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT": "many"}, "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT"),
        ({}, {"OTEL_METRICS_EXPORTER": "otpl"}, "no exporter is called 'otpl'"),
        ({}, {"OTEL_LOGS_EXPORTER": "otpl"}, "no exporter is called 'otpl'"),
    ],
)
@pytest.mark.usefixtures("receiver")
def test_a_start_that_fails_late_leaves_nothing(arguments, environment, said, monkeypatch):
    """Whatever it had begun by then ends: gates, threads, exporters, what others are told."""
    earlier, closed = threads(), []
    monkeypatch.setattr(_exporters, "_otlp", closing(_exporters._otlp, closed))
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    variables = dict(os.environ)
    with pytest.raises(ValueError, match=said):
        telewright.start("all", logs=True, strict=True, **arguments)
    assert not telewright.start("all", logs=True, **arguments).on
    for thread in threads() - earlier:
        thread.join(10)
    assert not threads() - earlier
    assert closed
    assert all(one.count("closed") == one.count("made") == 1 for one in closed)
    assert not kiln.GATE.timed
    assert not _group.TRACES.on
    assert dict(os.environ) == variables
    with trace.get_tracer("theirs").start_as_current_span("theirs") as span:
        assert not span.is_recording()
    monkeypatch.undo()
    assert telewright.start("none", exporter="none", strict=True).on


def closing(make, made):
    """Return *make*, but note in *made* what became of each exporter."""

    def noting(*arguments):
        exporter, notes = make(*arguments), ["made"]
        made.append(notes)

        def close():
            notes.append("closed")
            return exporter.close()

        return replace(exporter, close=close)

    return noting


def test_asking_for_something_else_leaves_what_runs_as_it_is(receiver, monkeypatch):
    """A strict start with other settings raises; texts of exceptions still leave, as was said."""
    monkeypatch.setenv("TELEWRIGHT_EXCEPTION_TEXT", "true")
    with telewright.start("kiln.firing"):
        with pytest.raises(RuntimeError, match="runs already"):
            telewright.start("all", strict=True)
        with pytest.raises(ValueError, match="spoilt"), kiln.heat():
            raise ValueError("spoilt")
    (event,) = receiver.span("kiln.heat").events
    assert values(event.attributes)["exception.message"] == "spoilt"
