"""`telewright show`: the documented object, one item with its origins, and numbers."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest
from jsonschema import Draft7Validator
from tests.codegen.checking import read

from telewright_codegen.cli import main
from telewright_codegen.describe.schema import schema

ROOT = Path(__file__).resolve().parents[3]
REGISTRY = """
    registry: gym
    version: "0.1.0"
    brief: Telemetry of a gym.
    stability: alpha
    processes:
      driver: {brief: Who collects., instances: one}
    groups:
      item: {brief: Rollouts., cardinality: per_item}
    presets:
      default: [item]
    boundaries:
      seconds: [1, 10]
"""
TOPIC = """
    topic: rollout
    brief: Rollouts.
    group: item
    owner: rollout-people
    attributes:
      - {id: gym.rollout.id, type: string, brief: Identity.}
      - {id: gym.rollout.kind, enum: Kind, brief: Kind., members: {one: One., two: Two.}}
    spans:
      - name: "gym.rollout.{gym.rollout.kind}"
        as: run
        brief: A rollout.
        process: driver
        attributes: {gym.rollout.id: The row has one.}
    metrics:
      - {histogram: gym.rollout.duration, unit: s, brief: Duration., boundaries: seconds}
    settings:
      - {name: gym.limit, env: [GYM_LIMIT, LIMIT], type: int, default: 8, brief: Most.}
"""
FILES = {"registry.yaml": REGISTRY, "rollout.yaml": TOPIC}


@pytest.fixture
def show(tmp_path, capsys):
    """Return what `show` prints about the registry above, as JSON where that was asked for."""

    def run(*arguments, files=FILES, expected=0):
        read(tmp_path, files)
        assert main(["show", "--specs", str(tmp_path / "specs"), *arguments]) == expected
        out = capsys.readouterr().out
        return json.loads(out) if "--json" in arguments and out else out

    return run


def only(found, kind, name):
    """Return the one item of a list that is called *name*."""
    (item,) = [one for one in found[kind] if one["name"] == name]
    return item


def test_everything_is_one_object(show):
    """The object has every list, those with nothing in them too."""
    found = show("--json")
    lists = {"registries", "attributes", "enums", "groups", "presets", "spans", "metrics"}
    lists |= {"scopes", "resources", "events", "settings", "instrumentations", "topics", "signals"}
    assert set(found) == {"format", *lists}
    assert [one["name"] for one in found["attributes"]] == ["gym.rollout.id", "gym.rollout.kind"]


def test_items_say_where_they_are(show):
    """Each item has its registry, name and place; line and column are those of the name."""
    found = show("--json")
    for items in found.values():
        for item in items if isinstance(items, list) else ():
            assert item["registry"] == "gym"
            assert item["name"]
    assert only(found, "attributes", "gym.rollout.id")["place"] == "specs/gym/rollout.yaml:7:10"


def test_presets_say_the_module_that_has_them(show):
    """They have no constant; the module of groups knows them by name."""
    preset = only(show("--json"), "presets", "default")
    assert preset["python"] == {"module": "telewright.gym.groups"}


def test_spans_are_resolved(show):
    """A span has its group, cost, presets, names, and how it uses attributes."""
    span = only(show("--json"), "spans", "gym.rollout.{gym.rollout.kind}")
    assert span["names"] == ["gym.rollout.one", "gym.rollout.two"]
    assert span["group"] == "gym.item"
    assert span["cardinality"] == "per_item"
    assert span["presets"] == ["default"]
    assert span["python"] == {"module": "telewright.gym.rollout", "name": "run"}
    (use,) = span["attributes"]
    assert use["name"] == "gym.rollout.id"
    assert use["condition"] == "The row has one."
    assert use["parameter"] == "rollout_id"


def test_parents_have_the_names_that_they_are_exported_under(show):
    """A parent whose name is a pattern stands there name by name."""
    child = "      - {name: gym.rollout.turn, brief: A turn., parent: run}\n"
    topic = TOPIC.replace("    metrics:\n", f"{child}    metrics:\n")
    found = show("--json", files={**FILES, "rollout.yaml": topic})
    turn = only(found, "spans", "gym.rollout.turn")
    assert turn["parents"] == ["gym.rollout.one", "gym.rollout.two"]


def test_metrics_are_resolved(show):
    """A metric has its kind, the numbers of shared boundaries and its Prometheus name."""
    metric = only(show("--json"), "metrics", "gym.rollout.duration")
    assert metric["kind"] == "histogram"
    assert metric["boundaries"] == [1, 10]
    assert metric["prometheus"] == "gym_rollout_duration_seconds"


def test_attributes_have_constant_and_members(show):
    """An attribute of an enumeration lists its members."""
    attribute = only(show("--json"), "attributes", "gym.rollout.kind")
    assert attribute["constant"] == "GYM_ROLLOUT_KIND"
    assert [one["constant"] for one in attribute["members"]] == ["ONE", "TWO"]


def test_the_object_is_as_documented(show):
    """The object fits its schema, that of this repository's specs too; the page is up to date."""
    validator = Draft7Validator(schema())
    assert [error.message for error in validator.iter_errors(show("--json"))] == []
    on_disk = json.loads((ROOT / "docs/reference/show.schema.json").read_text(encoding="utf-8"))
    assert on_disk == schema()


