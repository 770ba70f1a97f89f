"""Names in Python: helpers, parameters, constants, and what they may not be."""

from __future__ import annotations

import pytest
from tests.codegen.checking import gym, resolved

from telewright_codegen.resolve import names

TOPIC = """
    topic: rollout
    brief: Rollouts.
    group: item
"""


@pytest.mark.parametrize(
    ("name", "helper"),
    [
        ("gym.rollout.dispatch", "dispatch"),
        ("nemo.gym.rollout.dispatch", "dispatch"),
        ("gym.job", "job"),
        ("gym.rollout", "rollout"),
        ("gym.checkpoint.finalize", "checkpoint_finalize"),
        ("gym.rollout.exec", "exec_"),
        ("gym.{gym.algorithm}.step", "step"),
        ("gym.rollout.coordinate.{gym.operation}", "coordinate"),
        ("gym.rollout.{gym.operation}", None),
        ("gym.{gym.operation}", None),
        ("gym.rollout.3d", None),
        ("other.rollout.dispatch", "other_rollout_dispatch"),
        ("gymnasium.rollout", "gymnasium_rollout"),
    ],
)
def test_span_helper(name, helper):
    """A span's helper is its name without namespace, topic and placeholders, at whole words."""
    assert names.span_helper(name, "rollout", ["gym", "nemo.gym"]) == helper


@pytest.mark.parametrize(
    ("name", "helper"),
    [
        ("gym.rollout.events_total", "events"),
        ("gym.rollout.bytes_total", "bytes_"),
        ("gym.rollout.duration_ms", "duration_ms"),
        ("gym.reward.mean", "reward_mean"),
        ("gym.rollout._total", "total"),
    ],
)
def test_metric_helper(name, helper):
    """An instrument drops `_total`, keeps the suffix of its unit, and hides no builtin."""
    assert names.metric_helper(name, "rollout", ["gym"]) == helper


@pytest.mark.parametrize(
    ("key", "parameter"),
    [
        ("nemo.gym.checkpoint.participant_kind", "participant_kind"),
        ("nemo.gym.checkpoint.id", "checkpoint_id"),
        ("nemo.gym.rollout.id", "rollout_id"),
        ("nemo.gym.checkpoint.class", "checkpoint_class"),
        ("nemo.gym.checkpoint.name", "checkpoint_name"),
        ("nemo.gym.checkpoint.dispatch.name", "dispatch_name"),
        ("nemo.gym.checkpoint.3d", "checkpoint_3d"),
        ("nemo.gym.match", "match"),
        ("nemo.gym.id", "nemo_gym_id"),
        ("host.name", "host_name"),
        ("checkpoint", "checkpoint"),
    ],
)
def test_parameter(key, parameter):
    """A parameter is its attribute without namespace and topic, unless too little is left."""
    assert names.param(key, "checkpoint", ["gym", "nemo.gym"]) == parameter


def test_constant_carries_the_full_key(tmp_path):
    """Constants are whole keys in capitals, with `_TEMPLATE` for templates; `constant:` decides."""
    found = resolved(
        tmp_path,
        gym(
            TOPIC
            + """
    attributes:
      - {id: gym.rollout.id, type: string, brief: A.}
      - {id: gym.header, type: "template[string]", keys: [x], brief: B.}
      - {id: gym.old, type: int, brief: C., constant: OLD_NAME}
"""
        ),
    )
    constants = [one.constant for one in found.topic("gym", "rollout").attributes]
    assert constants == ["GYM_ROLLOUT_ID", "GYM_HEADER_TEMPLATE", "OLD_NAME"]


@pytest.mark.parametrize(
    "items",
    [
        "spans: [{name: gym.rollout.step, brief: x.}, {name: gym.step, brief: y.}]",
        """spans: [{name: gym.rollout.events, brief: x.}]
    metrics: [{counter: gym.rollout.events_total, unit: "{event}", brief: y.}]""",
        """spans: [{name: gym.rollout.step, brief: x.}]
    scopes: [{name: step, brief: y.}]""",
        """spans: [{name: gym.rollout.step, brief: x.}]
    resources: [{name: step, brief: y.}]""",
        """spans: [{name: gym.rollout.step, brief: x.}]
    events: [{name: gym.step, brief: y.}]""",
        """attributes:
      - {id: gym.a.b, type: int, brief: x.}
      - {id: gym.a_b, type: int, brief: y.}""",
        """attributes:
      - {id: gym.a, type: int, brief: x., constant: B}
      - {id: gym.b, type: int, brief: y., constant: B}""",
        """enums: [{enum: Step, brief: x., members: {a: A.}}]
    metrics: [{histogram: gym.h, unit: s, brief: y., boundaries: [1]}]
    spans: [{name: gym.rollout.step, brief: z., duration: gym.h}]""",
        "metrics: [{gauge: gym.a_1, unit: s, brief: x.}, {gauge: gym.a1, unit: s, brief: y.}]",
    ],
)
def test_clashes_are_errors_with_both_places(tmp_path, items):
    """Two things that would share one Python name are an error, never a silent rename."""
    found = resolved(tmp_path, gym(f"{TOPIC}\n    {items}\n")).only
    assert found.code == "TW204"
    assert found.secondary[0].place < found.primary.place
    assert found.help


