"""Beginning, forking and ending: behaviours that no test of one module shows."""

from __future__ import annotations

import logging
import os
import threading
from importlib import metadata

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import SpanProcessor
from opentelemetry.sdk.trace.export import SpanExportResult

import telewright
from telewright import _guard, _ids, _start
from telewright._group import REGISTRIES
from telewright.base import Counter
from telewright.gym import server
from telewright.gym.configuration import read
from telewright.rl.training import worker
from tests.behaviours.processes import run
from tests.runtime.sample import groups, kiln
from tests.runtime.test_fork import in_child


@pytest.mark.behaviour("B073")
def test_a_stand_in_of_the_api_is_no_telemetry_to_join(tmp_path):
    """Under one for spans no gate opens; one for metrics is passed over, and ours are exported."""
    code = f"""
        from opentelemetry import metrics, trace
        trace.set_tracer_provider(trace.NoOpTracerProvider())
        metrics.set_meter_provider(metrics.NoOpMeterProvider())
        import telewright
        from tests.runtime.sample import kiln
        telewright.start("all", exporter="file", path={str(tmp_path / "out.jsonl")!r}, strict=True)
        print(kiln.GATE.on, kiln.GATE.timed)
        with kiln.fire("cool", batch="b", kind="k"):
            pass
        print(telewright.stop(), telewright.stats().made)
    """
    assert run(code) == ["False True", "True 0"]
    assert '"kiln.firing_ms"' in (tmp_path / "out.jsonl").read_text()


@pytest.mark.behaviour("B076")
def test_a_stop_exports_all_signals_in_time_and_may_come_twice(tmp_path):
    """Spans, metrics and records are in the file; the second stop has nothing to do."""
    path = tmp_path / "out.jsonl"
    telewright.start("all", exporter="file", path=path, logs=True, strict=True)
    with kiln.heat():
        logging.getLogger("pottery").warning("hot")
    kiln.faults.add(code="timeout")
    assert telewright.stop(timeout=30)
    text = path.read_text()
    assert all(word in text for word in ('"kiln.heat"', '"kiln.faults_total"', '"hot"'))
    books = telewright.stats()
    for book in (books, books.points, books.logs):
        assert book.made == book.exported > 0
    assert telewright.stop()
    assert path.read_text() == text


@pytest.mark.behaviour("B076", "B083")
def test_a_stop_that_fails_skips_nothing_of_the_programs_own(monkeypatch):
    """Whatever breaks inside, the answer is False, and what comes after it is reached."""

    def broken(*_arguments):
        raise RuntimeError

    telewright.start("all", exporter="console", metrics=False, strict=True)
    monkeypatch.setattr(_start.STATE.pipeline, "flush", broken)
    steps = []
    try:
        assert telewright.stop() is False
        steps.append("own")
    finally:
        steps.append("last")
    assert steps == ["own", "last"]
    assert not kiln.GATE.on


@pytest.mark.behaviour("B080")
def test_open_spans_are_ended_before_the_last_export(receiver):
    """At the stop, processors that others added see them end too, and all of it is exported."""
    ended = []

    class Theirs(SpanProcessor):
        def on_end(self, span):
            ended.append((span.name, dict(span.attributes)))

    telewright.start("kiln.firing", metrics=False)
    trace.get_tracer_provider().add_span_processor(Theirs())
    with kiln.heat(), kiln.write():
        assert telewright.stop()
    truncated = {"nemo.span.truncated": True}
    assert ended == [("kiln.write", truncated), ("kiln.heat", truncated)]
    assert [span.name for span in receiver.spans] == ["kiln.write", "kiln.heat"]


@pytest.mark.behaviour("B091")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_children_of_a_process_that_has_drawn_ids_draw_others(receiver):
    """What the parent has drawn ahead is the parent's; no child repeats it, or another child."""

    def work():
        for _ in range(5):
            with kiln.heat():
                pass
        assert telewright.stop()

    telewright.start("kiln.firing", metrics=False)
    with kiln.heat():
        pass
    for _ in range(2):
        in_child(work)
    work()
    assert len({span.span_id for span in receiver.spans}) == 16
    assert len({span.trace_id for span in receiver.spans}) == 16


