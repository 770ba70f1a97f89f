"""What the generator refuses, so that no process has to: behaviours about declarations."""

from __future__ import annotations

import pytest

from telewright_codegen import pipeline
from telewright_codegen.diagnostics import Report
from tests.codegen.checking import REGISTRY, gym, linted, read, resolved
from tests.codegen.rendering import pages

TOPIC = """
    topic: rollout
    brief: Rollouts.
    group: item
"""


@pytest.mark.behaviour("B050")
def test_a_metric_cannot_be_put_into_a_span_group(tmp_path):
    """There is no field for it: whether a metric is recorded depends on metrics alone."""
    metric = "    metrics: [{counter: gym.rollouts, unit: '1', brief: Rollouts., group: item}]"
    report = Report()
    pipeline.load(read(tmp_path, gym(TOPIC + metric)), report)
    assert [(one.code, "group" in one.message) for one in report] == [("TW001", True)]


@pytest.mark.behaviour("B052")
def test_an_instrumentation_is_in_a_group(tmp_path):
    """Somebody else's spans are switched as ours are; outside of every group they are found."""
    topic = """
    topic: server
    brief: Servers.{group}
    instrumentations:
      - package: opentelemetry-instrumentation-fastapi
        brief: Inbound requests.
        spans: ["{{METHOD}} {{route}}"]
"""
    assert "TW231" in linted(tmp_path / "a", gym(topic.format(group=""))).codes
    grouped = topic.format(group="\n    group: item")
    assert "TW231" not in linted(tmp_path / "b", gym(grouped)).codes


@pytest.mark.behaviour("B181")
@pytest.mark.parametrize(
    "metrics",
    [
        "[{counter: gym.a, unit: '1', brief: A.}, {gauge: gym.a, unit: '1', brief: B.}]",
        "[{counter: gym.a, unit: '1', brief: A.}, {counter: gym.a_total, unit: '1', brief: B.}]",
    ],
    ids=["name", "name in Python"],
)
def test_two_metrics_are_not_one_series(tmp_path, metrics):
    """What would be recorded as one, or called by one name, is refused where it is declared."""
    codes = resolved(tmp_path, gym(f"{TOPIC}    metrics: {metrics}\n")).codes
    assert set(codes) & {"TW115", "TW204"}


@pytest.mark.behaviour("B186")
def test_a_histogram_says_where_its_buckets_end(tmp_path):
    """Otherwise those of OpenTelemetry hold, and a rollout of minutes is beyond the last one."""
    metric = "    metrics: [{{histogram: gym.wait, unit: s, brief: Waiting.{more}}}]\n"
    bare = linted(tmp_path / "a", gym(TOPIC + metric.format(more="")))
    assert "TW305" in bare.codes
    more = ", boundaries: [1, 10, 60, 600]"
    assert "TW305" not in linted(tmp_path / "b", gym(TOPIC + metric.format(more=more))).codes


@pytest.mark.behaviour("B193")
def test_a_preset_holds_groups_of_its_registry(tmp_path):
    """A group that is not declared is refused, and another registry's cannot even be named."""
    registry = f"{REGISTRY}    presets: {{default: [job, jbo]}}\n"
    found = resolved(tmp_path / "a", {"registry.yaml": registry, "a.yaml": TOPIC})
    assert found.codes == ["TW103"]
    report = Report()
    registry = registry.replace("job, jbo", "nv.job")
    pipeline.load(read(tmp_path / "b", {"registry.yaml": registry, "a.yaml": TOPIC}), report)
    assert [one.code for one in report] == ["TW006"]


@pytest.mark.behaviour("B192")
def test_all_is_nobodys_to_declare(tmp_path):
    """Neither a preset nor a group can be called like the word for every group."""
    for text in ("presets: {all: [job]}", "groups: {all: {brief: All.}}"):
        registry = REGISTRY.partition("    groups:")[0] if "groups" in text else REGISTRY
        files = {"registry.yaml": f"{registry}    {text}\n", "a.yaml": TOPIC.partition("group:")[0]}
        assert "TW214" in resolved(tmp_path / text[:6], files).codes


@pytest.mark.behaviour("B197")
def test_a_group_has_spans_and_a_span_has_its_place_in_the_docs(tmp_path):
    """A group that would switch on nothing is found, and every name can be looked up."""
    spans = "    spans: [{name: gym.rollout.run, brief: Runs.}, {name: gym.a, brief: A.}]\n"
    assert linted(tmp_path, gym(TOPIC + spans)).codes.count("TW230") == 2  # job, step
    text = "".join(pages(tmp_path / "docs", gym(TOPIC + spans)).values())
    assert text.count('id="gym.rollout.run"') + text.count("`gym.rollout.run`") > 1
    assert "`gym.a`" in text


@pytest.mark.behaviour("B216")
@pytest.mark.parametrize(
    ("window", "said_of_window"), [("step", "one step"), ("run", "the whole run")]
)
def test_a_ratio_states_its_window(tmp_path, window, said_of_window):
    """Without one it is found; the page says which one it is."""
    metric = "    metrics: [{{gauge: gym.success_rate, unit: '1', brief: Share.{more}}}]\n"
    assert "TW316" in linted(tmp_path / "a", gym(TOPIC + metric.format(more=""))).codes
    said = gym(TOPIC + metric.format(more=f", window: {window}"))
    assert "TW316" not in linted(tmp_path / "b", said).codes
    text = "".join(pages(tmp_path / "c", said).values())
    assert f"- **About:** {said_of_window}" in text
