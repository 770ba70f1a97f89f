"""Enumerations of generated modules, and what becomes of a value that is no member."""

from __future__ import annotations

import enum
import pickle

import pytest

from telewright.base import OpenEnum, StrEnum, member
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
