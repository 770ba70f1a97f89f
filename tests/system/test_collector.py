"""What a real collector receives from the demo's processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.system.collector import collector

ROOT = Path(__file__).resolve().parents[2]
ROLLOUTS = 5
BATCH = 3
STEPS = 3

CHAIN = [
    ("driver", "gym.rollout.dispatch", ""),
    ("driver", "HTTP POST", "client"),
    ("agent", "POST /run", "server"),
    ("agent", "gym.rollout", ""),
    ("agent", "gym.agent.responses", ""),
    ("agent", "HTTP POST", "client"),
    ("model", "POST /v1/chat/completions", "server"),
    ("model", "gym.model.chat_completions", ""),
]


@pytest.fixture(scope="module")
def received(tmp_path_factory):
    """Run the demo's story against a collector; return what that received, and the books."""
    with collector(tmp_path_factory.mktemp("received")) as backend:
        env = {"DEMO_PAIRS": "0", "DEMO_ROLLOUTS": str(ROLLOUTS), **backend.environment()}
        code = (
            "import json, pathlib, demo.__main__ as d;"
            "print(json.dumps(d.story(pathlib.Path('/nowhere'))))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code.replace("/nowhere", str(tmp_path_factory.mktemp("no")))],
            cwd=ROOT,
            env={**os.environ, **env},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        books = json.loads(done.stdout.splitlines()[-1])
        yield backend.export(sum(book["exported"] for book in books.values())), books


@pytest.fixture(scope="module")
def export(received):
    """Return what the collector received."""
    return received[0]


def named(export, name, process=None):
    """Return the spans of a name, of one process or of all."""
    return [span for span in export.spans if span.name == name and process in (None, span.process)]


def test_the_collector_received_what_the_processes_say(received):
    """Every process's books are what arrived from it, and nothing was dropped."""
    export, books = received
    assert set(books) == {"supervisor", "driver", "trainer", "agent", "model", "verifier"}
    arrived = {name: sum(span.process == name for span in export.spans) for name in books}
    assert arrived == {name: book["exported"] for name, book in books.items()}
    assert {book["dropped"] for book in books.values()} == {0}
    assert all(book["made"] for book in books.values())


def test_each_rollout_is_one_trace_linked_to_the_job(export):
    """N rollouts are N traces, each with exactly one link, to the job's own span."""
    (job,) = named(export, "gym.job")
    dispatches = named(export, "gym.rollout.dispatch", "driver")
    assert len(dispatches) == ROLLOUTS
    assert len({span.trace for span in dispatches}) == ROLLOUTS
    for dispatch in dispatches:
        assert dispatch.links == ((job.trace, job.id),)
        assert dispatch.parent == ""


def test_the_trace_of_the_job_has_no_rollout_in_it(export):
    """It is one span long, whatever the run does."""
    (job,) = named(export, "gym.job")
    names = {span.name for span in export.spans if span.trace == job.trace}
    assert names - {"nemo.span.started"} == {"gym.job"}  # what announces it may be there


def test_a_rollout_is_one_trace_over_four_processes(export):
    """Its parent chain runs from the driver through the agent to the model and the verifier."""
    by_id = {span.id: span for span in export.spans}
    for dispatch in named(export, "gym.rollout.dispatch", "driver"):
        inside = [span for span in export.spans if span.trace == dispatch.trace]
        assert {span.process for span in inside} == {"driver", "agent", "model", "verifier"}
        links = [link for span in inside for link in span.links]
        assert len(links) == 1
        for leaf in (span for span in inside if span.name == "gym.model.chat_completions"):
            chain = [leaf]
            while chain[0].parent:
                chain.insert(0, by_id[chain[0].parent])
            assert [(span.process, span.name, span.kind) for span in chain] == CHAIN
        (verify,) = (span for span in inside if span.name == "gym.verify")
        assert by_id[verify.parent].name == "POST /verify"


def test_no_rollout_holds_another_rollouts_spans(export):
    """All spans of a trace that carry a rollout's id carry the same one."""
    (training,) = named(export, "rl.grpo.job")
    traces: dict[str, set[object]] = {}
    for span in export.spans:
        if span.trace != training.trace and "nemo.gym.rollout.id" in span.attributes:
            traces.setdefault(span.trace, set()).add(span.attributes["nemo.gym.rollout.id"])
    assert sorted(len(ids) for ids in traces.values()) == [1] * ROLLOUTS
    assert len(set.union(*traces.values())) == ROLLOUTS


def test_under_an_embedder_rollouts_nest_without_a_link(export):
    """The training loop's dispatches have its own span above them, in its own trace."""
    (job,) = named(export, "rl.grpo.job")
    by_id = {span.id: span for span in export.spans}
    dispatches = named(export, "gym.rollout.dispatch", "trainer")
    assert len(dispatches) == STEPS * BATCH
    for dispatch in dispatches:
        assert dispatch.trace == job.trace
        assert dispatch.links == ()
        assert by_id[dispatch.parent].name == "rl.grpo.generation"


def test_every_span_of_a_step_carries_the_step(export):
    """The step is on all spans below it, those of the servers that it called included."""
    children: dict[str, list] = {}
    for span in export.spans:
        children.setdefault(span.parent, []).append(span)
    steps = named(export, "rl.grpo.step")
    assert [step.attributes["rl.iteration"] for step in steps] == [1, 2, 3]
    for step in steps:
        below, pending = [], [step]
        while pending:
            below.append(pending.pop())
            pending.extend(children.get(below[-1].id, ()))
        assert len(below) > 20
        assert {span.process for span in below} == {"trainer", "agent", "model", "verifier"}
        assert {span.attributes.get("rl.iteration") for span in below} == {
            step.attributes["rl.iteration"]
        }


def test_a_finalize_thread_carries_the_step_that_staged_it(export):
    """It ends after the loop has moved on, and says the step of its save."""
    saves = {span.id: span for span in named(export, "rl.grpo.checkpointing")}
    finalized = named(export, "rl.checkpoint.finalize")
    assert [span.attributes["rl.iteration"] for span in finalized] == [1, 3]
    for span in finalized:
        assert saves[span.parent].attributes["rl.iteration"] == span.attributes["rl.iteration"]
        assert span.end > saves[span.parent].end


def test_validation_before_training_is_step_zero(export):
    """The first evaluation says 0, though no step is open."""
    (evaluate,) = named(export, "rl.grpo.evaluate")
    assert evaluate.attributes["rl.iteration"] == 0


def test_starting_up_is_a_trace_of_its_own(export):
    """The supervisor's span of each server is the parent of what that server says of itself."""
    (startup,) = named(export, "gym.startup")
    by_id = {span.id: span for span in export.spans}
    processes = named(export, "gym.server.startup")
    assert {span.process for span in processes} == {"agent", "model", "verifier"}
    for span in processes:
        assert by_id[span.parent].name == "gym.startup.server"
        assert span.trace == startup.trace
    assert startup.trace not in {job.trace for job in named(export, "gym.job")}


def test_metrics_arrived_with_their_attributes(export):
    """Counters and durations have the values that the run must have."""
    rollouts = ROLLOUTS + STEPS * BATCH
    completed = [one for one in export.series if one.name == "gym.rollout.completed_total"]
    assert sum(one.value for one in completed) == rollouts
    assert dict(completed[0].attributes)["nemo.gym.rollout.outcome"] == "scored"
    (duration,) = [one for one in export.series if one.name == "gym.rollout.duration_ms"]
    assert duration.count == rollouts
    assert {one.name for one in export.series} >= {"rl.reward.mean", "gym.verify.duration_ms"}


CHECKPOINT = """
import telewright
from telewright.gym import checkpoint
from telewright.gym.checkpoint import CheckpointOperation, ParticipantKind
from telewright.rl import checkpoint as saves, training
from telewright.rl.training import Algorithm

with telewright.start("default,-checkpoint", service="participant", process="agent"):
    for number in range(3):
        try:
            with checkpoint.operation(
                CheckpointOperation.COMMIT,
                checkpoint_id=f"c{number}",
                participant_kind=ParticipantKind.AGENT,
            ):
                if number == 2:
                    raise ValueError(number)
        except ValueError:
            pass
    with training.job(Algorithm.GRPO):
        pass
"""


@pytest.mark.parametrize("protocol", ["http/protobuf", "grpc"])
def test_with_the_group_off_durations_and_outcomes_are_there_and_no_span(tmp_path, protocol):
    """Metrics follow metrics; the same over both protocols."""
    with collector(tmp_path) as backend:
        done = subprocess.run(
            [sys.executable, "-c", CHECKPOINT],
            env={**os.environ, **backend.environment(protocol)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        export = backend.export(1)
    assert [span.name for span in export.spans] == ["rl.grpo.job"]
    durations = {
        dict(one.attributes)["nemo.gym.checkpoint.outcome"]: one.count
        for one in export.series
        if one.name == "gym.checkpoint.operation_duration_ms"
    }
    assert durations == {"ok": 2, "error": 1}


EMBEDDED = """
import telewright
from opentelemetry import trace
from telewright.gym import rollout

with telewright.start("default", service="embedder"):
    with trace.get_tracer("embedder").start_as_current_span("embedder.step"):
        with rollout.job():
            for number in range(4):
                with rollout.dispatch(dispatch_name="math", rollout_id=f"{number}-0"):
                    pass
"""


def test_a_job_under_an_embedders_span_owns_nothing(tmp_path):
    """Job and rollouts nest below it in its trace, and nothing is linked."""
    with collector(tmp_path) as backend:
        subprocess.run(
            [sys.executable, "-c", EMBEDDED],
            env={**os.environ, **backend.environment()},
            capture_output=True,
            timeout=60,
            check=True,
        )
        export = backend.export(6)
    (embedder,) = named(export, "embedder.step")
    (job,) = named(export, "gym.job")
    dispatches = named(export, "gym.rollout.dispatch")
    assert job.parent == embedder.id
    assert [span.parent for span in dispatches] == [job.id] * 4
    assert {span.trace for span in export.spans} == {embedder.trace}
    assert [span.links for span in export.spans] == [()] * 6
