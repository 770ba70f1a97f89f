"""A change of a spec changes what one expects of the generated files, and nothing else."""

from __future__ import annotations

import difflib
import shutil
from pathlib import Path

import pytest
from tests.golden.cases import made

EVERYTHING = Path(__file__).parents[3] / "tests" / "golden" / "everything" / "spec"


@pytest.fixture
def specs(tmp_path):
    """Copy the specs of a golden case."""
    copy = tmp_path / "spec"
    shutil.copytree(EVERYTHING, copy)
    return copy


def changed(specs, old, new, file="order.yaml"):
    """Edit a spec; return the lines that go and come in the package, by file."""
    before, path = made(specs, "shop"), specs / file
    text = path.read_text()
    assert text.count(old) == 1, "the edit should be one"
    path.write_text(text.replace(old, new))
    after = made(specs, "shop")
    found = {}
    for name in before.keys() | after.keys():
        lines = difflib.unified_diff(
            before.get(name, "").splitlines(), after.get(name, "").splitlines(), n=0, lineterm=""
        )
        edits = [
            f"{line[0]} {line[1:].strip()}"
            for line in lines
            if line[0] in "+-" and line[:3] not in {"---", "+++"}
        ]
        if edits:
            found[name] = edits
    return found


def test_the_name_of_a_span(specs):
    """A span that is called something else: its name, its class, its docstrings, its data."""
    found = changed(specs, "name: shop.order.idle", "name: shop.order.rest")
    assert found.keys() == {"order.py", "_registry.json"}
    removed, added = (
        {
            line[2:].replace("rest", "idle").replace("Rest", "Idle")
            for line in found["order.py"]
            if line[0] == sign
        }
        for sign in "-+"
    )
    assert removed == added
    assert removed >= {
        '"idle",',
        '"""Span ``shop.order.idle``: wait for the next order.',
        'return _Idle(group, "shop.order.idle", {})',
    }
    assert all("idle" in line.lower() for line in removed)


def test_a_member_of_an_enumeration(specs):
    """A new member: itself, the names of its spans, and the data; no signature changes."""
    found = changed(specs, "send: Send the parcel.}", "send: Send the parcel., wrap: Wrap them.}")
    assert found["order.py"] == [
        '+ WRAP = "wrap"',
        '+ """Wrap them."""',
        "+",
        '+ "wrap": "shop.wrap.work",',
    ] or sorted(found["order.py"]) == sorted(
        ["+ ", '+ WRAP = "wrap"', '+ """Wrap them."""', '+ "wrap": "shop.wrap.work",']
    )
    assert found.keys() == {"order.py", "_registry.json"}


def test_a_list_of_boundaries(specs):
    """Boundaries by a shared name: one line of code, and the data."""
    found = changed(specs, "short: [0.5, 1, 2.5, 10]", "short: [0.5, 1, 5]", "registry.yaml")
    assert found["order.py"] == [
        "- boundaries=(0.5, 1, 2.5, 10),",
        "+ boundaries=(0.5, 1, 5),",
    ]
    old, new = found["_registry.json"]
    assert old[2:].replace("[0.5, 1, 2.5, 10]", "[0.5, 1, 5]") == new[2:]


def test_a_brief(specs):
    """The brief of an attribute: every place that documents it, and no code."""
    found = changed(specs, "brief: What the customer pays.", "brief: What the bill says.")
    assert {
        line[2:].replace("the bill says", "the customer pays") for line in found["order.py"]
    } == {
        '"""What the customer pays. A number."""',
        "total: What the customer pays (``shop.order.total``).",
    }
    assert len(found["order.py"]) == 6
    old, new = found["_registry.json"]
    assert old[2:].replace("the customer pays", "the bill says") == new[2:]


def test_what_is_not_said_in_code_changes_only_the_data(specs):
    """Who may see it changes docs and data; the generated module stays as it is."""
    found = changed(specs, "    overlaps: true\n", "")
    assert found.keys() == {"_registry.json"}
    old, new = found["_registry.json"]
    assert old[2:].replace('"overlaps": true, ', "") == new[2:]
