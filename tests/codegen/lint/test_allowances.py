"""`allow:` lifts rules, where and as far as it may, and is itself checked."""

from __future__ import annotations

import pytest
from tests.codegen.checking import REGISTRY, gym, linted

METRIC = """
    topic: rollout
    brief: Rollouts.
    group: item
    spans: [{name: gym.rollout.run, brief: One., group: item}]
    metrics:
      - counter: gym.rollout.retries_total
        unit: ""
        brief: Retries.
"""
BARE = REGISTRY.split("groups:", maxsplit=1)[0] + "groups: {item: {brief: Items.}}\n"


def files(topic, registry=BARE):
    """Return a registry that has nothing else to report."""
    return gym(topic) | {"registry.yaml": registry}


def test_a_finding_without_allowance_stays(tmp_path):
    """The rule that the other tests lift does find something."""
    assert linted(tmp_path, files(METRIC)).codes == ["TW302"]


@pytest.mark.parametrize("where", ["item", "topic", "registry"])
def test_item_topic_and_registry_lift(tmp_path, where):
    """An allowance on the item, on its topic or on its registry lifts the rule, and is used."""
    allow = "allow: {TW302: The series is old.}\n"
    topic, registry = METRIC, BARE
    if where == "item":
        topic += f"        {allow}"
    elif where == "topic":
        topic += f"    {allow}"
    else:
        registry += f"    {allow}"
    assert linted(tmp_path, files(topic, registry)).findings == []


def test_an_allowance_elsewhere_does_not_lift(tmp_path):
    """An allowance on another item neither lifts nor is used."""
    topic = METRIC.replace("group: item}]", "group: item, allow: {TW302: No.}}]")
    assert linted(tmp_path, files(topic)).codes == ["TW191", "TW302"]


def test_either_of_two_items_lifts(tmp_path):
    """A finding about two items is lifted by the allowance of one of them."""
    topic = """
    topic: t
    brief: T.
    group: item
    spans: [{name: gym.run, brief: One.}]
    attributes:
      - {id: gym.env, type: string, brief: Which.%s}
      - {id: gym.env.name, type: string, brief: What it is called.%s}
"""
    allow = ", allow: {TW209: Both are old.}"
    assert linted(tmp_path / "a", files(topic % ("", ""))).codes == ["TW209"]
    assert linted(tmp_path / "b", files(topic % (allow, ""))).codes == []
    assert linted(tmp_path / "c", files(topic % ("", allow))).codes == []


def test_safety_is_not_lifted(tmp_path):
    """A rule that keeps people safe reports, whatever is allowed, and so does the allowance."""
    topic = """
    topic: t
    brief: T.
    group: item
    spans: [{name: gym.run, brief: One.}]
    attributes:
      - {id: gym.password, type: string, brief: Which., allow: {TW401: Trust me.}}
"""
    assert linted(tmp_path, files(topic)).codes == ["TW401", "TW192"]


@pytest.mark.parametrize(("code", "hint"), [("TW303", None), ("TW999", None), ("TW101", None)])
def test_only_rules_are_lifted(tmp_path, code, hint):
    """A code that is no rule, or no opinion, is an error with the nearest rule."""
    del hint
    topic = METRIC.replace('unit: ""', 'unit: "1"') + f"        allow: {{{code}: Because.}}\n"
    found = linted(tmp_path, files(topic)).only
    assert found.code in {"TW190", "TW192"}
    assert found.help


def test_warnings_leave_deprecated_items_alone(tmp_path):
    """What is going needs no better brief; what is wrong with it stays wrong."""
    topic = """
    topic: t
    brief: T.
    group: item
    spans: [{name: gym.run, brief: One.}]
    metrics:
      - {histogram: gym.wait, unit: "", brief: Waits.%s}
"""
    assert linted(tmp_path / "a", files(topic % "")).codes == ["TW305", "TW302"]
    found = linted(tmp_path / "b", files(topic % ", deprecated: {}"))
    assert found.codes == ["TW302"]


def test_select_and_ignore(tmp_path):
    """Codes, or their beginnings, choose the rules; then nothing is said about allowances."""
    topic = METRIC + "        allow: {TW305: Not needed.}\n"
    assert linted(tmp_path / "a", files(topic)).codes == ["TW302", "TW191"]
    assert linted(tmp_path / "b", files(topic), select=["TW2"]).codes == []
    assert linted(tmp_path / "c", files(topic), select=["TW3"]).codes == ["TW302"]
    assert linted(tmp_path / "d", files(topic), ignore=["TW302"]).codes == []


def test_foreign_registries_are_left_alone(tmp_path):
    """What is only used is checked where it comes from."""
    found = files(METRIC)
    found["nv/registry.yaml"] = 'registry: nv\nversion: "1"\nbrief: Shared.\n'
    found["nv/vendored.json"] = "{}"
    found["nv/common.yaml"] = """
        topic: common
        brief: Common.
        metrics: [{counter: xx.retries_total, unit: "", brief: Retries.}]
    """
    assert {one.primary.place.file for one in linted(tmp_path, found).report} == {
        "specs/gym/rollout.yaml"
    }
