"""Starting, stopping, flushing, selecting, asking; arguments and environment."""

from __future__ import annotations

import pytest
from opentelemetry import trace

import telewright
from telewright import _group, _start
from telewright._settings import Arguments, read
from telewright.base import Resource
from tests.runtime.interpreter import run
from tests.runtime.receiver import values
from tests.runtime.sample import groups, kiln
from tests.runtime.sample.kiln import Stage


def settings(prefix="TELEWRIGHT", **arguments):
    """Return what *arguments* and the environment come to."""
    return read(Arguments(prefix=prefix, **arguments), "r1")


def test_spans_and_metrics_arrive_and_the_books_agree(receiver):
    """A program that starts, works and stops has all it made at the receiver."""
    with telewright.start("default,kiln.firing", service="pottery") as telemetry:
        assert telemetry.on
        with kiln.fire(Stage.GLAZE, batch="b1", kind="gas") as firing:
            firing.set(shelves=2)
        kiln.faults.add(code="timeout")
        assert telemetry.flush()
    books = telewright.stats()
    (span,) = receiver.spans
    assert values(span.attributes) == {
        "kiln.batch": "b1",
        "kiln.kind": "gas",
        "kiln.shelves": 2,
        "kiln.outcome": "ok",
    }
    assert receiver.metric_names == {"kiln.firing_ms", "kiln.faults_total"}
    assert (books.made, books.exported, books.dropped) == (1, 1, {})
    assert books.points.made == books.points.exported > 0
    scope = receiver.traces[0].resource_spans[0].scope_spans[0]
    assert (scope.scope.name, scope.scope.version) == ("telewright.kiln", "0.3.0")
    assert scope.schema_url == "https://example.org/kiln/0.3.0"


def test_after_stop_everything_is_shut(receiver):
    """Stop shuts the gates; a second stop, and a flush before and after, have nothing to do."""
    assert telewright.flush(1)
    telewright.start("all")
    assert kiln.GATE.on
    assert _group.METRICS.on
    assert telewright.stop()
    assert not kiln.GATE.timed
    assert telewright.stop()
    assert telewright.flush(1)
    assert telewright.select("tpyo") == frozenset()
    assert not receiver.spans


def test_it_can_start_again(receiver):
    """Stopped telemetry starts again, with books of its own; also for tracers of others."""
    theirs = trace.get_tracer("theirs")
    for name in ("one", "two"):
        with telewright.start("kiln.firing"):
            with kiln.heat():
                pass
            theirs.start_span(name).end()
        books = telewright.stats()
        assert (books.made, books.exported) == (2, 2)
    assert [span.name for span in receiver.spans] == ["kiln.heat", "one", "kiln.heat", "two"]


@pytest.mark.parametrize("fast", [False, True], ids=["standard", "fast"])
def test_stop_answers_for_what_was_still_here(fast, receiver):
    """What was lost before is in the books, and in the answer of who asked then."""
    telewright.start("kiln.firing", metrics=False, fast=fast)
    for status in (400, 200):
        receiver.status = status
        with kiln.heat():
            pass
        assert (telewright.flush() if status == 400 else telewright.stop()) is (status == 200)
    books = telewright.stats()
    assert (books.made, books.exported, sum(books.dropped.values())) == (2, 1, 1)


@pytest.mark.behaviour("B070", "B071")
def test_starting_twice_is_starting_once(receiver, caplog):
    """The same again is accepted; something else is a mistake, told once."""
    assert telewright.start("kiln.firing").on
    pipeline = _start.STATE.pipeline
    assert telewright.start("kiln.firing").on
    assert telewright.start(" kiln.firing ", strict=True).on  # how mistakes are told is no setting
    assert "runs already" not in caplog.text
    assert telewright.start("all").on
    assert "telemetry runs already, with other settings" in caplog.text
    assert _start.STATE.pipeline is pipeline
    assert not groups.POT.on
    with pytest.raises(RuntimeError, match="runs already"):
        telewright.start("all", strict=True)
    assert not receiver.spans


@pytest.mark.parametrize(
    "make",
    [
        lambda: Resource("x", {"a": 1, "b": None}),
        lambda: [Resource("x", {"a": [1, 2]}), {"c": "d"}],
        lambda: iter([{"a": 1}]),
        lambda: {"a": pytest.importorskip("numpy").array([1, 2])},
        lambda: {"a": Unlike()},
    ],
    ids=["constructor", "several", "iterator", "numpy", "hostile"],
)
def test_the_same_resource_made_anew_is_the_same(make, receiver):
    """Whatever it is made of; another one is another one."""
    telewright.start("kiln.firing", resource=make(), strict=True)
    assert telewright.start("kiln.firing", resource=make(), strict=True).on
    with pytest.raises(RuntimeError, match="runs already"):
        telewright.start("kiln.firing", resource=[make(), {"z": 1}], strict=True)
    assert not receiver.spans


