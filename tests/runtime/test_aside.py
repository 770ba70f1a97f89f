"""Calls of what may hang: how many there may be, and what becomes of their answers."""

from __future__ import annotations

import threading

import pytest

from telewright import _aside
from telewright._aside import Late, begin


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """Have room for four calls."""
    monkeypatch.setattr(_aside, "_PENDING", {})
    monkeypatch.setattr(_aside, "_MOST", 4)


@pytest.fixture
def gate():
    """Return what calls wait for, and let them end after the test."""
    made = threading.Event()
    yield made
    made.set()


def late(key, gate):
    """Begin a call that is not waited for, and return it."""
    call = begin(key, lambda: gate.wait(30) and key)
    with pytest.raises(Late):
        call.result(0.0)
    return call


def test_answers_that_nobody_asks_for_make_room(gate):
    """However many names come and go, each answered late: the next is looked up."""
    for number in range(20):
        its = threading.Event()
        call = late(number, its)
        its.set()
        call._thread.join(30)
    assert begin("next", lambda: 7).result(30) == 7
    assert len(_aside._PENDING) <= 4
    del gate


def test_a_late_answer_is_had_once(gate):
    """By whoever asks for it again; after that it is asked for anew."""
    call = late("name", gate)
    gate.set()
    call._thread.join(30)
    assert begin("name", lambda: "another") is call
    assert call.result(0.0) == "name"
    assert begin("name", lambda: "another").result(30) == "another"


def test_what_hangs_keeps_its_place(gate):
    """So that there are never more threads than that; what had to give way is taken no more."""
    calls = [late(number, gate) for number in range(4)]
    with pytest.raises(Late):
        begin("next", int)
    gate.set()
    for call in calls:
        call._thread.join(30)
    assert begin("next", int).result(30) == 0
    again = begin(0, lambda: "again")
    assert again is not calls[0]
    assert calls[0].result(0.0) == 0
    assert begin(0, int) is again
    assert again.result(30) == "again"
