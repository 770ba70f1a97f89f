"""Values: whatever is given, a plain value leaves, or none, and nothing raises."""

from __future__ import annotations

import enum
import math
import operator
import uuid
from concurrent.futures import Future

import pytest

import telewright
from telewright import _guard, _when_done
from telewright._scanning import EXCEPTION_TEXT
from telewright._values import LONGEST, MOST, Unfit, clean, clean_text, clean_value, identity
from tests.runtime.sample import kiln


class Colour(enum.Enum):
    """An enumeration of anything."""

    RED = "red"
    ODD = object()


class Level(enum.IntEnum):
    """An enumeration of numbers."""

    HIGH = 3


class Liar(str):
    """A text that lies about itself."""

    __slots__ = ()

    def __len__(self):
        raise RuntimeError

    def __eq__(self, other):
        raise RuntimeError

    def __hash__(self):
        raise RuntimeError

    def __str__(self):
        raise RuntimeError


@pytest.mark.behaviour("B132", "B167")
@pytest.mark.parametrize(
    ("value", "fit", "reason"),
    [
        ("text", "text", None),
        (True, True, None),
        (7, 7, None),
        (-0.0, -0.0, None),
        (None, None, "none"),
        (math.nan, None, "not_finite"),
        (-math.inf, None, "not_finite"),
        (2**63, None, "out_of_range"),
        (-(2**63), -(2**63), None),
        (-(2**63) - 1, None, "out_of_range"),
        pytest.param(10**5000, None, "out_of_range", id="huge"),
        pytest.param(Liar("x"), "x", None, id="liar"),
        (kiln.Stage.GLAZE, kiln.Stage.GLAZE, None),
        (Colour.RED, "red", None),
        (Colour.ODD, None, "unfit_type"),
        (Level.HIGH, 3, None),
        (b"bytes", "bytes", None),
        (b"\xff", None, "not_text"),
        (bytearray(b"x"), None, "unfit_type"),
        ("\ud800x", "?x", "surrogate"),
        ("a\x00b\u202e", "a\x00b\u202e", None),
        (object(), None, "unfit_type"),
        ({"a": 1}, None, "unfit_type"),
        ({1, 2}, None, "unfit_type"),
        (range(3), None, "unfit_type"),
        (ValueError("app"), None, "unfit_type"),
        ([], [], None),
        ((1, 2), [1, 2], None),
        ([1, "a", None, 2.0], [1.0, 2.0], "mixed_list"),
        (["a", kiln.Stage.COOL, 3], ["a", "cool"], "mixed_list"),
        ([True, 1], [True], "mixed_list"),
        ([[1], [2]], [], "unfit_type"),
        ([math.nan, 1.5], [1.5], "not_finite"),
    ],
)
def test_a_value_leaves_in_a_plain_form_or_not_at_all(value, fit, reason):
    """One bad item costs one item, and is counted by reason."""
    found = clean_value(value)
    assert type(found) is type(fit)
    assert found == fit
    assert (reason is None) == (not _guard.VALUES)
    assert reason is None or _guard.VALUES[reason] >= 1


@pytest.mark.behaviour("B132")
def test_numpy_scalars_are_numbers_and_numpy_is_not_imported():
    """Values of numpy have a plain form; the runtime finds it without the library."""
    numpy = pytest.importorskip("numpy")
    good = {
        "float32": (numpy.float32(0.5), 0.5),
        "int64": (numpy.int64(7), 7),
        "bool": (numpy.bool_(True), True),  # noqa: FBT003 - the value is the claim
        "str": (numpy.str_("x"), "x"),
        "0-d": (numpy.array(1.0), 1.0),
        "array": (numpy.arange(3), [0, 1, 2]),
    }
    for value, fit in good.values():
        found = clean_value(value)
        assert (type(found), found) == (type(fit), fit)
    bad = (
        numpy.float64("nan"),
        numpy.array([object()]),
        numpy.zeros((2, 2)),
        numpy.datetime64(1, "s"),
    )
    assert [clean_value(value) for value in bad][0::2] == [None, None]
    assert not _guard.FAILURES


def test_ids_of_every_kind_tell_things_apart():
    """What becomes a value has an identity: that of the value; so has a UUID."""
    numpy = pytest.importorskip("numpy")
    one = uuid.uuid4()
    same = [
        (numpy.int64(7), 7),
        (numpy.float32(0.5), 0.5),
        (numpy.bool_(True), True),  # noqa: FBT003 - the value is the claim
        (numpy.str_("x"), "x"),
        (numpy.bytes_(b"x"), b"x"),
        (numpy.array(3), 3),
        (numpy.arange(3), [0, 1, 2]),
        (("a", 1), ["a", 1]),
        (b"abc", "abc"),
        (Level.HIGH, 3),
        (Colour.RED, "red"),
        (one, str(one)),
        (uuid.UUID(one.hex), one),
    ]
    for left, right in same:
        assert identity(left) == identity(right)
    apart = [1, 2, b"\xff", b"\xfe", uuid.uuid4(), one, one.bytes, "x" * 100, b"x" * 101]
    assert len({identity(part) for part in apart}) == len(apart)


