"""Enumerations whose values are whole numbers: declared, generated, exported, read back."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from tests.codegen.checking import gym, read
from tests.codegen.otel.test_reading import acme, model

from telewright_codegen import pipeline
from telewright_codegen.cli import main
from telewright_codegen.diagnostics import Report

TOPIC = """
    topic: rollout
    brief: Rollouts.
    group: item
    attributes:
      - id: gym.code
        enum: Code
        open: true
        brief: How it went.
        members:
          ok: {value: 0, brief: It went well.}
          cancelled: {value: 1, brief: Somebody stopped it.}
      - id: gym.stage
        enum: Stage
        brief: Which stage it was in.
        members: {first: {value: 10, brief: First.}, last: {value: 20, brief: Last.}}
    spans:
      - name: gym.rollout.run
        brief: One.
        attributes: {gym.code: required, gym.stage: recommended}
    metrics:
      - {counter: gym.runs, unit: "{run}", brief: Runs., attributes:
         {gym.code: required, gym.stage: recommended}}
"""
PROGRAM = """
import json
from telewright import testing
from made import rollout
from made.rollout import Code, Stage

with testing.captured() as captured:
    with rollout.run(code=Code.CANCELLED, stage=20):
        pass
    with rollout.run(code=77):
        pass
    rollout.runs.add(code=Code.OK, stage=Stage.LAST)
    rollout.runs.add(code=1)
    rollout.runs.add(code=77, stage=30)
spans = [dict(one.attributes) for one in captured.spans]
points = [dict(point.attributes) for point in captured.points("gym.runs")]
print(json.dumps([spans, points, [type(v).__name__ for s in spans for v in s.values()]]))
"""


def test_what_is_generated_exports_numbers(tmp_path, capsys):
    """Members are numbers in spans and metrics; in metrics what is no member is left out."""
    config = read(tmp_path, gym(TOPIC))
    into = tmp_path / "made"
    arguments = ["--emitter", "python", "--into", str(into), "--specs", str(config.specs)]
    assert main(["generate", *arguments, "-q"]) == 0, capsys.readouterr()
    text = (into / "rollout.py").read_text(encoding="utf-8")
    assert "class Code(OpenIntEnum):" in text
    assert "    CANCELLED = 1\n" in text
    assert "class Stage(IntEnum):" in text
    assert "code: Code | int" in text
    assert "stage: Stage | None = None" in text
    data = json.loads((into / "_registry.json").read_text(encoding="utf-8"))
    assert data["attributes"]["gym.code"]["type"] == "int"
    assert data["attributes"]["gym.code"]["members"] == [0, 1]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    spans, points, kinds = json.loads(done.stdout)
    assert spans == [{"gym.code": 1, "gym.stage": 20}, {"gym.code": 77}]
    assert points == [{"gym.code": 0, "gym.stage": 20}, {"gym.code": 1}, {}]
    assert set(kinds) == {"int"}


def test_the_dialect_of_opentelemetry_has_them_too(tmp_path):
    """An enumeration of numbers in a foreign registry is one here, open, with no other member."""
    made, _ = model(tmp_path, acme())
    (code,) = [one for one in made.registry("acme").topic("acme").attributes if "code" in one.key]
    assert (code.type, code.enum.name, code.enum.open, code.enum.overflow) == (
        "int",
        "AcmeCode",
        True,
        None,
    )
    assert [(one.constant, one.value) for one in code.enum.members] == [("GOOD", 0), ("BAD", 1)]


def test_weaver_writes_them_and_reads_them_back(tmp_path, capsys):
    """In OpenTelemetry's second format members have numbers; read back, the model is the same."""
    config = read(tmp_path, gym(TOPIC))
    into = tmp_path / "weaver"
    arguments = ["--emitter", "weaver", "--into", str(into), "--specs", str(config.specs)]
    assert main(["generate", *arguments, "-q"]) == 0, capsys.readouterr()
    assert "value: 0" in "".join(one.read_text("utf-8") for one in into.rglob("rollout.yaml"))
    shown = []
    for folder in (config.specs, into):
        capsys.readouterr()
        assert main(["show", "gym.code", "--json", "--specs", str(folder)]) == 0
        (found,) = json.loads(capsys.readouterr().out)
        shown.append([(one["name"], one["value"], one["brief"]) for one in found["members"]])
    assert (
        shown[0]
        == shown[1]
        == [("ok", 0, "It went well."), ("cancelled", 1, "Somebody stopped it.")]
    )


def test_pages_show_the_numbers(tmp_path, capsys):
    """The page of the topic has a table with each member and its number."""
    config = read(tmp_path, gym(TOPIC))
    into = tmp_path / "docs"
    arguments = ["--emitter", "markdown", "--into", str(into), "--specs", str(config.specs)]
    assert main(["generate", *arguments, "-q"]) == 0, capsys.readouterr()
    assert "| `CANCELLED` | `1` |" in "".join(one.read_text("utf-8") for one in into.rglob("*.md"))


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("value: 1,", 'value: "1",', "TW215"),
        ("open: true", "open: true\n        type: string", "TW124"),
        ("brief: One.\n", "brief: One.\n        outcome: gym.code\n", "TW120"),
        ("name: gym.rollout.run", 'name: "gym.rollout.{gym.code}"\n        as: run', "TW121"),
    ],
)
def test_where_numbers_do_not_fit(tmp_path, old, new, code):
    """Numbers and texts do not mix; an outcome or a part of a name is a text."""
    assert TOPIC.count(old) == 1
    config = read(tmp_path, gym(TOPIC.replace(old, new)))
    report = Report()
    pipeline.model(config, report)
    assert code in {one.code for one in report}
