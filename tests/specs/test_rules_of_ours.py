"""What the decisions about groups, keys and buckets promise of the specs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.specs.declared import load

if TYPE_CHECKING:
    from tests.specs.declared import Declared

ROOT: Final = Path(__file__).resolve().parents[2]


def test_no_preset_switches_on_what_is_opt_in(declared: Declared) -> None:
    """Gym's checkpoints are in no preset, though RL's group of that name is in RL's default."""
    holders = {
        name
        for name, preset in declared.presets.items()
        if any(group.id == "gym.checkpoint" for group in preset.groups)
    }
    assert not holders
    assert declared.groups["rl.checkpoint"] in declared.presets["rl.default"].groups


def test_presets_stay_in_their_registry(declared: Declared) -> None:
    """A preset expands into groups of its own registry."""
    for preset in declared.presets.values():
        assert {group.registry for group in preset.groups} == {preset.registry}


def test_what_grows_with_items_is_in_no_preset_for_steps(declared: Declared) -> None:
    """RL's presets hold nothing that grows with prompts."""
    for name in ("rl.default", "rl.per_step"):
        for group in declared.presets[name].groups:
            assert group.cardinality != "per_item", group.id


def test_a_group_is_an_umbrella_or_has_a_bucket(declared: Declared) -> None:
    """In RL a group is an umbrella or has a bucket; one leaves it to its categories."""
    undecided = {
        group.id
        for group in declared.groups.values()
        if group.registry == "rl" and group.spec.umbrella == (group.bucket is not None)
    }
    assert undecided == {"rl.efficiency"}


def test_umbrella_spans_have_no_bucket(declared: Declared) -> None:
    """No span of an umbrella group, and none that overlaps its like, counts towards a bucket."""
    umbrellas = [
        span for span in declared.spans.values() if span.group.spec.umbrella or span.spec.overlaps
    ]
    assert umbrellas
    assert not [span.name for span in umbrellas if span.bucket is not None]


def test_every_group_has_a_span(declared: Declared) -> None:
    """Nothing can be switched on that would switch on nothing."""
    used = {span.group.id for span in declared.spans.values()}
    used |= {
        one.group.id for topic in declared.topics for one in topic.instrumentations if one.group
    }
    assert set(declared.groups) == used


@pytest.mark.parametrize(
    "key", ["nemo.gym.rollout.id", "nemo.gym.checkpoint.id", "rl.iteration", "gen_ai.request.id"]
)
def test_identities_are_no_metric_attributes(declared: Declared, key: str) -> None:
    """An id or a step number would make a series of its own for each value."""
    assert declared.attributes[key].spec.in_metrics == "never"
    assert key not in {
        use.attribute.key for metric in declared.metrics.values() for use in metric.attributes
    }


@pytest.mark.parametrize("key", ["slurm.job.user", "nemo.user.id"])
def test_people_are_personal(declared: Declared, key: str) -> None:
    """What names a person is hashed, or left out."""
    assert declared.attributes[key].sensitivity == "personal"


def test_deprecated_names_lead_somewhere(declared: Declared) -> None:
    """A deprecated name says what replaced it, or why nothing did."""
    for attribute in declared.attributes.values():
        deprecation = attribute.spec.deprecated
        if deprecation is not None:
            assert deprecation.note or deprecation.renamed_to in declared.attributes, attribute.key
    for metric in declared.metrics.values():
        deprecation = metric.spec.deprecated
        if deprecation is not None:
            assert deprecation.note or deprecation.renamed_to in declared.metrics, metric.name
    patterns = {span.name for span in declared.spans.values()}
    for span in declared.spans.values():
        deprecation = span.spec.deprecated
        if deprecation is not None:
            assert deprecation.note or deprecation.renamed_to in patterns, span.name


def test_the_specs_have_no_findings() -> None:
    """Nothing is an error or a warning; what is allowed says why."""
    declared, report = load()
    assert not [f"{found.primary and found.primary.place}: {found.message}" for found in report]
    reasons = [
        reason
        for topic in declared.topics
        for item in (topic.spec, *topic.spec.attributes, *topic.spec.spans, *topic.spec.metrics)
        for reason in item.allow.values()
    ]
    assert reasons
    assert all(len(reason.split()) >= 5 and reason.endswith(".") for reason in reasons)


def test_editors_find_the_schema() -> None:
    """Each file that people write names the schema of the language in its first line."""
    files = [path for path in (ROOT / "specs").glob("*/*.yaml") if path.parent.name != "otel"]
    assert len(files) > 40
    for path in files:
        first = path.read_text(encoding="utf-8").partition("\n")[0]
        start, _, schema = first.partition("$schema=")
        assert start == "# yaml-language-server: ", path
        assert (path.parent / schema).resolve() == ROOT / "docs/reference/spec.schema.json"
