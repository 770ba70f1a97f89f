"""The page of what has been asked for is complete, true and up to date."""

from __future__ import annotations

import importlib.util
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.shared import shared

if TYPE_CHECKING:
    from tests.specs.declared import Declared

_ROOT: Final = Path(__file__).resolve().parents[2]


def _tool() -> Any:
    spec = importlib.util.spec_from_file_location("asks", _ROOT / "tools" / "asks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def entries() -> list[dict[str, Any]]:
    """Return every entry of the table."""
    return [entry for section in _tool().read().values() for entry in section]


def test_the_page_is_up_to_date() -> None:
    """The committed page is what the table makes."""
    tool = _tool()
    assert tool.PAGE.read_text() == tool.render(tool.read())


def test_every_ask_is_answered_once(entries: list[dict[str, Any]]) -> None:
    """No ask is missing, and none is answered twice."""
    text = shared("facts", "asks.md").read_text(encoding="utf-8")
    asked = [int(number) for number in re.findall(r"^(\d+)\. ", text, re.MULTILINE)]
    assert asked
    assert Counter(entry["ask"] for entry in entries) == Counter(asked)


def test_every_place_exists(entries: list[dict[str, Any]], declared: Declared) -> None:
    """Whatever an answer points at is in the specs or in the tree."""
    names = {
        *declared.attributes,
        *declared.metrics,
        *declared.spans,
        *(span.name for span in declared.spans.values()),
    }
    assert "gym.no.such.thing" not in names
    for entry in entries:
        for where in entry["where"]:
            found = (_ROOT / where).is_file() if "/" in where else where in names
            assert found, f"{entry['ask']}: {where}"


def test_answers_are_consistent(entries: list[dict[str, Any]]) -> None:
    """A state is one of three; what is done or declared says where; every text is a sentence."""
    for entry in entries:
        assert entry["state"] in _tool().STATES
        assert entry["where"] or entry["state"] == "elsewhere", entry["ask"]
        assert entry["answer"].endswith("."), entry["ask"]
        assert entry["wish"].endswith("."), entry["ask"]
