"""Whatever value a helper is given, in whatever state telemetry is: nothing gets out.

Each state is a process of its own. It tries every kind of public helper with every hostile value,
and says what left a helper that should not have. Three states are tried with every change, in part;
the others so with `make system`; every helper with every value, in every state, with `make soak`.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from tests import soak
from tests.runtime.hostile_surface import STATES, Trial, helpers, of_each_shape
from tests.shared import SHARED

ROOT = Path(__file__).resolve().parents[2]
VALUES = 78
"""How many hostile values there are, without those of numpy."""

needs_values = pytest.mark.skipif(SHARED is None, reason="needs the study material")


def tried(run, state, width):
    """Try everything in a process that is in *state*; return what it says."""
    done = run.follow(
        [sys.executable, "-m", "tests.runtime.hostile_surface", state, width],
        patience=300,
        cwd=ROOT,
        env={**os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def _states(width):
    marks = () if width == "some" else pytest.mark.soak
    often = {"off", "on", "adopted"}
    return [
        pytest.param(
            state,
            width,
            id=f"{state}-{width}",
            marks=pytest.mark.system if width == "some" and state not in often else marks,
        )
        for state in STATES
    ]


@needs_values
@pytest.mark.behaviour("B061", "B132", "B133", "B134")
@pytest.mark.parametrize(
    ("state", "width"), [*_states("some"), *_states("shapes"), *_states("all")]
)
def test_nothing_gets_out_and_the_good_items_arrive(state, width, request):
    """No helper raises, an error leaves as it was, and a bad item costs no good one."""
    found = tried(soak.begin(request), state, width)
    assert found["escaped"] == []
    assert found["helpers"] > 80
    assert found["tried"] > (100 if state == "starting" else 3000)
    for made, exported, dropped in found["books"]:
        assert made == exported + sum(dropped.values())
    assert set(found["books"][0][2]) == set()
    if state in {"on", "fast", "spans"}:
        assert found["arrived"] == found["good"] >= VALUES


def test_what_gets_out_is_noticed():
    """The positive control: helpers that raise, lose an error, or swallow it."""

    class Block:
        def __init__(self, *_arguments):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_error):
            return True

    def raising(value):
        raise KeyError(value)

    trial = Trial()
    trial.helper("raising", raising, 1)
    trial.block("swallowing", Block, 1)
    assert trial.escaped == ["raising: KeyError", "swallowing block: RuntimeError"]


def test_every_topic_is_looked_at():
    """Helpers are found by looking: all topics, and every shape that any of them has."""
    found = helpers()
    names = {name for name, _ in found}
    assert len(found) > 180
    assert {
        "telewright.gym.rollout.dispatch",
        "telewright.gym.checkpoint.events.add",
        "telewright.gym.configuration.read",
        "telewright.rl.training.iteration",
        "telewright.gym.checkpoint_health.oldest_task_age.observe",
    } <= names
    assert len(of_each_shape(found)) > 80
