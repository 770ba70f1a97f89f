"""The specs declare what Gym and RL emit, or a table says why they do not."""

from __future__ import annotations

import copy
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import yaml

from tests.specs.compare import differences
from tests.specs.facts import Facts

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.specs.declared import Declared

_TABLE: Final = Path(__file__).with_name("not_declared.yaml")


@pytest.fixture(scope="session")
def facts() -> Facts:
    """Return the inventory."""
    return Facts.read()


@pytest.fixture(scope="session")
def table() -> dict[str, str]:
    """Return the reasons for every difference that is meant, by what they are the reasons for."""
    entries = yaml.safe_load(_TABLE.read_text(encoding="utf-8"))
    return {entry["what"]: entry["why"] for entry in entries}


def _unexplained(found: set[str], table: dict[str, str]) -> set[str]:
    return {one for one in found if not any(fnmatchcase(one, what) for what in table)}


def _stale(found: set[str], table: dict[str, str]) -> set[str]:
    return {what for what in table if not any(fnmatchcase(one, what) for one in found)}


def test_what_the_facts_say_is_declared_or_explained(
    facts: Facts, declared: Declared, table: dict[str, str]
) -> None:
    """Every group, preset, span, attribute, metric and setting is declared as it is emitted."""
    assert not _unexplained(differences(facts, declared), table)


def test_no_explanation_outlives_its_difference(
    facts: Facts, declared: Declared, table: dict[str, str]
) -> None:
    """An entry of the table that explains nothing is noticed."""
    found = differences(facts, declared)
    assert not _stale(found, table)
    assert _stale(found, {**table, "group gym.job: *": "declared, so never a difference"})


def test_each_explanation_is_a_sentence(table: dict[str, str]) -> None:
    """Nobody gets past the table with an empty reason."""
    assert all(len(why.split()) >= 3 and why.endswith(".") for why in table.values())


STATUSES: Final = {
    "In a draft only": {"draft"},
    "Inherited from a library and never emitted": {"legacy"},
    "Advertised and never emitted": {"legacy"},
}
"""What the facts must say of what these reasons are given for."""


def _statuses(facts: Facts, difference: str) -> set[str]:
    """Return the statuses of whatever the facts call by the name in *difference*."""
    name = difference.split(" ")[1].rstrip(":")
    found: set[str] = set()
    for records in facts.data.values():
        for one in records if isinstance(records, list) else ():
            if isinstance(one, dict) and "status" in one:
                called = str(one.get("name", one.get("key")))
                if called in {name, name.partition(".")[2]}:
                    found.add(str(one["status"]))
    return found


def _untrue(facts: Facts, found: set[str], table: dict[str, str]) -> set[str]:
    return {
        f"{difference}: {why}"
        for what, why in table.items()
        for begins, statuses in STATUSES.items()
        if why.startswith(begins)
        for difference in found
        if fnmatchcase(difference, what) and not _statuses(facts, difference) <= statuses
    }


def test_reasons_about_a_status_are_true(
    facts: Facts, declared: Declared, table: dict[str, str]
) -> None:
    """What is left out for being a draft, or inherited, is nowhere released, on main or planned."""
    found = differences(facts, declared)
    assert not _untrue(facts, found, table)
    wrong = {**table, "attribute http.method: not declared": "In a draft only."}
    assert _untrue(facts, found, wrong)


def _rename(data: dict[str, Any], section: str, field: str) -> None:
    data[section][0][field] = "gym.no.such.thing"


def _widen(data: dict[str, Any]) -> None:
    next(one for one in data["attributes_gym"] if "enum" in one)["enum"].append("no_such_member")


def _unit(data: dict[str, Any]) -> None:
    data["metrics_rl"][0]["unit"] = "furlong"


def _bounds(data: dict[str, Any]) -> None:
    next(one for one in data["metrics_gym"] if "buckets" in one)["buckets"].append(10**9)


def _bucket(data: dict[str, Any]) -> None:
    next(one for one in data["spans_rl"] if one.get("bucket") == "productive")["bucket"] = "idle"


def _preset(data: dict[str, Any]) -> None:
    data["presets"][0]["members"].append("sandbox")


def _scope(data: dict[str, Any]) -> None:
    data["scopes"][0]["effect"] = "puts another key on every span"


def _category(data: dict[str, Any]) -> None:
    data["efficiency_categories"][1]["window"] = "week"


def _idle(data: dict[str, Any]) -> None:
    data["efficiency_categories"][1]["bucket"] = "wasted"


def _level(data: dict[str, Any]) -> None:
    data["attributes_rl"][0]["on"].append("metric")


def _default(data: dict[str, Any]) -> None:
    data["config_fields"]["gym.telemetry"]["service_name"] = "another"


@pytest.mark.parametrize(
    "change",
    [
        lambda data: _rename(data, "span_groups", "name"),
        lambda data: _rename(data, "presets", "name"),
        lambda data: _rename(data, "spans_gym", "name"),
        lambda data: _rename(data, "attributes_rl", "key"),
        lambda data: _rename(data, "metrics_gym", "name"),
        _widen,
        _unit,
        _bounds,
        _bucket,
        _preset,
        _scope,
        _category,
        _idle,
        _level,
        _default,
        lambda data: data["spans_gym"][0].update(kind="CLIENT"),
        lambda data: data["spans_gym"][0].update(group="server"),
        lambda data: data["spans_gym"][1]["attributes"].append("nemo.gym.sandbox.id"),
        lambda data: data["metrics_gym"][0]["attributes"].append("nemo.gym.server.name"),
        lambda data: data["attributes_gym"][0].update(type="int"),
        lambda data: data["env_variables"]["rl"].append("NEMO_RL_OTEL_NO_SUCH"),
        lambda data: data["resource_attributes"]["slurm_live"].append("slurm.no_such"),
        lambda data: data["resource_attributes"]["nv_gpu"].append("nv.gpu.serial(int)"),
    ],
)
def test_a_change_of_the_facts_is_noticed(
    facts: Facts,
    declared: Declared,
    table: dict[str, str],
    change: Callable[[dict[str, Any]], object],
) -> None:
    """Each kind of comparison can fail: one fact is changed, and the difference has no reason."""
    data = copy.deepcopy(dict(facts.data))
    change(data)
    assert _unexplained(differences(replace(facts, data=data), declared), table)
