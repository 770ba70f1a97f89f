"""Settings: their names in Python, and declarations that cannot be read."""

from __future__ import annotations

import pytest
from tests.codegen.checking import gym, linted, resolved

TOPIC = """
    topic: configuration
    brief: What a person configures.
    settings:
"""


def settings(*items):
    """Return the files of a registry with these settings."""
    return gym(TOPIC + "".join(f"      - {{brief: x., {item}}}\n" for item in items))


def test_a_setting_is_called_without_its_topic(tmp_path):
    """Dots become underscores, and the name of the topic goes."""
    files = settings(
        "name: configuration.enabled, env: A", "name: memory.enabled, env: B, config: a.b"
    )
    found = resolved(tmp_path, files).topic("gym", "configuration").settings
    assert [one.attribute for one in found] == ["enabled", "memory_enabled"]


@pytest.mark.parametrize(
    "item",
    [
        "name: colour",
        "name: colour, env: A, type: boolean, default: blue",
        "name: colour, env: A, type: int, default: true",
        "name: colour, env: A, type: int, default: 1.5",
        'name: colour, env: A, type: "string[]", default: [1]',
        "name: colour, env: A, start: enabled",
        "name: colour, env: A, type: boolean, start: groups",
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path, item):
    """A setting that nobody can set, or whose default or part in starting is of another type."""
    assert resolved(tmp_path, settings(item)).codes == ["TW137"]


@pytest.mark.parametrize(
    "item",
    [
        "name: colour, env: A, type: double, default: 1",
        "name: colour, config: a.b, type: boolean, default: false, start: enabled",
        'name: colour, env: [A, B], type: "string[]", default: [red, blue]',
        "name: colour, env: A, type: path, default: /tmp",
    ],
)
def test_what_can_be_read_is_not_refused(tmp_path, item):
    """Whole numbers are numbers, and lists of texts are lists of texts."""
    assert resolved(tmp_path, settings(item)).codes == []


def test_one_setting_is_one_thing_to_start(tmp_path):
    """Two settings that are the same argument of `start` would be two answers."""
    files = settings("name: a, env: A, start: groups", "name: b, env: B, start: groups")
    assert resolved(tmp_path, files).codes == ["TW137"]


@pytest.mark.parametrize(
    ("items", "code"),
    [
        (["name: a.b, env: A", "name: a_b, env: B"], "TW204"),
        (["name: declared, env: A"], "TW205"),
        (["name: class, env: A"], "TW205"),
        (["name: '0', env: A"], "TW205"),
    ],
)
def test_settings_have_names_of_their_own(tmp_path, items, code):
    """Two settings of one name in Python, and names that are taken, are errors."""
    assert code in resolved(tmp_path, settings(*items)).codes


def test_a_module_with_settings_has_read(tmp_path):
    """What a span is called clashes with the function that reads the settings beside it."""
    files = settings("name: enabled, env: A")
    files["rollout.yaml"] += "    spans: [{name: gym.read, group: job, brief: x.}]\n"
    assert resolved(tmp_path, files).codes == ["TW204"]


def test_a_renamed_setting_says_what_to_use(tmp_path):
    """What took a setting's place must be there; a misspelt one is found, with what was meant."""
    former = "name: old, env: A, deprecated: {renamed_to: enabld}"
    found = resolved(tmp_path, settings(former, "name: enabled, env: B"))
    assert found.codes == ["TW127"]
    assert found.only.help == "did you mean `enabled`?"
    fine = settings(former.replace("enabld", "enabled"), "name: enabled, env: B")
    assert linted(tmp_path, fine).report is not None
