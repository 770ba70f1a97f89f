"""Our registries as registries of OpenTelemetry's kind, and back."""

from __future__ import annotations

import json
import random
from pathlib import Path
from textwrap import dedent

import jsonschema
import pytest
import yaml
from tests.codegen.checking import REGISTRY, read
from tests.shared import shared

from telewright_codegen import pipeline
from telewright_codegen.cli import main
from telewright_codegen.config import default
from telewright_codegen.describe.describe import describe
from telewright_codegen.diagnostics import Report
from telewright_codegen.emit.emitter import Target
from telewright_codegen.emit.weaver.emitter import WeaverEmitter
from telewright_codegen.emit.weaver.text import yaml as written

SPECS = Path(__file__).parents[3] / "specs"
TOPIC = r"""
    topic: rollout
    brief: "Rollouts: \"quoted\", a back\\slash, é, \U0001F600 and a tab\t."
    group: item
    attributes:
      - id: gym.kind
        enum: Kind
        brief: Which kind.
        open: true
        members:
          good: Good.
          bad: {value: very bad, brief: Bad., deprecated: {renamed_to: good, since: "0.1.0"}}
          other: Any other.
      - {id: gym.twin, enum: Kind, brief: The same kinds.}
      - {id: gym.size, type: int, brief: How large., stability: stable, examples: [3, 4]}
      - {id: gym.tags, type: "string[]", brief: Tags., examples: [[a, b], [c]]}
      - {id: gym.old, type: string, brief: Old., deprecated: {note: Of no use.}}
    spans:
      - name: gym.rollout.run
        brief: One.
        kind: client
        attributes:
          gym.kind: required
          gym.size: at_end
          gym.tags: if there are some
          gym.twin: {recommended: often, at: end}
    metrics:
      - {counter: gym.runs, unit: "{run}", brief: Runs., attributes: {gym.kind: required}}
      - {observable_gauge: gym.load, unit: "1", brief: Load.}
      - {histogram: gym.time, unit: s, brief: Time., boundaries: [0.0001, 1, 2.5]}
    events:
      - {name: gym.begun, brief: Begun., attributes: {gym.size: opt_in}}
    resources:
      - name: place
        brief: Where it is.
        attributes: {gym.size: detected, gym.kind: required}
    settings:
      - {name: gym.switch, env: GYM_SWITCH, brief: A switch., default: 1.0e-7, type: double}
"""
FILES = {"registry.yaml": REGISTRY, "rollout.yaml": TOPIC}


def resolved(specs):
    """Return the model of a folder, in which nothing is an error."""
    report = Report()
    model = pipeline.model(default(specs), report)
    assert not report.has_errors, [str(one) for one in report]
    return model


