"""What values may leave, and as what: behaviours that no test of one module shows."""

from __future__ import annotations

import pytest

import telewright
from telewright._values import MOST, clean_value
from telewright._words import judge
from telewright.rl import efficiency
from tests.runtime.receiver import values
from tests.runtime.sample import kiln

TOKEN = "hf_" + "aB3xY9qR7tW2mK5pL8nJ4vC6zD1fG0hSeU"


@pytest.mark.behaviour("B152")
def test_cutting_leaves_the_list_whole(probe):
    """What is exported of a long list is a part; what the application counts is the whole."""
    probe.start("all")
    items = list(range(MOST + 500))
    assert len(clean_value(items)) == MOST
    with kiln.write() as span:
        span._set("kiln.items", items)
        span.set(lines=len(items))
    assert probe.span("kiln.write").attributes["kiln.lines"] == MOST + 500


@pytest.mark.behaviour("B160")
@pytest.mark.parametrize("code", ["timeout", "agent:odd"])
def test_a_key_means_the_same_on_spans_and_on_metrics(probe, code):
    """One outcome is decided for both; where a metric has fewer values, they are the span's."""
    probe.start("kiln.firing")
    with kiln.fire(kiln.Stage.COOL, batch="b", kind="k") as firing:
        firing.fail(code)
    said = probe.span("kiln.fire.cool").attributes
    assert probe.counts("kiln.firing_ms") == {("cool", said["kiln.outcome"]): 1}
    kiln.faults.add(code=said["kiln.fault_code"])
    counted = "timeout" if code == "timeout" else "other"
    assert probe.points("kiln.faults_total") == {(counted,): 1}


@pytest.mark.behaviour("B169")
@pytest.mark.parametrize(
    ("key", "verdict"),
    [
        ("gen_ai.token.type", ""),
        ("rl.data_plane.keys", ""),
        ("nemo.gym.token_capture.digest", ""),
        ("nemo.gym.token_capture.records", ""),
        ("rl.hf_token", "secret"),
        ("nemo.gym.token", "maybe"),
        ("gen_ai.prompt", "content"),
    ],
)
def test_a_name_is_judged_by_its_last_words(key, verdict):
    """A word for secrets counts where it ends a name, and not where it only describes it."""
    assert judge(key) == verdict


@pytest.mark.behaviour("B171")
def test_no_secret_lands_in_a_file(tmp_path, monkeypatch):
    """Neither in attributes nor in the resource, whoever put it there."""
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", f"deployment.note=use {TOKEN}")
    path = tmp_path / "out.jsonl"
    resource = {"wandb.api_key": TOKEN, "team": "kiln"}
    telewright.start("all", exporter="file", path=path, resource=resource, strict=True)
    with kiln.site(f"token {TOKEN}"), kiln.heat():
        pass
    kiln.visitors.add(town=TOKEN)
    assert telewright.stop()
    text = path.read_text()
    assert "kiln.heat" in text
    assert "kiln.visitors_total" in text
    assert '"team"' in text
    assert TOKEN not in text


@pytest.mark.behaviour("B215")
def test_a_category_that_nobody_declares_counts_as_no_other(receiver):
    """It leaves as none of those that are declared, and its time stays in its span's bucket."""
    with (
        telewright.start("all", metrics=False, strict=True),
        efficiency.refit_bubble(category="idle/made_up"),
    ):
        pass
    assert values(receiver.span("rl.idle.refit_bubble").attributes) == {
        "rl.efficiency.category": "_OTHER",
        "rl.bucket": "idle",
    }