@pytest.mark.parametrize(
    "items",
    [
        "spans: [{name: gym.a, as: class, brief: x.}]",
        "spans: [{name: gym.a, as: print, brief: x.}]",
        "attributes: [{id: gate, type: int, brief: x.}]",
        "attributes: [{id: gym.a, type: int, brief: x., constant: REGISTRY}]",
    ],
)
def test_taken_names_are_errors(tmp_path, items):
    """What Python or generated modules need cannot be the name of something else."""
    assert resolved(tmp_path, gym(f"{TOPIC}\n    {items}\n")).codes == ["TW205"]


@pytest.mark.parametrize(
    ("param", "code"), [("lambda", "TW205"), ("self", "TW205"), ("__a", "TW205"), ("b", "TW208")]
)
def test_parameters_stand_beside_each_other(tmp_path, param, code):
    """A parameter is no word of Python's, and no other parameter of its helper."""
    found = resolved(
        tmp_path,
        gym(
            TOPIC
            + f"""
    attributes:
      - {{id: gym.a, type: int, brief: x., param: {param}}}
      - {{id: gym.b, type: int, brief: y.}}
    spans:
      - {{name: gym.run, brief: z., attributes: {{gym.b: required, gym.a: required}}}}
"""
        ),
    )
    assert found.codes == [code]


def test_value_of_a_counter_is_a_parameter_too(tmp_path):
    """An attribute cannot be called like the value that a counter counts."""
    found = resolved(
        tmp_path,
        gym(
            TOPIC
            + """
    attributes: [{id: gym.events, type: int, brief: x.}]
    metrics:
      - counter: gym.rollout.events_total
        unit: "{event}"
        brief: y.
        attributes: {gym.events: required}
"""
        ),
    )
    assert found.codes == ["TW208"]


@pytest.mark.parametrize("name", ["logging", "aux", "groups", "class", "a_", "a__b"])
def test_topics_become_modules(tmp_path, name):
    """A topic is called like no module of Python's, no device of Windows, no generated module."""
    found = resolved(tmp_path, gym(TOPIC.replace("topic: rollout", f"topic: {name}")))
    assert found.codes == ["TW206"]


@pytest.mark.parametrize("name", ["base", "testing", "nul"])
def test_registries_become_packages(tmp_path, name):
    """A registry is called like no module of the runtime, and no device of Windows."""
    files = gym(TOPIC)
    files["registry.yaml"] = files["registry.yaml"].replace("gym", name, 1)
    assert resolved(tmp_path, files).codes == ["TW206"]


@pytest.mark.parametrize("name", ["all", "none", "default", "gate"])
def test_groups_are_no_words_of_the_selection(tmp_path, name):
    """A group cannot be called like a word that selects, or a name of generated modules."""
    files = gym(TOPIC)
    files["registry.yaml"] += f"      {name}: {{brief: x.}}\n"
    assert resolved(tmp_path, files).codes == ["TW214"]


def test_preset_and_group_differ(tmp_path):
    """One word means a preset or a group, not both."""
    files = gym(TOPIC)
    files["registry.yaml"] += "    presets: {job: [item]}\n"
    assert resolved(tmp_path, files).codes == ["TW214"]


def test_presets_stay_in_their_registry(tmp_path):
    """A preset lists groups of its own registry; the members are objects, each once."""
    files = gym(TOPIC)
    files["registry.yaml"] += "    presets: {default: [item, job, item], wrong: [nope]}\n"
    found = resolved(tmp_path, files)
    assert found.codes == ["TW103"]
    default = found.model.registry("gym").presets[0]
    assert [group.id for group in default.groups] == ["gym.item", "gym.job"]
