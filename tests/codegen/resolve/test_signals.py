"""Enumerations, patterns, outcomes, durations, and what is counted once."""

from __future__ import annotations

import pytest
from tests.codegen.checking import gym, resolved

TOPIC = """
    topic: rollout
    brief: Rollouts.
    group: item
    attributes:
      - id: gym.operation
        enum: Operation
        brief: Which.
        members: {commit: Writes., restore: {value: re-store, brief: Reads.}}
      - id: gym.outcome
        enum: Outcome
        brief: How.
        members: {ok: Good., error: Bad., cancelled: Stopped.}
      - {id: gym.id, type: string, brief: An identity.}
      - {id: gym.other_id, type: string, brief: Another identity.}
      - {id: gym.kind, type: string, brief: A kind.}
"""


def test_pattern_has_a_name_for_each_member(tmp_path):
    """A placeholder becomes a table of names by exported value, and one name for the rest."""
    found = resolved(
        tmp_path,
        gym(TOPIC + '    spans: [{name: "gym.rollout.{gym.operation}", as: run, brief: x.}]\n'),
    )
    placeholder = found.topic("gym", "rollout").spans[0].placeholder
    assert [(member.name, name) for member, name in placeholder.names] == [
        ("commit", "gym.rollout.commit"),
        ("restore", "gym.rollout.re-store"),
    ]
    assert placeholder.other == "gym.rollout._OTHER"
    assert placeholder.param == "operation"


def test_only_narrows_a_pattern(tmp_path):
    """`only` keeps the members for which the span exists; others are unknown members."""
    span = 'name: "gym.{gym.operation}", as: run, brief: x., only: [commit, restor]'
    found = resolved(tmp_path, gym(f"{TOPIC}    spans: [{{{span}}}]\n"))
    assert found.codes == ["TW113"]
    assert found.only.help == "did you mean `restore`?"
    names = found.topic("gym", "rollout").spans[0].placeholder.names
    assert [member.name for member, _ in names] == ["commit"]


@pytest.mark.parametrize(
    "span",
    [
        'name: "gym.{gym.operation}.{gym.outcome}", as: run, brief: x.',
        'name: "gym.{gym.kind}", as: run, brief: x.',
        "name: gym.run, brief: x., only: [commit]",
    ],
)
def test_names_of_spans_stay_bounded(tmp_path, span):
    """A name has one placeholder at most, and that is an attribute with an enum."""
    assert resolved(tmp_path, gym(f"{TOPIC}    spans: [{{{span}}}]\n")).codes == ["TW121"]


def test_patterns_do_not_overlap(tmp_path):
    """A name that a pattern makes cannot be the name of another span; `only` keeps them apart."""
    spans = """
    spans:
      - {name: "gym.{gym.operation}", as: run, brief: x.%s}
      - {name: gym.commit, brief: y.}
"""
    assert resolved(tmp_path / "a", gym(TOPIC + spans % "")).codes == ["TW115"]
    assert resolved(tmp_path / "b", gym(TOPIC + spans % ", only: [restore]")).codes == []


def test_pattern_without_a_rest_needs_a_name(tmp_path):
    """A span whose name is all topic and placeholder says what its helper is called."""
    spans = '    spans: [{name: "gym.rollout.{gym.operation}", brief: x.}]\n'
    assert resolved(tmp_path, gym(TOPIC + spans)).codes == ["TW207"]


def test_outcome_finds_its_members(tmp_path):
    """Members called ok, error and cancelled stand for these endings by themselves."""
    found = resolved(
        tmp_path, gym(TOPIC + "    spans: [{name: gym.run, brief: x., outcome: gym.outcome}]\n")
    )
    outcome = found.topic("gym", "rollout").spans[0].outcome
    assert (outcome.ok.name, outcome.error.name, outcome.cancelled.name) == (
        "ok",
        "error",
        "cancelled",
    )