@pytest.mark.behaviour("B094")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_child_knows_every_registry(receiver):
    """Groups, presets and instruments are declared once, for the children too."""
    telewright.start("kiln.firing")
    declared = {name: len(registry.instruments) for name, registry in REGISTRIES.items()}

    def work():
        assert {name: len(one.instruments) for name, one in REGISTRIES.items()} == declared
        assert groups.REGISTRY.presets["default"] == (groups.SHIFT, groups.POT)
        assert kiln.GATE.on
        kiln.faults.add(code="timeout")
        assert telewright.select("kiln.default") == frozenset()
        assert groups.SHIFT.on
        assert not kiln.GATE.on
        assert telewright.stop()

    in_child(work)
    assert receiver.metric_names == {"kiln.faults_total"}


@pytest.mark.behaviour("B095")
def test_ids_are_never_zero_and_say_that_they_are_random(monkeypatch):
    """What the system draws as zero is drawn again."""
    drawn = [bytes(8 * _ids._DRAWN), bytes(8 * _ids._DRAWN)]
    monkeypatch.setattr(_ids, "urandom", lambda size: drawn.pop() if drawn else os.urandom(size))
    ids = _ids.SystemIds()
    assert ids.generate_span_id() != 0
    assert not drawn
    assert ids.generate_trace_id() >> 64
    assert ids.is_trace_id_random() is True


@pytest.mark.behaviour("B153")
def test_nothing_is_exported_on_the_applications_thread(monkeypatch):
    """Recording queues; whoever exports is a thread of telemetry's, with no lock of the core."""
    seen = []

    def touch():
        with _guard.LOCK:
            pass

    class Exporter:
        def export(self, _spans):
            asked = threading.Thread(target=touch)
            asked.start()
            asked.join(5)
            seen.append((threading.current_thread() is mine, asked.is_alive()))
            return SpanExportResult.SUCCESS

        def shutdown(self):
            """Have nothing to let go of."""

    class Point:
        name = "slow"

        def load(self):
            return Exporter

    mine = threading.current_thread()
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "1")
    monkeypatch.setattr(metadata, "entry_points", lambda **_group: [Point()])
    telewright.start("kiln.firing", exporter="slow", metrics=False, strict=True)
    with kiln.heat():
        pass
    telewright.stop()
    assert seen == [(False, False)]


@pytest.mark.behaviour("B182")
def test_what_is_declared_late_is_recorded(receiver):
    """An instrument that is declared while telemetry runs joins it, instead of being dropped."""
    telewright.start("kiln.firing")
    late = Counter(groups.REGISTRY, "kiln.late_total", unit="1", brief="Late.", integer=True)
    try:
        late._record(2, {})
        assert telewright.stop()
    finally:
        groups.REGISTRY.instruments.remove(late)
    assert receiver.metric_names == {"kiln.late_total"}


@pytest.mark.behaviour("B202")
def test_what_was_asked_for_is_said_once(receiver, caplog):
    """One line at the start has groups, exporters and run; starting again adds none."""
    for _ in range(2):
        telewright.start("kiln.firing", run_id="r-9")
    assert telewright.stop()
    lines = [record.message for record in caplog.records if "telemetry is on" in record.message]
    assert lines == ["telemetry is on: kiln.firing by otlp, metrics by otlp, run r-9"]
    assert not receiver.spans


@pytest.mark.behaviour("B206")
def test_a_server_says_its_own_name_and_that_of_its_service(receiver):
    """Each server has a name of its own by default; what they share is beside it."""
    assert read({}, environ={}).service_name_per_server is True
    own = server.process(
        server_name="agent",
        server_type="responses_api_agents",
        rank=0,
        world_size=1,
        run_id="r",
        service_group="nemo-gym",
    )
    with telewright.start("kiln.firing", service="nemo-gym-agent", resource=[own]), kiln.heat():
        pass
    assert receiver.resource["service.name"] == "nemo-gym-agent"
    assert receiver.resource["nemo.gym.service_group"] == "nemo-gym"


@pytest.mark.behaviour("B208")
def test_a_rank_comes_with_its_worker_group():
    """What a worker says of itself has both, and cannot be said without either."""
    with pytest.raises(TypeError, match="worker_group"):
        worker(rank=0, world_size=8)
    said = values_of(worker(worker_group="lm_policy", rank=0, world_size=8))
    assert said == {"rl.worker_group": "lm_policy", "nv.dl.rank": 0, "nv.dl.world_size": 8}


def values_of(resource):
    """Return what a resource says, as `start` takes it."""
    return {key: value for key, value in resource.attributes.items() if value is not None}
