"""A real collector receives what a program records, over both protocols."""

from __future__ import annotations

import pytest

import telewright
from tests.runtime.collector import Collector, installed
from tests.runtime.sample import kiln
from tests.runtime.sample.kiln import Stage

pytestmark = pytest.mark.skipif(installed() is None, reason="needs the collector `rotel`")


@pytest.fixture(scope="module")
def collector(tmp_path_factory):
    """Run one collector for all tests of this module."""
    with Collector(tmp_path_factory.mktemp("collector")) as running:
        yield running


@pytest.mark.parametrize(("protocol", "batch"), [("http/protobuf", "b-http"), ("grpc", "b-grpc")])
def test_it_receives_the_same_over_either_protocol(collector, protocol, batch, monkeypatch):
    """Spans with their attributes, links and status, and metrics; books agree."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", protocol)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoints[protocol])
    with telewright.start("default,kiln.firing", service=f"pottery-{batch}", strict=True):
        pot = kiln.pot(potter=batch, pot_id="1-0")
        fire = kiln.fire(Stage.GLAZE, batch=batch, kind="gas", shelf="top")
        with kiln.shift(), kiln.round_(7), pot, fire as firing:
            firing.set(shelves=3)
        with pytest.raises(TimeoutError), kiln.fire(Stage.COOL, batch=batch, kind="gas"):
            raise TimeoutError
        kiln.faults.add(4, code="timeout")
        assert telewright.flush()
    books = telewright.stats()
    assert (books.made, books.exported, books.dropped) == (4, 4, {})
    assert books.points.made == books.points.exported > 0

    sent = 4 if protocol == "http/protobuf" else 8
    spans = {span["name"]: span for span in collector.spans(sent)[sent - 4 :]}
    assert set(spans) == {"kiln.shift", "kiln.pot", "kiln.fire.glaze", "kiln.fire.cool"}
    glaze, pot, shift = spans["kiln.fire.glaze"], spans["kiln.pot"], spans["kiln.shift"]
    assert glaze["attributes"] == {
        "kiln.round": "7",
        "kiln.batch": batch,
        "kiln.kind": "gas",
        "kiln.shelf": "top",
        "kiln.shelves": "3",
        "kiln.outcome": "ok",
    }
    assert (glaze["trace"], glaze["parent"]) == (pot["trace"], pot["id"])
    assert pot["parent"] == shift["parent"] == ""
    assert pot["trace"] != shift["trace"]
    assert shift["trace"] in pot["text"], "the link"
    assert "STATUS_CODE_ERROR" in spans["kiln.fire.cool"]["text"]
    assert spans["kiln.fire.cool"]["attributes"]["kiln.fault_code"] == "timeout"
    durations = collector.metric("kiln.firing_ms")
    assert "Unit: ms" in durations
    assert "kiln.stage: Str(glaze)" in durations
    assert "Value: 4" in collector.metric("kiln.faults_total")


def test_a_collector_that_is_not_there_is_noticed(monkeypatch):
    """The positive control: the same program, and nobody who receives it."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    telewright.start("kiln.firing", metrics=False, strict=True)
    with kiln.heat():
        pass
    assert telewright.stop(1.0) is False
    books = telewright.stats()
    assert (books.made, books.exported) == (1, 0)
    assert sum(books.dropped.values()) == 1
