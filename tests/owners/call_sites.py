"""Call sites of Gym, run by `test_layouts` with whichever package they are given.

python -m tests.owners.call_sites nemo_gym.telemetry
"""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import telewright
from telewright.testing import captured

PACKAGE = sys.argv[1] if len(sys.argv) > 1 else "telewright.gym"


def topic(name):
    """Return a topic of the package under test."""
    return import_module(f"{PACKAGE}.{name}")


def a_dispatch_begins_a_linked_trace():
    """B001, B002: each dispatch of a standalone run is a trace of its own, linked to the job."""
    rollout = topic("rollout")
    with captured("default") as recorded:
        with rollout.job():
            for number in range(2):
                with rollout.dispatch(dispatch_name="math", rollout_id=f"{number}-0"):
                    pass
        dispatches = [span for span in recorded.spans if span.name == "gym.rollout.dispatch"]
        job = recorded.span("gym.job")
        assert len({span.trace_id for span in recorded.spans}) == 3
        assert [span.links[0].span_id for span in dispatches] == [job.span_id] * 2
        assert dispatches[0].scope == "telewright.gym"
        assert dispatches[0].attributes["nemo.gym.rollout.id"] == "0-0"


def an_operation_has_an_outcome_a_code_and_a_duration():
    """B131, B136: what fails is an error with its code, and timed; retries count once."""
    checkpoint = topic("checkpoint")
    commit = checkpoint.CheckpointOperation.COMMIT
    agent = checkpoint.ParticipantKind.AGENT
    with captured("checkpoint") as recorded:
        with (
            suppress(TimeoutError),
            checkpoint.operation(commit, checkpoint_id="c-1", participant_kind=agent),
        ):
            raise TimeoutError
        for _ in range(2):
            checkpoint.records.add(
                3, operation=commit, participant_kind=agent, checkpoint_id="c-1", instance="a-1"
            )
        span = recorded.span("gym.checkpoint.commit")
        assert span.attributes["nemo.gym.checkpoint.outcome"] == "error"
        assert span.status == "error"
        (point,) = recorded.points("gym.checkpoint.operation_duration_ms")
        assert point.count == 1
        assert recorded.value("gym.checkpoint.records_total") == 3


def metrics_do_not_ask_for_groups():
    """B049: with every span group off a counter counts, with members of its enumeration only."""
    rollout = topic("rollout")
    with captured("none") as recorded:
        with rollout.dispatch(dispatch_name="math") as span:
            assert not span.on
        rollout.completed.add(outcome=rollout.RolloutOutcome.SCORED, dispatch_name="math")
        assert recorded.spans == []
        assert recorded.value("gym.rollout.completed_total") == 1


def one_group_is_chosen_by_its_id():
    """B195: groups keep the ids of their registry, wherever that is generated."""
    rollout, checkpoint = topic("rollout"), topic("checkpoint")
    with captured("gym.rollout,-gym.job"):
        assert (rollout.GATE.on, checkpoint.GATE.on) == (True, False)


def settings_are_read():
    """B200: the variable wins over the block."""
    read = topic("configuration").read
    block = {"telemetry": {"enabled": True, "span_groups": "job"}}
    found = read(block, environ={"NEMO_GYM_OTEL_SPAN_GROUPS": "rollout"})
    assert found.arguments()["groups"] == "rollout"
    assert found.enabled is True


def what_leaves_was_declared(path):
    """B168: a started process exports what the specs of this package declare, and nothing else."""
    rollout = topic("rollout")
    with (
        telewright.start("all", exporter="file", path=path, metrics=False),
        rollout.dispatch(dispatch_name="math", rollout_id="1-0") as span,
    ):
        span._set("nemo.gym.undeclared", "leaks")
    text = path.read_text()
    assert '"nemo.gym.rollout.id"' in text
    assert "leaks" not in text


SCENARIOS = [
    a_dispatch_begins_a_linked_trace,
    an_operation_has_an_outcome_a_code_and_a_duration,
    metrics_do_not_ask_for_groups,
    one_group_is_chosen_by_its_id,
    settings_are_read,
]


def run(path):
    """Run every scenario, and yield its name."""
    for scenario in SCENARIOS:
        scenario()
        yield scenario.__name__
    what_leaves_was_declared(path)
    yield what_leaves_was_declared.__name__
    loaded = any(name.startswith("telewright.gym") for name in sys.modules)
    yield "telewright.gym is loaded" if loaded else "telewright.gym is not loaded"


if __name__ == "__main__":
    sys.stdout.write("\n".join(run(Path(sys.argv[2]))))