@pytest.mark.parametrize("key", ["gym.operation", "gym.kind"])
def test_outcome_says_how_a_block_ended(tmp_path, key):
    """An attribute without such members, or without an enum, is no outcome."""
    spans = f"    spans: [{{name: gym.run, brief: x., outcome: {key}}}]\n"
    assert resolved(tmp_path, gym(TOPIC + spans)).codes == ["TW120"]


@pytest.mark.parametrize(
    ("members", "codes"),
    [
        ("{a-b: x., a_b: y.}", ["TW212"]),
        ("{A: x., a: y.}", ["TW212"]),
        ("{mro: x.}", ["TW212"]),
        ("{_a: x.}", ["TW212"]),
        ("{3d: x.}", ["TW212"]),
        ("{é: x.}", ["TW212"]),
        ("{a: {value: v, brief: x.}, b: {value: v, brief: y.}}", ["TW211"]),
        ("{a: {value: v, brief: x., deprecated: {}}, b: {value: v, brief: y.}}", []),
        ("{3d: {value: x, brief: x.}}", ["TW212"]),
    ],
)
def test_members_are_apart(tmp_path, members, codes):
    """Members differ in their Python names and in what is exported; old ones may repeat a value."""
    topic = f"""
    topic: t
    brief: T.
    enums: [{{enum: E, brief: x., members: {members}}}]
"""
    assert resolved(tmp_path, gym(topic)).codes == codes


def test_current_member_comes_before_its_old_alias(tmp_path):
    """Where an old member repeats a value, the current one is the canonical one."""
    topic = """
    topic: t
    brief: T.
    enums:
      - enum: E
        brief: x.
        members: {completion: {value: output, brief: x., deprecated: {}}, output: y.}
"""
    (enum,) = resolved(tmp_path, gym(topic)).topic("gym", "t").enums
    assert [member.name for member in enum.members] == ["output", "completion"]


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        ("members: {a: x.}, open: true", ["TW123"]),
        ("members: {a: x.}, open: true, overflow: b", ["TW113"]),
        ("members: {a: x.}, open: true, overflow: a", []),
        ("members: {other: x.}, open: true", []),
        ("members: {a: x.}, overflow: a", ["TW123"]),
        ("members: {}", ["TW213"]),
        ("members: {a: x.}, ok: b", ["TW113"]),
        ("members: {a: x.}, codes: {TimeoutError: b}", ["TW113"]),
    ],
)
def test_enums_are_complete(tmp_path, fields, codes):
    """An open enum has a member for the rest; whatever names a member names one that exists."""
    topic = f"    topic: t\n    brief: T.\n    enums: [{{enum: E, brief: x., {fields}}}]\n"
    assert resolved(tmp_path, gym(topic)).codes == codes


@pytest.mark.parametrize(
    "attribute",
    [
        "{id: gym.x, brief: x.}",
        "{id: gym.x, brief: x., type: int, enum: Operation}",
        "{id: gym.x, brief: x., type: string, members: {a: A.}}",
    ],
)
def test_attributes_have_one_type(tmp_path, attribute):
    """An attribute has a type or an enum, and members belong to an enum."""
    found = resolved(tmp_path, gym(TOPIC + f"      - {attribute}\n"))
    assert found.codes == ["TW124"]


@pytest.mark.parametrize(
    ("attribute", "sensitivity", "redact"),
    [
        ("type: string", "internal", "keep"),
        ("type: int", "public", "keep"),
        ("type: 'string[]'", "internal", "keep"),
        ("enum: Operation", "public", "keep"),
        ("type: string, sensitivity: personal", "personal", "hash"),
        ("type: string, sensitivity: content", "content", "drop"),
        ("type: string, redact: {truncate: 10}", "internal", 10),
        ("type: string, sensitivity: personal, redact: drop", "personal", "drop"),
        ("type: string, sensitivity: content, redact: {truncate: 10}", "content", 10),
    ],
)
def test_sensitivity_decides_what_becomes_of_values(tmp_path, attribute, sensitivity, redact):
    """Numbers, booleans and enums are public, text is internal; `redact` may only tighten."""
    found = resolved(tmp_path, gym(TOPIC + f"      - {{id: gym.x, brief: x., {attribute}}}\n"))
    made = found.topic("gym", "rollout").attributes[-1]
    assert (str(made.sensitivity), made.redact) == (sensitivity, redact)