def emitted(model, folder):
    """Write all registries of *model* below *folder*, and return the data of each file."""
    target = Target(tuple(one.name for one in model.registries))
    found = {}
    for made in WeaverEmitter().emit(model, target):
        several = len(model.registries) > 1
        file = folder / (made.path if several else Path("gym") / made.path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(made.text, encoding="utf-8")
        found[made.path.as_posix()] = yaml.safe_load(made.text)
    return found


def said(model):
    """Return all that a model says, but for where it stands and who answers for it."""

    def plain(value):
        if isinstance(value, dict):
            return {
                name: plain(one)
                for name, one in value.items()
                if name not in {"place", "owned", "folder"}
            }
        return [plain(one) for one in value] if isinstance(value, list) else value

    specs = {
        (topic.registry, topic.name): topic.spec.model_dump(exclude_unset=True)
        for topic in model.topics()
    } | {one.name: one.spec.model_dump(exclude_unset=True) for one in model.registries}
    return plain(describe(model, {one.name: one.name for one in model.registries})), specs


@pytest.fixture
def model(tmp_path):
    """Return a registry with what the format has no field for."""
    return resolved(read(tmp_path / "ours", FILES).specs)


def test_it_reads_back(model, tmp_path):
    """What is written is read as the same registry: every field of every item."""
    emitted(model, tmp_path / "theirs")
    assert said(resolved(tmp_path / "theirs")) == said(model)


def test_all_of_ours_read_back(tmp_path):
    """The registries of this repository come back as they are."""
    model = resolved(SPECS)
    emitted(model, tmp_path)
    assert said(resolved(tmp_path)) == said(model)


def test_weaver_accepts_it(model, tmp_path):
    """Every file is valid under the schemas of Weaver's own that it is for."""
    schemas = {
        name: jsonschema.Draft202012Validator(
            json.loads(shared("data", "weaver-schemas", name).read_text(encoding="utf-8"))
        )
        for name in ("definition-manifest.v2.json", "semconv.schema.v2.json")
    }
    files = emitted(model, tmp_path / "a") | emitted(resolved(SPECS), tmp_path / "b")
    assert len(files) > 20
    for path, data in files.items():
        is_manifest = path.endswith("manifest.yaml")
        name = "definition-manifest.v2.json" if is_manifest else "semconv.schema.v2.json"
        assert [one.message for one in schemas[name].iter_errors(data)] == [], path
    with pytest.raises(jsonschema.ValidationError):
        schemas["semconv.schema.v2.json"].validate(files["rollout.yaml"] | {"metric": []})


def test_what_weaver_knows_is_where_it_looks(model, tmp_path):
    """Types, members, levels, instruments and names stand in fields of the format, not in ours."""
    data = emitted(model, tmp_path)["rollout.yaml"]
    kind, twin, size, *_ = data["attributes"]
    assert [one["value"] for one in kind["type"]["members"]] == ["good", "very bad", "other"]
    assert twin["type"] == kind["type"]
    assert size["stability"] == "stable"
    assert "annotations" not in size
    (span,) = data["spans"]
    assert (span["type"], span["kind"]) == ("gym.rollout.run", "client")
    assert [one["requirement_level"] for one in span["attributes"]] == [
        "required",
        "recommended",
        {"conditionally_required": "if there are some"},
        {"recommended": "often"},
    ]
    assert [(one["name"], one["instrument"], one["unit"]) for one in data["metrics"]] == [
        ("gym.runs", "counter", "{run}"),
        ("gym.load", "gauge", "1"),
        ("gym.time", "histogram", "s"),
    ]
    (entity,) = data["entities"]
    assert [one["ref"] for one in entity["identity"]] == ["gym.kind"]


def test_a_change_by_hand_counts(model, tmp_path):
    """The fields of the format are read, not a copy of them."""
    emitted(model, tmp_path)
    file = tmp_path / "gym" / "rollout.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('unit: "{run}"', 'unit: "{rollout}"'), encoding="utf-8")
    (runs, *_) = resolved(tmp_path).registry("gym").topic("rollout").metrics
    assert runs.unit == "{rollout}"


def test_a_mistake_has_a_place(model, tmp_path):
    """A finding leads to the item of the file that it is in."""
    emitted(model, tmp_path)
    file = tmp_path / "gym" / "rollout.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("bound", "bond"), encoding="utf-8")
    report = Report()
    pipeline.model(default(tmp_path), report)
    (found,) = report.diagnostics
    assert found.message == "unknown field `bondaries`"
    line = text.splitlines()[found.primary.place.line - 1]
    assert "gym.time" in line


def test_nothing_that_is_changed_crashes(model, tmp_path):
    """Whatever stands in a file that was ours, reading it ends with findings."""
    emitted(model, tmp_path)
    file = tmp_path / "gym" / "rollout.yaml"
    whole = file.read_text(encoding="utf-8")
    lines = whole.splitlines(keepends=True)
    dice = random.Random(7)  # noqa: S311  the same changes each time
    for _ in range(60):
        changed = list(lines)
        index = dice.randrange(1, len(changed))
        name, colon, _ = changed[index].partition(":")
        stand_in = dice.choice(["", "[]", "{}", "[1, {a: b}]", "~", "text", "{a: [1]}"])
        changed[index] = f"{name}{colon} {stand_in}\n" if dice.random() < 0.7 else ""
        file.write_text("".join(changed), encoding="utf-8")
        pipeline.model(default(tmp_path), Report())


@pytest.mark.parametrize("text", ["a\nb", "\x7f", "\u2028", "\U0001f600", '"\\', "~", "", " x "])
def test_texts_stay(text):
    """Any text reads back as it was, as a key too."""
    data = {"plain": text, "list": [text, [text], {"deep": text}], text or "-": 1.0e-9, "n": None}
    assert yaml.safe_load(written(data)) == data


def test_it_is_an_output(tmp_path, capsys, monkeypatch):
    """`emitter = "weaver"` writes the registry with its manifest."""
    for name, text in FILES.items():
        file = tmp_path / "specs" / "gym" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text), encoding="utf-8")
    (tmp_path / "telewright.toml").write_text(
        '[[output]]\nemitter = "weaver"\ninto = "weaver"\n', encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    assert main(["generate"]) == 0, capsys.readouterr()
    manifest = yaml.safe_load((tmp_path / "weaver/manifest.yaml").read_text("utf-8"))
    assert manifest["schema_url"]["url"].endswith("/0.1.0")
