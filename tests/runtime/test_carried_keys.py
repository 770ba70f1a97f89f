"""Which keys carriers take, while they become known, and what their values are read as."""

from __future__ import annotations

import importlib
import json
import sys
from copy import copy

import pytest
from opentelemetry import context

import telewright
from telewright import _guard, _registries
from telewright._group import PACKAGES
from telewright._span import PROPAGATED, Scope, attributes_of


def test_keys_that_become_known_disturb_no_carrier_meanwhile(probe, monkeypatch):
    """Who reads or fills a carrier goes on with the keys that it looked up, whole and unchanged."""
    probe.start("all")
    known = _registries.carried()
    assert "kiln.round" in known
    before = dict(known)
    monkeypatch.setattr(_registries, "PROPAGATED", {**PROPAGATED, "later": str})
    assert "later" in _registries.carried()
    assert known == before


def test_a_newer_package_of_a_registry_brings_its_keys(probe, monkeypatch, tmp_path):
    """It is imported after carriers were read: from then on its keys are carried, too."""
    probe.start("all")
    for known in ("_DATA", "_SEEN", "_STATE", "_CARRIED"):
        monkeypatch.setattr(_registries, known, copy(getattr(_registries, known)))
    assert not _read("kiln.newer=3")
    data = {"registry": "kiln", "carried": {"kiln.newer": "int"}}
    (tmp_path / "newer_kiln").mkdir()
    (tmp_path / "newer_kiln" / "_registry.json").write_text(json.dumps(data), "utf-8")
    (tmp_path / "newer_kiln" / "__init__.py").write_text(
        'from telewright.base import requires\n\nrequires("0.1", __name__)\n', "utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("newer_kiln")
    try:
        assert _read("kiln.newer=3") == {"kiln.newer": 3}
    finally:
        del sys.modules["newer_kiln"]
        PACKAGES.remove("newer_kiln")


@pytest.fixture
def lists(monkeypatch, probe):
    """Have lists carried, one of each type; generated code knows them by `str`."""
    probe.start("all")
    kinds = {f"kiln.{kind}s": f"{kind}[]" for kind in ("string", "int", "double", "boolean")}
    data = {**_registries.registries(), "lists": {"registry": "lists", "carried": kinds}}
    monkeypatch.setattr(_registries, "_DATA", data)
    monkeypatch.setattr(_registries, "_CARRIED", [((-1, -1), {})])
    for key in kinds:
        monkeypatch.setitem(PROPAGATED, key, str)


@pytest.mark.usefixtures("lists")
def test_a_list_arrives_as_the_list_that_it_was():
    """Whatever is in its texts."""
    said = {
        "kiln.strings": ["a, b", 'ü "q" %2C;=', ""],
        "kiln.ints": [-1, 2**63 - 1],
        "kiln.doubles": [0.5, 3.0],
        "kiln.booleans": [True, False],
    }
    with Scope(said):
        carrier = telewright.carrier()
    with telewright.within(carrier):
        assert attributes_of(context.get_current()) == said


@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize(
    "text",
    [
        "kiln.strings=a",
        "kiln.strings=%5B1%5D",
        "kiln.strings=%7B%7D",
        "kiln.ints=%5B9223372036854775808%5D",
        "kiln.ints=%5Btrue%5D",
        "kiln.doubles=%5BNaN%5D",
        "kiln.doubles=%5B1e999%5D",
        "kiln.booleans=%5B0%5D",
        "kiln.strings=" + "%5B" * 200,
    ],
)
def test_what_strangers_write_is_no_list(text):
    """What is not of its type is dropped, and the rest is taken."""
    assert _read(f"{text},kiln.round=3") == {"kiln.round": 3}
    assert _guard.FAILURES
    _guard.FAILURES.clear()


def _read(baggage):
    with telewright.within({"baggage": baggage}):
        return attributes_of(context.get_current()) or {}