class Lying:
    """Says that it is numpy's, and raises whatever is asked."""

    __module__ = "numpy"

    def __getattr__(self, name):
        raise RuntimeError(name)


class Claiming:
    """Says that it is a text."""

    __class__ = str  # type: ignore[assignment] - what a proxy does


class Id(uuid.UUID):
    """A UUID whose text is somebody else's code."""

    def __str__(self):
        raise AssertionError("asked")


@pytest.mark.parametrize(
    "part",
    [object(), Lying(), Claiming(), Id(int=1), Colour.ODD, [object()], None, float("nan")],
    ids=lambda part: type(part).__name__,
)
def test_what_has_no_text_is_no_id(part):
    """It is refused in one way, whatever it is and does."""
    with pytest.raises(Unfit):
        identity(part)


@pytest.mark.parametrize("label", ["a", 1, 2.5, True, b"x", ("a", "b"), ["a"], "numpy"])
def test_every_kind_of_label_tells_it_apart_from_others(label):
    """Asked for twice with one that is exported, it counts once."""
    if label == "numpy":
        label = pytest.importorskip("numpy").int64(3)
    done: Future[int] = Future()
    recorded = []
    for _ in range(3):
        _when_done.when_done(
            "kiln.loose", done, lambda value, **_: recorded.append(value), 1, {"rank": label}
        )
    done.set_result(1)
    assert recorded == [1]


def test_attributes_that_are_fit_are_not_copied():
    """The common case costs one look at each value."""
    attributes = {"a": "x", "b": 1, "c": 1.5, "d": True}
    assert clean(attributes) is attributes
    assert clean({**attributes, "e": None}) == attributes


def test_long_texts_and_lists_are_cut():
    """The rest is gone, and counted."""
    assert len(clean_text("x" * (LONGEST + 5))) == LONGEST
    assert clean_value(list(range(MOST * 2))) == list(range(MOST))
    assert _guard.VALUES == {"truncated": 2}


def test_limits_of_opentelemetry_are_honoured(monkeypatch, receiver):
    """Who asks OpenTelemetry for shorter texts gets them."""
    monkeypatch.setenv("OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT", "4")
    telewright.start("kiln.firing")
    with kiln.fire(kiln.Stage.COOL, batch="abcdefgh", kind="k"):
        pass
    assert telewright.stop()
    (batch,) = [
        pair.value.string_value
        for pair in receiver.span("kiln.fire.cool").attributes
        if pair.key == "kiln.batch"
    ]
    assert batch == "abcd"


@pytest.mark.behaviour("B130", "B133")
@pytest.mark.parametrize("asked_for", [False, True])
def test_an_exception_without_a_text_is_still_recorded(probe, request, asked_for):
    """What cannot be said of an error is left out; the error leaves as it was."""

    class MuteError(Exception):
        def __str__(self):
            raise ZeroDivisionError

    EXCEPTION_TEXT[0] = asked_for
    request.addfinalizer(lambda: operator.setitem(EXCEPTION_TEXT, 0, False))  # noqa: FBT003 - as it was
    probe.start("kiln.firing")
    error = MuteError()
    with pytest.raises(MuteError) as caught, kiln.heat():
        raise error
    assert caught.value is error
    span = probe.span("kiln.heat")
    assert (span.status, span.description) == ("error", "MuteError")
    assert [event.name for event in span.events] == ["exception"]


@pytest.mark.behaviour("B135")
def test_a_failure_is_told_once_with_its_traceback(caplog):
    """The first of a kind is a warning, those after it are for debugging."""
    for _ in range(3):
        try:
            raise RuntimeError("boom")
        except RuntimeError:
            _guard.failed("bake")
    records = [record for record in caplog.records if "could not bake" in record.message]
    assert [record.levelname for record in records] == ["WARNING", "DEBUG", "DEBUG"]
    assert "in test_a_failure_is_told_once" in records[0].message
    assert records[0].message.endswith("RuntimeError: boom")
    assert "Traceback" not in records[1].message
    assert _guard.FAILURES == {"bake": 3}


def test_a_log_handler_that_fails_stays_in_telemetry():
    """A broken handler of the application costs the line."""
    import logging

    class Broken(logging.Handler):
        def emit(self, record):
            raise RuntimeError(record)

    logger = logging.getLogger("telewright")
    handler = Broken()
    logger.addHandler(handler)
    try:
        _guard.say("x")
    finally:
        logger.removeHandler(handler)
