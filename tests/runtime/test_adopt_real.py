"""Processes whose telemetry real packages have set up: `opentelemetry-instrument`, and Logfire."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CANARY = "sk-proj-" + "a1B2" * 12

INSTRUMENTED = f"""
import json, logging, os
from opentelemetry import metrics, trace
import telewright
from telewright.gym import rollout
from telewright.gym.rollout import RolloutOutcome

CANARY = {CANARY!r}
before = trace.get_tracer_provider(), metrics.get_meter_provider()
counter = metrics.get_meter("theirs").create_counter("theirs")

def record():
    with trace.get_tracer("theirs").start_as_current_span("theirs") as span:
        span.set_attribute("url", CANARY)
        with rollout.dispatch(dispatch_name="x", rollout_id=CANARY) as ours:
            logging.getLogger("app").warning("within %s", CANARY)
    rollout.completed.add(outcome=RolloutOutcome.SCORED, dispatch_name="math")
    counter.add(1, {{"who": CANARY}})
"""


def instrumented(code, receiver, **environ):
    """Run *code* as `opentelemetry-instrument python …`, exporting to *receiver*; return lines."""
    done = subprocess.run(
        [
            Path(sys.executable).with_name("opentelemetry-instrument"),
            sys.executable,
            "-c",
            INSTRUMENTED + textwrap.dedent(code),
        ],
        cwd=ROOT,
        env={
            **os.environ,
            "OTEL_EXPORTER_OTLP_ENDPOINT": receiver.url,
            "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
            "OTEL_TRACES_EXPORTER": "otlp",
            "OTEL_METRICS_EXPORTER": "otlp",
            "OTEL_LOGS_EXPORTER": "console",
            "OTEL_SERVICE_NAME": "theirs",
            **environ,
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def names(receiver):
    """Return the names of the metrics that the receiver has."""
    return {
        metric.name
        for request in receiver.metrics
        for resource in request.resource_metrics
        for scope in resource.scope_metrics
        for metric in scope.metrics
    }


@pytest.mark.behaviour("B072", "B073", "B168")
def test_all_signals_leave_by_what_was_set_up(receiver):
    """Ours arrive judged through its exporters, under its resource; it goes on after our stop."""
    out, err = instrumented(
        """
        with telewright.start("default", logs=True, strict=True):
            record()
            print(telewright.flush(5))
        print(before == (trace.get_tracer_provider(), metrics.get_meter_provider()))
        print(telewright.stats().made, telewright.stats().exported)
        trace.get_tracer("theirs").start_span("after").end()
        """,
        receiver,
    )
    assert [line for line in out.splitlines() if line in {"True", "1 1"}] == ["True"] * 2 + ["1 1"]
    by_name = {span.name: span for span in receiver.spans}
    assert set(by_name) == {"theirs", "gym.rollout.dispatch", "after"}
    assert by_name["gym.rollout.dispatch"].parent_span_id == by_name["theirs"].span_id
    assert CANARY not in str(by_name["gym.rollout.dispatch"])
    assert CANARY in str(by_name["theirs"])
    assert {"gym.rollout.completed_total", "theirs"} <= names(receiver)
    (resource,) = {
        str(one.resource) for request in receiver.traces for one in request.resource_spans
    }
    assert "telemetry.auto.version" in resource
    assert out.count('"body": "within') == 1  # its own handler took it, and nobody a second time
    assert CANARY in out
    assert CANARY in "".join(map(str, receiver.metrics))
    assert "Overriding" not in err


@pytest.mark.behaviour("B168", "B171")
def test_the_guard_stands_before_its_exporters(receiver):
    """With it, no canary of theirs leaves over OTLP or in a log, to the end of the process."""
    out, _ = instrumented(
        """
        telewright.adopt("default", guard=True, strict=True)
        record()
        print(telewright.flush(5))
        """,
        receiver,
    )
    assert '"body": "within' in out
    assert CANARY not in out
    assert CANARY not in "".join(map(str, (*receiver.traces, *receiver.metrics)))
    assert {"theirs", "gym.rollout.dispatch"} == {span.name for span in receiver.spans}
    assert {"gym.rollout.completed_total", "theirs"} <= names(receiver)


@pytest.mark.behaviour("B020")
def test_scopes_are_on_its_spans(receiver):
    """What was set up exports them with spans that it knows nothing of, judged."""
    instrumented(
        """
        from telewright.base import Scope
        with telewright.adopt("default", strict=True), Scope({"rl.iteration": 412, "x": CANARY}):
            record()
        """,
        receiver,
    )
    (theirs,) = [span for span in receiver.spans if span.name == "theirs"]
    said = {one.key: one.value for one in theirs.attributes}
    assert said["rl.iteration"].int_value == 412
    assert CANARY in said["url"].string_value
    assert CANARY not in said["x"].string_value


LOGFIRE = f"""
import json
import logfire
from opentelemetry import metrics, trace
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
import telewright
from telewright.gym import rollout
from telewright.gym.rollout import RolloutOutcome

CANARY = {CANARY!r}
memory, points = InMemorySpanExporter(), InMemoryMetricReader()

def configure():
    logfire.configure(
        send_to_logfire=False,
        console=False,
        scrubbing=False,
        inspect_arguments=False,  # it would read the source, of which there is no file here
        additional_span_processors=[SimpleSpanProcessor(memory)],
        metrics=logfire.MetricsOptions(additional_readers=[points]),
    )

