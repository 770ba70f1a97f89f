"""Running rules: ours and those that other distributions bring."""

from __future__ import annotations

import pytest
from tests.codegen.checking import gym, linted

from telewright_codegen.diagnostics import Severity
from telewright_codegen.guard import PluginError
from telewright_codegen.lint.run import all_rules

PLUGIN = '''
from telewright_codegen.diagnostics import Severity
from telewright_codegen.lint.rule import Finding, rule


@rule("{code}", "no-rollouts", severity=Severity.WARNING)
def no_rollouts(subject):
    """Topics are not called rollout."""
    for topic in subject.registry.topics:
        if topic.name == "rollout":
            yield Finding(topic, topic.at.value("topic"), "a topic called rollout")
'''
TOPIC = """
    topic: rollout
    brief: Rollouts.
    group: item
    spans:
      - {name: gym.a, group: job, brief: A.}
      - {name: gym.b, group: step, brief: B.}
      - {name: gym.c, brief: C.}
"""


@pytest.fixture
def brings(tmp_path, monkeypatch):
    """Return a function that installs a distribution with one rule."""

    def install(code, name="acme_rules"):
        site = tmp_path / f"site-{name}"
        info = site / f"{name}-1.dist-info"
        info.mkdir(parents=True)
        (site / f"{name}.py").write_text(PLUGIN.format(code=code), encoding="utf-8")
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[telewright.rules]\n{name} = {name}\n")
        monkeypatch.syspath_prepend(str(site))

    return install


def test_rules_have_codes_and_names():
    """Every rule of ours has a code of its own, a name of its own, and says what it finds."""
    rules = all_rules()
    assert len(rules) >= 40
    assert len({one.name for one in rules.values()}) == len(rules)
    assert all(one.check.__doc__ for one in rules.values())
    assert {one.severity for one in rules.values()} == set(Severity)


def test_rules_of_other_distributions_run(tmp_path, brings):
    """An installed distribution adds a rule by an entry point; it reports and can be lifted."""
    brings("ACME101")
    assert linted(tmp_path / "a", gym(TOPIC)).codes == ["ACME101"]
    allowed = TOPIC + "    allow: {ACME101: We have some.}\n"
    assert linted(tmp_path / "b", gym(allowed)).codes == []


def test_a_code_of_ours_is_taken(tmp_path, brings):
    """A rule from elsewhere needs a prefix of its own."""
    brings("TW999", "bold_rules")
    with pytest.raises(PluginError, match="TW999"):
        linted(tmp_path, gym(TOPIC))


def test_two_rules_of_one_code(tmp_path, brings):
    """Two distributions cannot bring one code."""
    brings("ACME101", "first_rules")
    brings("ACME101", "second_rules")
    with pytest.raises(PluginError, match="ACME101"):
        linted(tmp_path, gym(TOPIC))


def test_findings_name_what_cannot_be_seen(tmp_path):
    """A letter that only looks like another is shown with its code point and its title."""
    topic = TOPIC + "    attributes: [{id: gym.rew\u0430rd, type: int, brief: A reward.}]\n"
    found = linted(tmp_path, gym(topic)).only
    assert found.code == "TW201"
    assert "\\u0430" in found.message
    assert found.primary.text == "has U+0430, CYRILLIC SMALL LETTER A"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("gym.Reward", "for example `gym.reward`"),
        ("gym.re-ward", "for example `gym.re_ward`"),
        ("\uff47ym.reward", "for example `gym.reward`"),
        ("gym..reward", "for example `gym.reward`"),
        ("gym.__init__", "for example `gym.init`"),
        ("gym.a_", "for example `gym.a`"),
    ],
)
def test_names_get_a_legal_suggestion(tmp_path, name, hint):
    """A name that cannot be is answered with the nearest one that can."""
    topic = TOPIC + f"    attributes: [{{id: '{name}', type: int, brief: A reward.}}]\n"
    found = [one for one in linted(tmp_path, gym(topic)).report if one.code == "TW201"]
    assert [one.help for one in found] == [hint]


@pytest.mark.parametrize(
    "name", ["gym.3d", "gym.a1.b", "gym.match", "gym.type", "gym.http2_streams"]
)
def test_ordinary_names_pass(tmp_path, name):
    """Digits inside, soft keywords and builtins are fine in names of attributes."""
    topic = TOPIC + f"    attributes: [{{id: {name}, type: int, brief: A number.}}]\n"
    assert linted(tmp_path, gym(topic)).findings == []


def test_similar_names_of_a_used_registry(tmp_path):
    """A name that a used registry already has in other words is pointed out, with both places."""
    files = gym(TOPIC + "    attributes: [{id: gym.ckpt.iters, type: int, brief: Ours.}]\n")
    files["registry.yaml"] += "    uses: [nv]\n"
    files["nv/registry.yaml"] = 'registry: nv\nversion: "1"\nbrief: Shared.\nnamespaces: [gym]\n'
    files["nv/common.yaml"] = """
        topic: common
        brief: Common.
        attributes: [{id: gym.checkpoint.iterations, type: int, brief: Theirs.}]
    """
    found = linted(tmp_path, files).only
    assert found.code == "TW223"
    assert found.secondary[0].place.file == "specs/nv/common.yaml"
