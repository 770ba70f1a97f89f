"""`telewright search`: what fits some words, the best first; and signals of foreign registries."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft7Validator
from tests.codegen.checking import read
from tests.codegen.otel.test_reading import SECOND, acme
from tests.shared import shared

from telewright_codegen.cli import main
from telewright_codegen.describe.schema import schema

REGISTRY = """
    registry: gym
    version: "0.1.0"
    brief: Telemetry of a gym.
    groups:
      item: {brief: Rollouts., cardinality: per_item}
"""
TOPIC = """
    topic: rollout
    brief: Rollouts.
    group: item
    attributes:
      - {id: gym.rollout.id, type: string, brief: Identity of one rollout., note: Never reused.}
      - {id: gym.reward, type: double, brief: What a rollout earned.}
      - id: gym.phase
        enum: Phase
        brief: Where it was.
        members: {reset: It starts over., lease_out: {value: expired, brief: Too late.}}
      - {id: gym.earned, type: double, brief: Old., deprecated: {renamed_to: gym.reward}}
    spans:
      - {name: gym.rollout.run, brief: One rollout., attributes: {gym.rollout.id: required}}
    metrics:
      - {counter: gym.rollouts, unit: "{rollout}", brief: Rollouts that ended.}
"""


@pytest.fixture
def search(tmp_path, capsys):
    """Return what `search` prints about the registry above."""
    read(tmp_path, {"registry.yaml": REGISTRY, "rollout.yaml": TOPIC})

    def run(*arguments, expected=0):
        assert main(["search", "--specs", str(tmp_path / "specs"), *arguments]) == expected
        shown = capsys.readouterr()
        if "--json" in arguments and not expected:
            return [(one["item"], one["name"]) for one in json.loads(shown.out)]
        return shown.out + shown.err

    return run


def test_names_come_before_prose(search):
    """An exact name is first, then those with a part so called, then briefs that have the word."""
    assert search("gym.rollout.id", "--json")[0] == ("attribute", "gym.rollout.id")
    found = search("rollout", "--limit", "0", "--json")
    assert found.index(("topic", "rollout")) < found.index(("span", "gym.rollout.run"))
    assert found.index(("span", "gym.rollout.run")) < found.index(("attribute", "gym.reward"))


def test_every_word_must_be_found(search):
    """More words find less."""
    assert search("rollout", "earned", "--json") == [("attribute", "gym.reward")]
    assert "nothing fits" in search("rollout", "nowhere", expected=1)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("rewrd", "gym.reward"),
        ("lease_out", "gym.phase"),
        ("expired", "gym.phase"),
        ("reused", "gym.rollout.id"),
        ("GYM_REWARD", "gym.reward"),
        ("identity", "gym.rollout.id"),
    ],
)
def test_where_words_are_looked_for(search, word, name):
    """Names that are nearly so, members and their values, notes, constants, briefs."""
    assert ("attribute", name) in search(word, "--kind", "attributes", "--json")


def test_what_is_deprecated_comes_later(search):
    """Of two that fit alike, the one that is not deprecated is first."""
    found = search("earned", "--kind", "attribute", "--json")
    assert found == [("attribute", "gym.earned"), ("attribute", "gym.reward")]
    assert search("gym", "--kind", "attribute", "--json")[-1] == ("attribute", "gym.earned")


def test_people_read_it(search):
    """Each item has its kind, name, place and brief; a list that was cut says so."""
    text = search("rollout", "--limit", "1")
    assert text.startswith("topic  rollout  (specs/gym/rollout.yaml:2:8)\n       Rollouts.\n")
    assert "1 of " in text


def test_a_kind_that_does_not_exist(search):
    """It is wrong usage, with the kind that was probably meant."""
    text = search("rollout", "--kind", "atributes", expected=2)
    assert "did you mean `attributes`?" in text


def test_signals_of_a_foreign_registry(tmp_path, capsys):
    """`show`, its numbers and `search` know spans, metrics and entities that have no helper."""
    config = read(tmp_path, acme(**{"acme/second.yaml": SECOND}))
    specs = ["--specs", str(config.specs)]
    assert main(["show", "acme.duration", "--json", *specs]) == 0
    found = {one["name"]: one for one in json.loads(capsys.readouterr().out)}
    metric = found["metric.acme.duration"]
    assert (metric["instrument"], metric["unit"], metric["brief"]) == (
        "histogram",
        "s",
        "How long.",
    )
    assert [(one["name"], one["requirement"]) for one in metric["attributes"]] == [
        ("acme.kind", "recommended"),
        ("acme.rank", "required"),
    ]
    assert found["metric.acme.duration.hard"]["refines"] == "metric.acme.duration"
    assert main(["show", "--json", *specs]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert [str(one.message) for one in Draft7Validator(schema()).iter_errors(whole)] == []
    assert main(["search", "duraton", "long", *specs]) == 0
    assert "metric.acme.duration  (specs/acme/second.yaml:" in capsys.readouterr().out


def test_numbers_of_opentelemetry(capsys):
    """The numbers of OpenTelemetry's own registry: what its tool counts, by what it divides it."""
    folder = shared("data", "semconv-1.44.0", "model")
    assert main(["show", "--summary", "--json", "--specs", str(folder)]) == 0
    numbers = json.loads(capsys.readouterr().out)
    by = numbers["by"]["signals"]
    assert by["signal"]["metric"] == sum(by["instrument"].values()) == sum(by["unit"].values())
    assert set(by["signal"]) == {"metric", "attribute_group", "span", "entity", "event"}
    assert sum(by["signal"].values()) == numbers["total"]["signals"] > 1000
    assert {"stable", "development"} <= set(by["stability"])
