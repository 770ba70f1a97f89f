"""Limits of what goes to other processes and of what is taken from them."""

from __future__ import annotations

import pytest

import telewright
from telewright import _guard
from telewright._scope import PROPAGATED, Scope
from tests.runtime.sample import kiln


@pytest.fixture
def note(monkeypatch, probe):
    """Have one more key carried, a text, and record spans."""
    monkeypatch.setitem(PROPAGATED, "kiln.note", str)
    probe.start("all")
    return probe


@pytest.mark.usefixtures("note")
@pytest.mark.parametrize(("length", "goes"), [(256, True), (257, False)])
def test_a_text_has_a_length_up_to_which_it_is_sent(length, goes):
    """What is longer stays here, and is counted; the rest of the scope goes along."""
    with Scope({"kiln.note": "x" * length, "kiln.round": 3}):
        sent = telewright.carrier()["baggage"]
    assert ("kiln.note=" + "x" * length in sent) is goes
    assert "kiln.round=3" in sent
    assert _guard.VALUES.get("too_long_to_carry", 0) == (0 if goes else 1)


@pytest.mark.parametrize(("length", "taken"), [(256, True), (257, False)])
def test_a_text_has_a_length_up_to_which_it_is_taken(note, length, taken):
    """What strangers write beyond it is dropped and counted."""
    baggage = f"kiln.note={'y' * length},kiln.round=3"
    with telewright.within({"baggage": baggage}), kiln.heat():
        pass
    found = note.span("kiln.heat").attributes
    assert found.get("kiln.note") == ("y" * length if taken else None)
    assert found["kiln.round"] == 3
    assert _guard.VALUES.get("too_long_to_carry", 0) == (0 if taken else 1)


@pytest.mark.parametrize(("length", "read"), [(8192, True), (8193, False)])
def test_a_header_has_a_length_up_to_which_it_is_read(note, length, read):
    """A whole header that is longer than the W3C has it says nothing."""
    said = "kiln.round=4,other="
    header = said + "z" * (length - len(said))
    with telewright.within({"baggage": header}), kiln.heat():
        pass
    assert note.span("kiln.heat").attributes == ({"kiln.round": 4} if read else {})
    assert not _guard.FAILURES


@pytest.mark.usefixtures("note")
def test_nothing_is_carried_where_nothing_is_open():
    """No header is there to say that nothing is."""
    assert telewright.carrier() == {}
    with Scope({"kiln.site": "south"}):
        assert telewright.carrier() == {}
    assert not _guard.FAILURES


def test_a_scope_that_arrives_joins_what_is_open(note):
    """Keys that the sender did not have stay; those that it has are the sender's."""
    arriving = {"baggage": "kiln.round=9"}
    with Scope({"kiln.site": "south", "kiln.round": 1}), telewright.within(arriving), kiln.heat():
        pass
    assert note.span("kiln.heat").attributes == {"kiln.site": "south", "kiln.round": 9}


def test_what_nobody_declares_is_passed_over_in_silence(note):
    """Baggage of others is theirs: it is not taken, not counted, and no failure."""
    with telewright.within({"baggage": "kiln.round=4,other=1,broken"}), kiln.heat():
        pass
    assert note.span("kiln.heat").attributes == {"kiln.round": 4}
    assert not _guard.FAILURES
    assert not _guard.VALUES