class Unlike:
    """Is equal to nothing, and says so loudly."""

    __hash__ = None

    def __eq__(self, other):
        raise ValueError(other)


@pytest.mark.usefixtures("receiver")
@pytest.mark.parametrize("mistake", [{"resource": 5}, {"service": Unlike()}])
def test_a_mistake_while_telemetry_runs_does_not_say_that_it_is_off(mistake, caplog):
    """It raises if that is asked for; else one line names it, and what runs goes on."""
    assert telewright.start("kiln.firing").on
    assert telewright.start("kiln.firing", **mistake).on
    assert "telemetry goes on as it is" in caplog.text
    assert "telemetry is off" not in caplog.text
    with pytest.raises((TypeError, ValueError)):
        telewright.start("kiln.firing", **mistake, strict=True)
    with kiln.heat() as span:
        assert span.on


@pytest.mark.behaviour("B072")
def test_a_block_that_found_telemetry_running_leaves_it_running(receiver, monkeypatch):
    """Who started it stops it; who joined it, or could not start, does not at a block's end."""
    with telewright.start("kiln.firing"):
        with telewright.start("kiln.firing") as joined:
            assert joined.on
        monkeypatch.setenv("TELEWRIGHT_OFF", "1")
        with telewright.start("kiln.firing") as refused:
            assert not refused.on
        with kiln.write() as span:
            assert span.on
    assert not kiln.GATE.on
    assert [span.name for span in receiver.spans] == ["kiln.write"]


@pytest.mark.behaviour("B070")
def test_concurrent_starts_make_one_pipeline(receiver):
    """Whoever is first starts, the others join."""
    from threading import Barrier, Thread

    barrier, pipelines = Barrier(8), []

    def begin():
        barrier.wait()
        telewright.start("kiln.firing")
        pipelines.append(_start.STATE.pipeline)

    threads = [Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(pipelines)) == 1
    assert not receiver.spans


def test_stops_and_flushes_at_once_end_in_their_own_time(monkeypatch):
    """Each ends by its own deadline, and none says that what is still on its way has arrived."""
    from socket import create_server
    from threading import Event, Thread

    answers, begun = [], Event()
    with create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{port}")
        telewright.start("kiln.firing", metrics=False)
        with kiln.write():
            pass
        stop = _start.STATE.pipeline.stop

        def stops(*arguments):
            begun.set()
            return stop(*arguments)

        monkeypatch.setattr(_start.STATE.pipeline, "stop", stops)
        first = Thread(target=lambda: answers.append(telewright.stop(2.0)))
        first.start()
        begun.wait()
        assert not telewright.flush(0.05)
        assert not telewright.stop(0.05)
        assert answers == []
        assert not telewright.stop(30.0)  # waits for the first, and says what came of it
        first.join()
    assert answers == [False]
    assert telewright.stats().dropped == {"deadline": 1}
    assert telewright.stop()


@pytest.mark.behaviour("B149")
def test_what_a_source_raises_ends_no_export(receiver):
    """A total that comes of a future that was cancelled, say; it costs its own points."""
    from asyncio import CancelledError

    def broken():
        raise CancelledError

    telewright.start("kiln.firing")
    kiln.humidity.observe(broken)
    try:
        for amount in (1, 2):
            kiln.faults.add(amount, code="timeout")
            assert telewright.flush()
    finally:
        kiln.humidity.forget(broken)
    assert telewright.stop()
    assert receiver.metric_names == {"kiln.faults_total"}


@pytest.mark.parametrize("groups", [None, 5, b"all", ["all"], object()])
def test_what_selects_nothing_changes_nothing(receiver, groups):
    """The groups stay as they are, also those of a registry that is imported afterwards."""
    telewright.start("kiln.firing")
    assert telewright.select(groups) == frozenset()
    assert kiln.GATE.on
    late = _group.Registry("late", version="1.0.0")
    try:
        late.ready()
    finally:
        del _group.REGISTRIES["late"]
    assert not receiver.spans


@pytest.mark.behaviour("B047", "B191")
def test_select_flips_gates_while_telemetry_runs(receiver, caplog):
    """Groups open and shut in a running process; a typo is named and ignored."""
    telewright.start("default")
    assert not kiln.GATE.on
    assert telewright.select("kiln.firing,-kiln.shift,tpyo") == {"tpyo"}
    assert (kiln.GATE.on, groups.SHIFT.on) == (True, False)
    assert "no registry has a span group or preset called tpyo; ignored" in caplog.text
    assert telewright.select("") == frozenset()
    assert not kiln.GATE.on
    assert not receiver.spans