@pytest.mark.parametrize(
    "attribute",
    [
        "sensitivity: personal, redact: keep",
        "sensitivity: personal, redact: {truncate: 3}",
        "sensitivity: content, redact: keep",
    ],
)
def test_redact_never_loosens(tmp_path, attribute):
    """What is weaker than the sensitivity is refused, and the stricter of the two is kept."""
    text = TOPIC + f"      - {{id: gym.x, type: string, brief: x., {attribute}}}\n"
    found = resolved(tmp_path, gym(text))
    assert found.codes == ["TW402"]
    assert found.topic("gym", "rollout").attributes[-1].redact in {"hash", "drop"}


DURATION = """
    metrics:
      - histogram: gym.rollout.duration_ms
        unit: ms
        boundaries: [1]
        brief: How long.
        attributes: {gym.operation: required, gym.outcome: required, gym.kind: %s}
    spans:
      - name: "gym.rollout.{gym.operation}"
        as: run
        brief: x.
        attributes: {gym.kind: %s}
        outcome: gym.outcome
        duration: gym.rollout.duration_ms
"""


@pytest.mark.parametrize(
    ("metric", "span", "codes"),
    [
        ("required", "required", []),
        ("recommended", "recommended", []),
        ("required", "recommended", ["TW119"]),
        ("required", "at_end", ["TW119"]),
        ("required", "{required, at: end}", ["TW119"]),
    ],
)
def test_duration_knows_all_that_it_requires(tmp_path, metric, span, codes):
    """What a duration requires is required of its span, its placeholder, or its outcome."""
    found = resolved(tmp_path, gym(TOPIC + DURATION % (metric, span)))
    assert found.codes == codes


@pytest.mark.parametrize(
    "metric",
    [
        "counter: gym.m, unit: ms",
        "histogram: gym.m, unit: By, boundaries: [1]",
        "histogram: gym.m, unit: s, boundaries: [1], once_per: gym.id",
    ],
)
def test_duration_is_a_plain_histogram_of_time(tmp_path, metric):
    """A span times itself with a histogram in a unit of time that records every event."""
    text = (
        TOPIC
        + f"""
    metrics: [{{{metric}, brief: x.}}]
    spans: [{{name: gym.run, brief: y., duration: gym.m}}]
"""
    )
    assert resolved(tmp_path, gym(text)).codes == ["TW119"]


def test_duration_is_in_the_topic_of_its_span(tmp_path):
    """Span and duration share a module."""
    files = gym(TOPIC + "    spans: [{name: gym.run, brief: y., duration: gym.m}]\n")
    files["other.yaml"] = """
        topic: other
        brief: Other.
        metrics: [{histogram: gym.m, unit: s, boundaries: [1], brief: x.}]
    """
    assert resolved(tmp_path, files).codes == ["TW119"]


@pytest.mark.parametrize(
    ("once", "found"),
    [
        ("gym.id", [(None, "required", ["gym.id"])]),
        ("[gym.id, gym.other_id]", [(None, "required", ["gym.id", "gym.other_id"])]),
        ("{commit: gym.id}", [("commit", "opt_in", ["gym.id"])]),
        (
            "{commit: [gym.id], restore: gym.other_id}",
            [("commit", "opt_in", ["gym.id"]), ("restore", "opt_in", ["gym.other_id"])],
        ),
    ],
)
def test_once_per_forms(tmp_path, once, found):
    """An attribute, several, or a mapping from members to them."""
    text = (
        TOPIC
        + f"""
    metrics:
      - counter: gym.events_total
        unit: "{{event}}"
        brief: x.
        attributes: {{gym.operation: required}}
        once_per: {once}
"""
    )
    (metric,) = resolved(tmp_path, gym(text)).topic("gym", "rollout").metrics
    assert [
        (one.member and one.member.name, one.ids[0].level, [use.attribute.key for use in one.ids])
        for one in metric.once_per
    ] == found


