"""Registries: what belongs to them, what they use, and what they share."""

from __future__ import annotations

from tests.codegen.checking import gym, resolved

NV = """
    registry: nv
    version: "1.2"
    brief: Shared.
"""
COMMON = """
    topic: common
    brief: Common.
    attributes: [{id: nv.rank, type: int, brief: A rank.}]
    enums: [{enum: Outcome, brief: How., members: {ok: Good., error: Bad.}}]
"""
TOPIC = """
    topic: rollout
    brief: Rollouts.
    group: item
    attributes: [{id: gym.outcome, enum: Outcome, brief: How.}]
    spans: [{name: gym.run, brief: x., outcome: gym.outcome, attributes: {nv.rank: required}}]
"""


def using(said, **others):
    """Return the files of a registry that uses *said*, and of one to use."""
    files = {**gym(TOPIC), "nv/registry.yaml": NV, "nv/common.yaml": COMMON, **others}
    files["registry.yaml"] += f"    uses: {said}\n"
    return files


def test_used_registries_come_first_and_lend_their_objects(tmp_path):
    """An enum of a used registry is one object, in the module that declares it."""
    found = resolved(tmp_path, using("[nv]"))
    assert found.findings == []
    assert [registry.name for registry in found.model.registries] == ["nv", "gym"]
    enum = found.topic("gym", "rollout").attributes[0].enum
    assert enum is found.topic("nv", "common").enums[0]
    assert (enum.home.registry, enum.home.topic) == ("nv", "common")


def test_versions_agree(tmp_path):
    """A registry that wants another version of what it uses is told both places."""
    assert resolved(tmp_path / "same", using('[nv: "1.2"]')).findings == []
    found = resolved(tmp_path / "other", using('[{registry: nv, version: "1.3"}]')).only
    assert (found.code, found.message) == ("TW112", "`gym` wants version 1.3 of `nv`, which is 1.2")
    assert found.secondary[0].place.file.endswith("nv/registry.yaml")


def test_cycle_of_registries(tmp_path):
    """Registries that use each other are an error that names the way round."""
    files = using("[nv]")
    files["nv/registry.yaml"] += "    uses: [gym]\n"
    found = resolved(tmp_path, files)
    (cycle,) = [one for one in found.report if one.code == "TW111"]
    assert cycle.message == "registries use each other: `gym` → `nv` → `gym`"


def test_registry_that_uses_itself(tmp_path):
    """A registry does not use itself."""
    files = gym("    topic: t\n    brief: T.\n")
    files["registry.yaml"] += "    uses: [gym]\n"
    assert resolved(tmp_path, files).codes == ["TW111"]


def test_one_name_in_two_registries(tmp_path):
    """A name that two registries declare is an error with both places."""
    files = using("[nv]")
    files["other.yaml"] = """
        topic: other
        brief: Other.
        attributes: [{id: nv.rank, type: int, brief: Another rank.}]
    """
    found = resolved(tmp_path, files).only
    assert found.code == "TW116"
    assert {found.primary.place.file, found.secondary[0].place.file} == {
        "specs/gym/other.yaml",
        "specs/nv/common.yaml",
    }


def test_own_enum_hides_that_of_a_used_registry(tmp_path):
    """Where both declare an enum, one's own is meant."""
    files = using("[nv]")
    files["rollout.yaml"] = TOPIC.replace(
        "enum: Outcome, brief: How.", "enum: Outcome, brief: How., members: {ok: A., error: B.}"
    )
    found = resolved(tmp_path, files)
    assert found.findings == []
    assert found.topic("gym", "rollout").attributes[0].enum.home.registry == "gym"


def test_two_topics_of_one_name(tmp_path):
    """A topic is one file."""
    text = "    topic: t\n    brief: T.\n"
    assert resolved(tmp_path, gym(text, **{"again.yaml": text})).codes == ["TW115"]


def test_topics_that_need_each_others_enums(tmp_path):
    """Two topics cannot import each other: the error shows both enums and the way out."""
    topic = """
        topic: {me}
        brief: T.
        group: item
        attributes: [{{id: gym.{me}, enum: {me}, brief: x., members: {{a: A.}}}}]
        spans: [{{name: gym.{me}.run, brief: y., attributes: {{gym.{other}: required}}}}]
    """.replace("enum: {me}", "enum: {enum}")
    found = resolved(
        tmp_path,
        gym(
            topic.format(me="a", other="b", enum="A"),
            **{"b.yaml": topic.format(me="b", other="a", enum="B")},
        ),
    ).only
    assert found.code == "TW117"
    assert found.message == "topics need each other's enums: `a` → `b` → `a`"
    assert found.help == "move one of the attributes to a topic that both can use"
