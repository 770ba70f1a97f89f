"""Enumerations of generated modules, and what becomes of a value that is no member."""

from __future__ import annotations

import copy
import enum
import inspect
import pickle

import pytest

from telewright._declared import read_rule
from telewright.base import IntEnum, OpenEnum, OpenIntEnum, StrEnum, member
from tests.runtime.sample.kiln import FaultCode, Stage


def test_enumerations_are_the_standard_ones():
    """Other libraries see `enum.Enum`: validation, command lines, `isinstance`, pickling."""
    assert issubclass(StrEnum, enum.StrEnum)
    assert isinstance(Stage, enum.EnumType)
    assert isinstance(Stage.GLAZE, enum.StrEnum)
    assert pickle.loads(pickle.dumps(Stage.GLAZE)) is Stage.GLAZE  # noqa: S301 - made here
    assert (Stage.GLAZE == "glaze", {Stage.GLAZE: 1}["glaze"]) == (True, 1)


class Texts(StrEnum):
    """Texts, made at once."""

    ONE = "one"
    A_B = "a.b"
    EMPTY = ""


class StandardTexts(enum.StrEnum):
    """Texts, made at once."""

    ONE = "one"
    A_B = "a.b"
    EMPTY = ""


class Numbers(IntEnum):
    """Numbers, made at once."""

    ZERO = 0
    LESS = -1
    MORE = 2**70


class StandardNumbers(enum.IntEnum):
    """Numbers, made at once."""

    ZERO = 0
    LESS = -1
    MORE = 2**70


PAIRS = pytest.mark.parametrize(
    ("ours", "standard"), [(Texts, StandardTexts), (Numbers, StandardNumbers)]
)


def inside(value, kind):
    """Return what *value* is, in words in which the class that it belongs to has no name."""
    if isinstance(value, dict):
        return {inside(key, kind): inside(one, kind) for key, one in value.items()}
    if isinstance(value, list):
        return [inside(one, kind) for one in value]
    if isinstance(value, staticmethod):
        return inside(value.__func__, kind)
    if value is kind:
        return "the class"
    if isinstance(value, enum.Enum):
        return ("member", value.name, value.value, inside(vars(value), kind))
    return value


@PAIRS
def test_a_plain_class_has_in_it_what_the_standard_one_has(ours, standard):
    """Every attribute that `enum` writes, of the class and of each member, in the same order."""
    told = {"__module__", "__qualname__", "__firstlineno__", "__static_attributes__"}
    wanted = {key: inside(vars(standard)[key], standard) for key in vars(standard)}
    found = {key: inside(vars(ours)[key], ours) for key in wanted if key in vars(ours)}
    assert {key: one for key, one in found.items() if key not in told} == {
        key: one for key, one in wanted.items() if key not in told
    }
    assert type(ours.ONE if ours is Texts else ours.ZERO) is ours


@PAIRS
def test_a_plain_class_does_what_the_standard_one_does(ours, standard):
    """Order, lookup, text, hash, copies, and what is refused."""
    for one, other in zip(ours, standard, strict=True):
        assert (one, hash(one), str(one), f"{one}") == (other, hash(other), str(other), f"{other}")
        assert repr(one).replace(ours.__name__, standard.__name__) == repr(other)
        assert ours(one.value) is ours[one.name] is getattr(ours, one.name) is one
        assert copy.deepcopy(one) is copy.copy(one) is one
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            assert pickle.loads(pickle.dumps(one, protocol)) is one  # noqa: S301 - made here
        assert one in ours
    assert (list(ours.__members__), len(ours)) == (list(standard.__members__), len(standard))
    assert dir(ours) == dir(standard)
    assert inspect.signature(ours) == inspect.signature(standard)
    with pytest.raises(ValueError, match="'odd' is not a valid"):
        ours("odd")
    with pytest.raises(AttributeError):
        ours.ODD  # noqa: B018 - what it raises is the claim
    with pytest.raises(AttributeError):
        next(iter(ours)).name = "other"
    with pytest.raises(AttributeError, match="cannot reassign member"):
        setattr(ours, next(iter(ours.__members__)), "other")
    with pytest.raises(TypeError, match="cannot extend"):
        type(ours)("More", (ours,), {"MORE": next(iter(ours)).value})


@pytest.mark.parametrize(
    "body",
    [
        {"ONE": "one", "UNE": "one"},
        {"ONE": "one", "two": "two"},
        {"ONE": enum.auto(), "TWO": enum.auto()},
        {"ONE": "one", "_ignore_": ["TWO"], "TWO": "two"},
        {"ONE": "one", "shout": str.upper},
        {"ONE": ("one",)},
        {"ONE": "one", "_hidden": "h"},
        {"ONE": "one", "mro": "m"},
        {"ONE": 1},
    ],
    ids=str,
)
def test_what_is_not_plain_is_made_by_the_standard(body):
    """Aliases, small letters, `auto`, methods, and what is refused: one oddity is enough."""
    made = []
    for kind in (StrEnum, enum.StrEnum):
        space = type(kind).__prepare__("Made", (kind,))
        try:
            for key, value in {"__module__": __name__, **body}.items():
                space[key] = value
            told = type(kind)("Made", (kind,), space)
        except (TypeError, ValueError) as refused:
            made.append((type(refused), str(refused)))
        else:
            members = {name: (one.name, one.value) for name, one in told.__members__.items()}
            made.append((members, list(map(str, told)), sorted(dir(told))))
    assert made[0] == made[1]


def test_calls_and_true_are_not_plain_either():
    """`enum` makes a class for whoever calls it, and takes a truth value for a number."""
    assert [one.value for one in StrEnum("Made", ["A", "B"])] == ["a", "b"]
    assert [one.value for one in StrEnum("Plain", {"A": "x"})] == ["x"]

    class Odd(IntEnum):
        ONE = 1
        TRUE = True

    assert Odd.TRUE is Odd.ONE


def test_an_enum_that_has_more_to_it_is_left_to_the_standard(monkeypatch):
    """A later Python keeps lists that this package does not know; `enum` alone fills them."""
    made = []
    real = enum.EnumType.__new__

    def watched(*arguments, **keywords):
        made.append(arguments[1])
        return real(*arguments, **keywords)

    monkeypatch.setattr(enum.EnumType, "__new__", watched)

    class Now(StrEnum):
        """A base as it is."""

    class Later(StrEnum):
        """A base as it may be."""

    type.__setattr__(Later, "_later_", [])

    class Atonce(Now):
        ONE = "one"

    class Slowly(Later):
        ONE = "one"

    assert (made, Atonce("one"), Slowly("one")) == (["Slowly"], Atonce.ONE, Slowly.ONE)


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
    assert issubclass(IntEnum, enum.IntEnum)
    assert isinstance(Code.OK, enum.IntEnum)
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