@pytest.mark.behaviour("B191")
def test_names_of_registries_that_are_not_imported_are_known(receiver, caplog):
    """A group that a later import will declare is pending, not unknown."""
    telewright.start("gym.checkpoint,rl.per_step,checkpoint", strict=True)
    assert "no registry" not in caplog.text
    assert not receiver.spans


@pytest.mark.behaviour("B041", "B201")
@pytest.mark.parametrize("variable", ["TELEWRIGHT_OFF", "OTEL_SDK_DISABLED"])
def test_telemetry_can_be_forbidden(variable):
    """Off means that nothing is loaded, started or written to the environment."""
    code = """
        import os, sys, threading
        import telewright
        from telewright.gym import checkpoint
        before = dict(os.environ)
        with telewright.start("all", strict=True) as telemetry:
            print(telemetry.on, checkpoint.GATE.on)
        loaded = [m for m in sys.modules if m.startswith(("opentelemetry", "google", "requests"))]
        print(loaded, threading.active_count(), dict(os.environ) == before)
    """
    said = run(code, **{variable: "true"})
    assert said.stdout.split("\n")[:2] == ["False False", "[] 1 True"]


@pytest.mark.behaviour("B200")
def test_our_variables_win_over_arguments(monkeypatch):
    """Who runs a program has the last word, also under the fallback prefix."""
    monkeypatch.setenv("MY_GROUPS", "all")
    monkeypatch.setenv("OLD_SERVICE", "old")
    monkeypatch.setenv("MY_TRACES", "false")
    monkeypatch.setenv("MY_RESOURCE", "team=kiln, floor=2")
    found = settings("MY", fallback_prefix="OLD", groups="default", service="mine")
    assert (found.groups, found.service, found.traces) == ("all", "old", False)
    assert dict(found.resource) == {"team": "kiln", "floor": "2"}


def test_arguments_win_over_opentelemetrys_variables_where_they_say_something(monkeypatch):
    """An exporter that was asked for stands; the default one gives way."""
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "console")
    assert settings().traces_exporter == "console"
    assert settings().metrics_exporter == "otlp"
    assert settings(exporter="file").traces_exporter == "file"
    monkeypatch.setenv("TELEWRIGHT_EXPORTER", "none")
    assert settings(exporter="file").traces_exporter == "none"


def test_opentelemetrys_variables_are_honoured(monkeypatch):
    """Protocols for each signal, queue, delays and intervals."""
    for name, value in {
        "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc",
        "OTEL_EXPORTER_OTLP_METRICS_PROTOCOL": "http/protobuf",
        "OTEL_BSP_SCHEDULE_DELAY": "250",
        "OTEL_BSP_MAX_QUEUE_SIZE": "99",
        "OTEL_BSP_MAX_EXPORT_BATCH_SIZE": "7",
        "OTEL_METRIC_EXPORT_INTERVAL": "1500",
    }.items():
        monkeypatch.setenv(name, value)
    found = settings()
    assert (found.traces_protocol, found.metrics_protocol) == ("grpc", "http/protobuf")
    assert (found.batching.delay, found.batching.queue, found.batching.size) == (0.25, 99, 7)
    assert found.interval == 1.5


def test_an_exporter_may_come_from_another_distribution(monkeypatch):
    """OpenTelemetry's own entry points are searched for a name that is not built in."""
    from importlib import metadata

    sent = []

    class Exporter:
        def export(self, spans):
            from opentelemetry.sdk.trace.export import SpanExportResult

            sent.extend(spans)
            return SpanExportResult.SUCCESS

        def shutdown(self):
            sent.append("closed")

    class Point:
        name = "mine"

        def load(self):
            return Exporter

    monkeypatch.setattr(metadata, "entry_points", lambda **_group: [Point()])
    with telewright.start("kiln.firing", exporter="mine", metrics=False, strict=True), kiln.heat():
        pass
    assert sent[0].name == "kiln.heat"


def test_the_console_shows_a_line_for_each_span(capsys):
    """The quickest look: one JSON object a line."""
    import json

    with telewright.start("kiln.firing", exporter="console", metrics=False), kiln.heat():
        pass
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["name"] == "kiln.heat"


def test_none_exports_nothing_and_opens_no_gate():
    """With nowhere to go nothing is recorded."""
    with telewright.start("all", exporter="none"):
        assert not kiln.GATE.timed
    assert telewright.stats().made == 0


@pytest.mark.behaviour("B020")
def test_a_scope_may_be_put_on_spans_of_others(receiver):
    """Libraries that use the global provider have their spans in the same scope."""
    theirs = trace.get_tracer("theirs")
    with telewright.start("kiln.firing"), kiln.round_(9), theirs.start_as_current_span("theirs"):
        pass
    assert values(receiver.span("theirs").attributes) == {"kiln.round": 9}