def test_own_specs_fit_the_schema(capsys):
    """So does the object of this repository's specs."""
    assert main(["--specs", str(ROOT / "specs"), "show", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    validator = Draft7Validator(schema())
    assert [f"{one.json_path}: {one.message}" for one in validator.iter_errors(found)] == []


def test_python_names_exist(capsys):
    """What `python` names can be imported from the packages of this repository."""
    assert main(["--specs", str(ROOT / "specs"), "show", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    missing = [
        f"{python['module']}.{python['name']}"
        for items in found.values()
        if isinstance(items, list)
        for item in items
        if (python := item.get("python")) and "name" in python
        if not hasattr(importlib.import_module(python["module"]), python["name"])
    ]
    assert missing == []


def test_an_item_says_where_its_values_come_from(show):
    """Own, from the group, from the topic, from the registry, worked out, or the default."""
    (item,) = show("gym.rollout.one", "--json")
    origins = item["origins"]
    assert origins["brief"] == {"from": "own", "place": "specs/gym/rollout.yaml:12:12"}
    assert origins["group"] == {
        "from": "inherited",
        "of": "topic gym.rollout",
        "place": "specs/gym/rollout.yaml:4:8",
    }
    assert origins["cardinality"]["of"] == "group gym.item"
    assert origins["owner"]["of"] == "topic gym.rollout"
    assert origins["stability"]["of"] == "registry gym"
    assert origins["kind"] == {"from": "default"}
    assert origins["names"] == {"from": "derived", "of": "its pattern"}


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("gym.rollout.id", ["attribute"]),
        ("GYM_ROLLOUT_ID", ["attribute"]),
        ("gym.rollout.two", ["span"]),
        ("telewright.gym.rollout.run", ["span"]),
        ("gym.item", ["group"]),
        ("gym.default", ["preset"]),
        ("Kind", ["enum"]),
        ("gym/rollout", ["topic"]),
        ("LIMIT", ["setting"]),
        ("gym", ["registry"]),
    ],
)
def test_items_are_found_by_every_name(show, name, kinds):
    """A key, a constant, a name of a pattern, a Python path, an id, an environment variable."""
    assert [item["item"] for item in show(name, "--json")] == kinds


def test_people_read_the_same(show):
    """Without `--json`, a line for each value, with its origin at the end."""
    text = show("gym.rollout.duration")
    assert text.startswith("metric gym.rollout.duration  (gym/rollout, specs/gym/rollout.yaml:")
    assert "  boundaries       1, 10  [from boundaries seconds, specs/gym/rollout.yaml:" in text
    assert "  prometheus       gym_rollout_duration_seconds  [from name, kind, unit]\n" in text


def test_a_wrong_name_gets_a_suggestion(tmp_path, capsys):
    """What nothing is called exits 2, and says on stderr what may have been meant."""
    read(tmp_path, FILES)
    assert main(["--specs", str(tmp_path / "specs"), "show", "gym.rollout.durations"]) == 2
    assert "did you mean `gym.rollout.duration`?" in capsys.readouterr().err


def test_numbers(show):
    """Without a name, how much there is: as tables, and as JSON."""
    text = show()
    assert "attributes by type: 2 string\n" in text
    numbers = show("--summary", "--json")
    assert numbers["total"]["spans"] == 1
    assert numbers["registries"]["gym"]["metrics"] == 1
    assert numbers["by"]["metrics"]["kind"] == {"histogram": 1}


def test_errors_leave_stdout_to_json(tmp_path, capsys):
    """With findings at error level there is no object, exit 1, and stdout stays empty."""
    read(tmp_path, {**FILES, "rollout.yaml": TOPIC.replace("brief: Duration.", "breif: D.")})
    assert main(["--specs", str(tmp_path / "specs"), "show", "--json"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "breif" in captured.err
