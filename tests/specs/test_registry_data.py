"""The data beside the generated packages of Gym and RL."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import telewright

if TYPE_CHECKING:
    from collections.abc import Mapping

Data = dict[str, Any]


def read(registry: str) -> Data:
    """Return the data of one of the packages that come with the runtime."""
    folder = Path(telewright.__file__).parent / registry
    found: Data = json.loads((folder / "_registry.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("registry", ["gym", "rl"])
def test_parents_are_names_of_spans(registry: str) -> None:
    """Every parent is a name that some span has, so that a trace can be held against it."""
    data = read(registry)
    parents = {name for span in data["spans"].values() for name in span.get("parents", ())}
    assert parents
    assert parents <= set(data["spans"])


def test_a_parent_that_shares_the_pattern_is_the_other_span() -> None:
    """A participant's commit is a child of the controller's operations, not of itself."""
    spans: Mapping[str, Data] = read("gym")["spans"]
    parents = spans["gym.checkpoint.commit"]["parents"]
    assert "gym.checkpoint.coordinate.commit" in parents
    assert "gym.checkpoint.commit" not in parents


def test_buckets_are_said_once() -> None:
    """The data says which attribute buckets are said with; every leaf group has one or none."""
    data = read("rl")
    assert data["bucket"] == {"attribute": "rl.bucket", "default": "overhead"}
    buckets = {name: group.get("bucket") for name, group in data["groups"].items()}
    assert buckets["generation"] == "productive"
    assert {name for name, bucket in buckets.items() if bucket is None} == {
        *(name for name, group in data["groups"].items() if group.get("umbrella")),
        "efficiency",
    }
