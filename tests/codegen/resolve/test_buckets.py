"""Buckets: what the time of spans counts towards, and who may say so."""

from __future__ import annotations

import pytest
from tests.codegen.checking import gym, linted, resolved

REGISTRY = """
    registry: gym
    version: "0.1.0"
    brief: Telemetry of a gym.
    bucket: {attribute: gym.bucket, default: overhead}
    groups:
      leaf: {brief: x., bucket: productive}
      plain: {brief: x.}
      mixed: {brief: x., bucket: none}
      whole: {brief: x., umbrella: true}
"""
TOPIC = """
    topic: rollout
    brief: Rollouts.
    group: leaf
    attributes:
      - id: gym.bucket
        enum: Bucket
        brief: What the time of a span counts towards.
        members: {productive: Work., overhead: Needed besides., wasted: {value: lost, brief: Lost.}}
      - {id: gym.name, type: string, brief: Name.}
"""


def specs(topic="", registry=REGISTRY):
    """Return the files of a registry with buckets."""
    return {"registry.yaml": registry, "rollout.yaml": TOPIC + topic}


@pytest.mark.behaviour("B210")
def test_a_leaf_counts_towards_one_bucket(tmp_path):
    """A leaf has its own bucket, else its group's; umbrellas and overlapping spans none."""
    spans = """
    spans:
      - {name: gym.a, brief: x.}
      - {name: gym.b, brief: x., bucket: wasted}
      - {name: gym.c, brief: x., bucket: none, overlaps: true}
      - {name: gym.d, brief: x., group: whole}
      - {name: gym.e, brief: x., group: mixed}
"""
    found = resolved(tmp_path, specs(spans)).topic("gym", "rollout").spans
    assert [span.bucket for span in found] == ["productive", "lost", None, None, None]
    assert [span.own_bucket for span in found] == [False, True, True, False, False]


@pytest.mark.behaviour("B214")
def test_a_group_that_says_nothing_has_the_default_bucket(tmp_path):
    """A leaf group without a bucket counts towards the default one; an umbrella does not."""
    groups = {one.name: one.bucket for one in resolved(tmp_path, specs()).model.owned[0].groups}
    assert {name: bucket and bucket.name for name, bucket in groups.items()} == {
        "leaf": "productive",
        "plain": "overhead",
        "mixed": None,
        "whole": None,
    }


@pytest.mark.parametrize(
    ("registry", "topic"),
    [
        (REGISTRY.replace("productive", "productiv"), ""),
        (REGISTRY.replace("overhead", "overhed"), ""),
        (REGISTRY, "    spans: [{name: gym.a, brief: x., bucket: idle}]"),
        (REGISTRY, "    scopes: [{name: late, brief: x., rebucket: lost}]"),
        (REGISTRY.replace("gym.bucket, default: overhead", "gym.name"), ""),
    ],
    ids=["group", "default", "span", "scope", "no enum"],
)
def test_a_bucket_is_a_member_of_the_enum(tmp_path, registry, topic):
    """What no member is called is no bucket, wherever it is said."""
    assert resolved(tmp_path, specs(topic, registry)).codes == ["TW136"]


def test_a_registry_says_what_its_buckets_are(tmp_path):
    """Without the attribute that says buckets, no group can have one."""
    files = gym(TOPIC)
    files["registry.yaml"] += "      leaf: {brief: x., bucket: productive}\n"
    found = resolved(tmp_path, files)
    assert found.codes == ["TW136"]
    assert found.only.help == "add `bucket: {attribute: …}` to the registry"


def test_an_attribute_of_buckets_that_nobody_declares_is_one_finding(tmp_path):
    """Where the attribute is missing, each bucket does not add a finding of its own."""
    registry = REGISTRY.replace("gym.bucket", "gym.buckets")
    assert resolved(tmp_path, specs(registry=registry)).codes == ["TW101"]


@pytest.mark.behaviour("B211", "B213")
@pytest.mark.parametrize(
    "topic",
    [
        "    spans: [{name: gym.a, group: whole, brief: x., bucket: wasted}]",
        "    spans: [{name: gym.a, brief: x., overlaps: true}]",
        "    spans: [{name: gym.a, group: whole, brief: x., attributes: {gym.bucket: opt_in}}]",
        "    spans: [{name: gym.a, brief: x., attributes: {gym.bucket: opt_in}}]",
        "    scopes: [{name: late, brief: x., attributes: {gym.bucket: required}}]",
    ],
    ids=["umbrella", "overlaps", "listed", "listed by a leaf", "scope"],
)
def test_a_bucket_is_said_by_specs_and_by_leaves_alone(tmp_path, topic):
    """No umbrella has one, nothing that overlaps, and no call site chooses one."""
    assert "TW313" in linted(tmp_path, specs(topic)).codes


@pytest.mark.behaviour("B212")
def test_time_is_in_one_bucket_of_a_chain(tmp_path):
    """A span in a bucket below another in one is found; below an umbrella it is not."""
    spans = """
    spans:
      - {name: gym.a, brief: x., %s}
      - {name: gym.b, brief: x., parent: gym.a}
"""
    found = linted(tmp_path, specs(spans % "group: leaf"))
    assert "TW320" in found.codes
    for above in ("group: whole", "bucket: none"):
        assert "TW320" not in linted(tmp_path, specs(spans % above)).codes
