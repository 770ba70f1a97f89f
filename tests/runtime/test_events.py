"""Declared events that are log records."""

from __future__ import annotations

import os

import pytest

import telewright
from telewright import _guard
from telewright.testing import captured
from tests.golden.everything.expected import order
from tests.golden.everything.expected.order import Channel
from tests.runtime.sample import kiln
from tests.runtime.written import read

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")


def events(path):
    """Return the records with the name of an event in a file, each with its scope."""
    return [
        {
            **record,
            "attributes": {pair["key"]: pair["value"] for pair in record["attributes"]},
        }
        for record in read(path, "logs")
        if record.get("eventName")
    ]


@pytest.fixture
def file(tmp_path):
    """Return the file that telemetry goes to."""
    return tmp_path / "out.jsonl"


def test_an_event_is_a_record_with_trace_and_scopes(file):
    """It has its name, what is current, the scopes, and what of its attributes may leave."""
    with (
        telewright.start("kiln.firing", exporter="file", path=file, logs=True, strict=True),
        kiln.round_(7),
        kiln.heat() as span,
    ):
        context = span._otel.get_span_context()
        order.swept(channel=Channel.WEB, items=3, note="a secret")
    (record,) = events(file)
    assert record["eventName"] == "shop.order.swept"
    assert record["scope"]["name"] == "telewright.shop"
    assert (record["traceId"], record["spanId"]) == (
        f"{context.trace_id:032x}",
        f"{context.span_id:016x}",
    )
    assert record["severityText"] == "INFO"
    assert record["attributes"] == {
        "kiln.round": {"intValue": "7"},
        "shop.order.channel": {"stringValue": "web"},
        "shop.order.items": {"intValue": "3"},
    }
    books = telewright.stats().logs
    assert books.made == books.exported
    assert books.made >= 1


def test_without_logs_it_is_nothing(file):
    """Spans and metrics may be exported; the event is neither recorded nor looked at."""
    with telewright.start("all", exporter="file", path=file), kiln.heat():
        order.swept(channel=object())
    assert telewright.stats().logs.made == 0
    assert not events(file)
    order.swept(channel=Channel.WEB)
    assert not _guard.FAILURES
    with pytest.raises(TypeError):
        order.swept()


def test_it_follows_no_span_group(file):
    """With every group off it is recorded all the same, without a trace."""
    with telewright.start("", exporter="file", path=file, logs=True, metrics=False):
        order.swept(channel=Channel.WEB)
    (record,) = events(file)
    assert "traceId" not in record


def test_a_forked_child_has_events_of_its_own(file):
    """The first event of a child opens its pipeline; the parent's is not touched."""
    telewright.start("kiln.firing", exporter="file", path=file, logs=True, metrics=False)
    child = os.fork()
    if not child:
        order.swept(channel=Channel.WEB, items=1)
        telewright.stop()
        os._exit(not telewright.stats().logs.exported)
    assert os.waitpid(child, 0)[1] == 0
    order.swept(channel=Channel.WEB, items=2)
    telewright.stop()
    found = sorted(record["attributes"]["shop.order.items"]["intValue"] for record in events(file))
    assert found == ["1", "2"]


def test_tests_of_an_application_see_them():
    """`captured` has them in order, as they would have left."""
    with captured() as telemetry, kiln.round_(1):
        order.swept(channel=Channel.WEB, note="a secret")
        (event,) = telemetry.events
        telemetry.clear()
        assert not telemetry.events
    assert event.name == "shop.order.swept"
    assert event.attributes == {"kiln.round": 1, "shop.order.channel": "web"}
    order.swept(channel=Channel.WEB)
    assert not telemetry.events


@pytest.mark.parametrize("bad", [object(), None, 2**70, float("nan")])
def test_one_bad_value_costs_that_value(bad, file):
    """Nothing is raised, and the record leaves without it."""
    with telewright.start("kiln.firing", exporter="file", path=file, logs=True):
        order.swept(channel=Channel.WEB, items=bad)
    (record,) = events(file)
    assert record["attributes"] == {"shop.order.channel": {"stringValue": "web"}}
