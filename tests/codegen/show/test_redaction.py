"""`telewright show --redaction`: what becomes of a value, and why."""

from __future__ import annotations

import pytest
from tests.codegen.checking import read

from telewright_codegen.cli import main

FILES = {
    "registry.yaml": """
        registry: gym
        version: "0.1.0"
        brief: Telemetry of a gym.
    """,
    "rollout.yaml": """
        topic: rollout
        brief: Rollouts.
        attributes:
          - {id: gym.note, type: string, brief: A note.}
          - {id: gym.turns, type: int, brief: Turns., in_metrics: never}
          - {id: gym.kind, enum: Kind, brief: Kind., members: {one: One., two: Two.}}
          - {id: gym.who, type: string, brief: Who., sensitivity: personal}
          - {id: gym.said, type: string, brief: What., sensitivity: content}
          - {id: gym.place, type: string, brief: Where., redact: {truncate: 5}}
          - {id: gym.mark, type: string, brief: Mark., redact: mask}
    """,
}
CASES = {
    "gym.note": ("the value leaves: sensitivity internal (from its type)", "the scan finds"),
    "gym.turns": ("the value leaves", "numbers and booleans are never", "on metrics: nothing"),
    "gym.kind": ("the value leaves: sensitivity public", "declared members are never altered"),
    "gym.who": ("a keyed hash leaves; without a key, nothing: sensitivity personal (specs/",),
    "gym.said": ("nothing leaves, unless `start(content=True)`",),
    "gym.place": ("its first characters leave", "truncate: 5 (specs/", "the scan finds"),
    "gym.mark": ("`[masked]` leaves",),
    "made.up": ("(not declared)", "on our own spans", "says nothing about the value"),
    "app.api_key": ("(not declared)", "the rule `named_secret` takes the whole value"),
    "gen_ai.prompt": ("(not declared)", "the rule `content` takes the whole value"),
}


@pytest.fixture
def specs(tmp_path, monkeypatch):
    """A folder with the specs above."""
    read(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("specs")
@pytest.mark.parametrize(("name", "said"), CASES.items(), ids=CASES)
def test_a_value_and_why(capsys, name, said):
    """Sensitivity and redact are named with where they were written, then what the scan does."""
    assert main(["show", "--specs", "specs", "--redaction", name]) == 0
    out = capsys.readouterr().out
    for one in said:
        assert one in out


@pytest.mark.usefixtures("specs")
def test_it_is_about_one_name(capsys):
    """Without a name it is a wrong use."""
    assert main(["show", "--specs", "specs", "--redaction"]) == 2
    assert "one NAME" in capsys.readouterr().err