@pytest.mark.parametrize(
    ("metric", "code"),
    [
        ("counter: gym.m, once_per: gym.operation, attributes: {gym.operation: required}", "TW122"),
        ("gauge: gym.m, once_per: gym.id", "TW122"),
        (
            "counter: gym.m, once_per: {nope: gym.id}, attributes: {gym.operation: required}",
            "TW113",
        ),
        ("counter: gym.m, once_per: gym.no", "TW101"),
    ],
)
def test_once_per_makes_sense(tmp_path, metric, code):
    """An identity is no attribute of the metric, its member exists, and events are counted."""
    text = f"{TOPIC}    metrics: [{{{metric}, unit: s, brief: x.}}]\n"
    assert resolved(tmp_path, gym(text)).codes == [code]


@pytest.mark.parametrize(
    ("metric", "value", "param", "default"),
    [
        ('counter: gym.events_total, unit: "{event}"', "int", "events", 1),
        ('counter: gym.events_total, unit: "1"', "int", "events", 1),
        ("counter: gym.bytes_total, unit: By", "int", "bytes_", None),
        ("counter: gym.time_total, unit: s", "double", "time", None),
        ('counter: gym.events_total, unit: "{event}", value: double', "double", "events", None),
        ('up_down_counter: gym.open, unit: "{item}"', "int", "value", None),
        ("histogram: gym.d, unit: ms, boundaries: [1]", "double", "milliseconds", None),
        ("histogram: gym.d, unit: '{token}', value: int, boundaries: [1]", "int", "value", None),
        ("gauge: gym.g, unit: By", "double", "value", None),
        ("observable_counter: gym.o, unit: '{thing}'", "int", "value", None),
    ],
)
def test_values_of_instruments(tmp_path, metric, value, param, default):
    """Things counted are integers, and one by default; the rest is told by its unit."""
    text = f"{TOPIC}    metrics: [{{{metric}, brief: x.}}]\n"
    (made,) = resolved(tmp_path, gym(text)).topic("gym", "rollout").metrics
    assert (made.value, made.value_param, made.value_default) == (value, param, default)


def test_boundaries_by_name(tmp_path):
    """A name among `boundaries:`, here or in a used registry, stands for its list."""
    files = gym(
        f"{TOPIC}    metrics: [{{histogram: gym.h, unit: s, boundaries: waits, brief: x.}}]\n"
    )
    files["registry.yaml"] += "    uses: [nv]\n"
    files["nv/registry.yaml"] = (
        'registry: nv\nversion: "1"\nbrief: Shared.\nboundaries: {waits: [1, 2.5]}\n'
    )
    (metric,) = resolved(tmp_path, files).topic("gym", "rollout").metrics
    assert metric.boundaries == (1, 2.5)


@pytest.mark.parametrize(
    ("metric", "code"),
    [
        ("counter: gym.m, boundaries: [1]", "TW308"),
        ("brief: x.", "TW125"),
        ("counter: gym.m, gauge: gym.m", "TW125"),
    ],
)
def test_a_metric_is_one_instrument(tmp_path, metric, code):
    """A metric is exactly one instrument, and only histograms have buckets."""
    item = metric if "brief" in metric else f"{metric}, brief: x."
    text = f"{TOPIC}    metrics: [{{{item}, unit: s}}]\n"
    assert resolved(tmp_path, gym(text)).codes == [code]


def test_error_code_is_text(tmp_path):
    """An error code is an attribute with an enum, or text."""
    text = (
        TOPIC
        + """
      - {id: gym.number, type: int, brief: x.}
    spans: [{name: gym.run, brief: y., error_code: gym.number}]
"""
    )
    assert resolved(tmp_path, gym(text)).codes == ["TW120"]