def record():
    with logfire.span("theirs", note=f"about {{CANARY}}"):
        with rollout.dispatch(dispatch_name="x", rollout_id=CANARY):
            pass
    rollout.completed.add(outcome=RolloutOutcome.SCORED, dispatch_name="math")
    logfire.metric_counter("theirs").add(1, {{"who": CANARY}})

def seen():
    spans = memory.get_finished_spans()
    memory.clear()
    data = points.get_metrics_data()
    return json.dumps({{
        "spans": sorted(span.name for span in spans),
        "leaks": sorted({{span.name for span in spans if "a1B2" in span.to_json()}}),
        "metrics": sorted(
            metric.name
            for resource in data.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if not metric.name.startswith("telewright.")
        ),
        "labels leak": "a1B2" in data.to_json(),
    }})
"""
NEEDS = ["logfire>=4", "opentelemetry-exporter-otlp-proto-http"]


@pytest.fixture(scope="module")
def with_logfire(request):
    """Run code where Logfire is installed, in an environment that is kept; or skip and say why."""
    folder = Path(request.config.cache.mkdir("logfire"))
    python, done = folder / "bin" / "python", folder / "installed"
    if not done.exists() or done.read_text() != repr(NEEDS):
        shutil.rmtree(folder)
        for command in (
            [sys.executable, "-m", "venv", str(folder)],
            [str(python), "-m", "pip", "install", "--quiet", *NEEDS],
        ):
            made = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
            if made.returncode:
                pytest.skip(f"Logfire cannot be installed: {made.stderr.strip()[-300:]}")
        done.write_text(repr(NEEDS))

    def in_process(code):
        ran = subprocess.run(
            [str(python), "-c", LOGFIRE + textwrap.dedent(code)],
            env={**os.environ, "PYTHONPATH": str(ROOT / "runtime")},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout.splitlines(), ran.stderr

    return in_process


@pytest.mark.system
@pytest.mark.behaviour("B072", "B168")
@pytest.mark.parametrize("guard", [False, True])
def test_in_a_process_of_logfire(with_logfire, guard):
    """Ours arrive through Logfire, judged; its own leak, or not with the guard; it goes on."""
    lines, err = with_logfire(f"""
        configure()
        with telewright.adopt("default", guard={guard}, strict=True) as telemetry:
            record()
            print(seen())
        logfire.info("after")
        print([span.name for span in memory.get_finished_spans()])
        print(telewright.stats().made, telewright.stats().exported)
    """)
    assert json.loads(lines[0]) == {
        "spans": ["gym.rollout.dispatch", "theirs"],
        "leaks": [] if guard else ["theirs"],
        "metrics": ["gym.rollout.completed_total", "theirs"],
        "labels leak": not guard,
    }
    assert lines[1:] == ["['after']", "1 1"]
    assert "Overriding" not in err


@pytest.mark.system
def test_log_records_go_to_logfire(with_logfire):
    """What the application logs arrives there: Logfire takes nothing where it is suppressed."""
    lines, _ = with_logfire("""
        import logging
        from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter
        from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor

        records = InMemoryLogRecordExporter()
        logfire.configure(
            send_to_logfire=False,
            console=False,
            inspect_arguments=False,
            advanced=logfire.AdvancedOptions(
                log_record_processors=[SimpleLogRecordProcessor(records)]
            ),
        )
        with telewright.adopt("default", logs=True, strict=True):
            logging.getLogger("app").warning("hello")
            print(telewright.flush())
        print([one.log_record.body for one in records.get_finished_logs()])
    """)
    assert lines == ["True", "['hello']"]


@pytest.mark.system
@pytest.mark.behaviour("B168")
def test_what_is_added_to_logfire_later_is_guarded(with_logfire):
    """By Logfire's own provider, which locks while it hands a processor on, and until the stop."""
    lines, err = with_logfire("""
        configure()
        later = [InMemorySpanExporter() for _ in range(2)]
        with telewright.adopt("default", guard=True, strict=True):
            trace.get_tracer_provider().add_span_processor(SimpleSpanProcessor(later[0]))
            record()
        trace.get_tracer_provider().add_span_processor(SimpleSpanProcessor(later[1]))
        record()
        for one in later:
            print(["a1B2" in span.to_json() for span in one.get_finished_spans()])
    """)
    assert lines == ["[False, False, True]", "[True]"]
    assert "cannot be put" not in err


@pytest.mark.system
@pytest.mark.behaviour("B020")
def test_scopes_are_on_spans_of_logfire(with_logfire):
    """Its provider stands before the SDK's, and hands processors on; none is left without."""
    lines, err = with_logfire("""
        from telewright.rl import training
        configure()
        for _ in range(2):
            with telewright.adopt("default", strict=True), training.iteration(412):
                logfire.info("theirs")
        print([span.attributes.get("rl.iteration") for span in memory.get_finished_spans()])
    """)
    assert lines == ["[412, 412]"]
    assert "takes no processors" not in err


@pytest.mark.system
@pytest.mark.behaviour("B072")
def test_logfire_that_is_configured_later_is_left_alone(with_logfire):
    """Started before it, ours keep their own way, theirs go theirs, and both end by themselves."""
    lines, _ = with_logfire("""
        telewright.start("default", exporter="console", metrics=False)
        configure()
        record()
        telewright.stop()
        print(seen())
        logfire.info("after")
        print([span.name for span in memory.get_finished_spans()])
    """)
    ours = [json.loads(line)["name"] for line in lines[:-2]]
    assert ours == ["gym.rollout.dispatch"]
    assert json.loads(lines[-2])["spans"] == ["theirs"]
    assert lines[-1] == "['after']"
