"""Enumerations of generated modules, and what becomes of a value that is no member."""

from __future__ import annotations

import enum
import pickle

import pytest

from telewright._declared import read_rule
from telewright.base import IntEnum, OpenEnum, OpenIntEnum, StrEnum, member
from tests.runtime.sample.kiln import FaultCode, Stage


def test_enumerations_are_the_standard_ones():
    """Other libraries see `enum.Enum`: validation, command lines, `isinstance`, pickling."""
    assert StrEnum is enum.StrEnum
    assert isinstance(Stage.GLAZE, enum.Enum)
    assert pickle.loads(pickle.dumps(Stage.GLAZE)) is Stage.GLAZE  # noqa: S301 - made here
    assert (Stage.GLAZE == "glaze", {Stage.GLAZE: 1}["glaze"]) == (True, 1)


def test_a_closed_enumeration_refuses_what_is_no_member():
    """As the standard one does."""
    with pytest.raises(ValueError, match="'odd' is not a valid"):
        Stage("odd")


@pytest.mark.behaviour("B162")
@pytest.mark.parametrize("odd", ["agent:odd", None, [], object(), 3])
def test_an_open_enumeration_takes_anything(odd):
    """What is no member is the overflow member."""
    assert FaultCode(odd) is FaultCode.OTHER
    assert FaultCode("timeout") is FaultCode.TIMEOUT


def test_the_overflow_member_is_called_other_unless_declared():
    """A generated class says which member it is; one called OTHER is found by itself."""

    class Plain(OpenEnum):
        ONE = "one"
        OTHER = "rest"

    assert Plain("odd") is Plain.OTHER


@pytest.mark.behaviour("B162")
@pytest.mark.parametrize("odd", ["odd", 3, [], object()])
def test_a_value_is_a_member_or_says_that_it_is_none(odd):
    """`member` never raises, whatever it is given."""
    assert member(Stage, Stage.GLAZE) is Stage.GLAZE
    assert member(Stage, "glaze") is Stage.GLAZE
    assert member(Stage, odd) == "_OTHER"
    assert member(FaultCode, odd) is FaultCode.OTHER
    assert member(Stage, None) is None


class Generation(IntEnum):
    """A closed enumeration of numbers."""

    YOUNG = 0
    OLD = 1


class Code(OpenIntEnum):
    """An open one that has no member for others."""

    OK = 0
    CANCELLED = 1


class Rest(OpenIntEnum):
    """An open one that has."""

    OK = 0
    OTHER = -1


def test_members_may_be_numbers():
    """They are numbers wherever one compares, counts or prints them."""
    assert IntEnum is enum.IntEnum
    assert (Code.CANCELLED == 1, Code(1) is Code.CANCELLED, f"{Code.OK:d}") == (True, True, "0")
    assert Rest(77) is Rest.OTHER
    with pytest.raises(ValueError, match="77 is not a valid"):
        Code(77)


@pytest.mark.behaviour("B162")
@pytest.mark.parametrize("odd", ["1", 77, 0.5, True, [], object()])
def test_a_number_that_is_no_member_has_no_text_instead(odd):
    """What is no member is left out, or counts as the one that stands for others."""
    assert member(Generation, odd) is None
    assert member(Code, odd) is None
    assert member(Rest, odd) is Rest.OTHER
    assert member(Code, 1) is Code.CANCELLED
    assert member(Code, Code.OK) is Code.OK
    assert member(Code, None) is None


@pytest.mark.parametrize(
    ("is_open", "value", "kept"),
    [(False, 10, 10), (False, 11, None), (False, "x", None), (True, 11, 11), (False, True, None)],
)
def test_exported_numbers_are_members(is_open, value, kept):
    """What leaves the process of a closed enumeration of numbers is one of them, or nothing."""
    rule = read_rule({"type": "int", "enum": "Stage", "members": [10, 20], "open": is_open})
    assert rule.apply(value) == kept
