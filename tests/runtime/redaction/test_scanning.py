"""How exports ask the scan: what of a value they get back, what is counted, what if it fails."""

from __future__ import annotations

import pytest

from telewright import _redact_stack, _scan, _scanning
from telewright._redact import DROPPED, redact
from telewright._redact_stack import description, exception_text, without_source
from telewright._scanning import EXCEPTION_TEXT, LEFT_OUT, PROFILE, scan_text, scan_value
from telewright._sensitive import MASK, POLICY
from tests.runtime.log import ours

_TOKEN = "gh" + "p_" + "Fake0" * 7
_SAID = "fake private words"
_LONG = "x " * 200


@pytest.fixture(autouse=True)
def _settings():
    """Put back what a test sets for the process."""
    kept = PROFILE[0], EXCEPTION_TEXT[0]
    yield
    PROFILE[0], EXCEPTION_TEXT[0] = kept


@pytest.fixture
def counted(monkeypatch):
    """Return what was counted as lost, in order."""
    found = []
    monkeypatch.setattr(_scanning, "lost", found.append)
    monkeypatch.setattr(_redact_stack, "lost", found.append)
    return found


@pytest.mark.parametrize("before", ["", _LONG], ids=["short", "long"])
def test_a_text_is_scanned_and_counted_once(counted, before):
    """What is changed counts as redacted, what is not is the very same object and does not."""
    assert scan_value("note", f"{before}see {_TOKEN}") == f"{before}see [redacted:github]"
    assert counted == ["redacted"]
    text = f"{before}see this"
    assert scan_value("note", text) is text
    assert counted == ["redacted"]


@pytest.mark.parametrize("before", ["", _LONG], ids=["short", "long"])
@pytest.mark.parametrize("switch", [True, False, 1, "true"])
def test_content_leaves_if_the_switch_is_exactly_true(monkeypatch, before, switch):
    """For texts that are kept between scans and for long ones alike."""
    monkeypatch.setattr(POLICY, "content", switch)
    found = scan_value("gen_ai.prompt", before + _SAID)
    assert (found == before + _SAID) is (switch is True)


@pytest.mark.parametrize("before", ["", _LONG], ids=["short", "long"])
@pytest.mark.parametrize("profile", ["default", "strict", "off"])
def test_the_profile_is_that_of_the_process(before, profile):
    """Strict knows more than the default, off nothing."""
    PROFILE[0] = profile
    found = scan_value("note", f"{before}/home/jfake/x {_TOKEN}")
    assert ("jfake" in found) is (profile != "strict")
    assert (_TOKEN in found) is (profile == "off")


@pytest.mark.parametrize("value", [True, 1.5, 7, MASK])
def test_what_is_no_text_passes(value, counted):
    """Numbers, booleans and masks are handed back as they are."""
    assert scan_value("password", value) is value
    assert counted == []


def test_what_cannot_be_scanned_does_not_leave(monkeypatch, caplog):
    """A value is left out; a text that must stand there says that it was."""

    def fail(*_, **__):
        raise RuntimeError

    monkeypatch.setattr(_scan, "scan", fail)
    assert scan_value("note", _LONG) is None
    assert scan_value("note", ["x"]) is None
    assert scan_text(_LONG) == LEFT_OUT
    assert redact("attribute", "note", "x") is DROPPED
    said = [one.getMessage() for one in ours(caplog)]
    assert 1 <= len(said) <= 3  # what is said of it is scanned, and fails in silence
    assert set(said) == {LEFT_OUT}


@pytest.mark.parametrize("where", ["attribute", "event", "metric_attr", "link"])
def test_undeclared_is_dropped_where_specs_decide(where):
    """Not so elsewhere: there whatever comes is scanned."""
    assert redact(where, "made.up", "x", declared=False) is DROPPED
    assert redact(where, "made.up", "x") == "x"
    assert redact("log", "made.up", "x", declared=False) == "x"
    assert redact("resource", "made.up", 5, declared=False) == 5
    assert redact(where, "made.up", "x", declared=False, profile="off") == "x"


def test_dropped():
    """It is false and says what it is; what no exporter can carry is dropped."""
    assert repr(DROPPED) == "DROPPED"
    assert bool(DROPPED) is False
    assert redact("attribute", "note", object()) is DROPPED
    assert redact("log", "body", {1, 2}) is DROPPED


def test_cards_as_numbers():
    """A number under a card's name goes if its check digit is right; the declared ones stay."""
    number = 4_111_111_111_111_111
    assert redact("log", "card.number", number, declared=False) == "[redacted:person]"
    for other in (4_111_111_111_111_112, 411, True, 4.5):
        assert redact("log", "card.number", other, declared=False) is other
    assert redact("log", "order.number", number, declared=False) is number


@pytest.mark.parametrize("asked", [True, False])
def test_texts_of_exceptions_leave_if_asked_for(counted, asked):
    """Scanned then; counted as left out otherwise."""
    EXCEPTION_TEXT[0] = asked
    found = exception_text(f"refused {_TOKEN}")
    assert found == ("refused [redacted:github]" if asked else None)
    assert counted == (["redacted"] if asked else ["exception_text"])
    assert exception_text(5) == ("5" if asked else None)
    assert exception_text(None) is None
    assert description(f"OSError: {_SAID}") == (f"OSError: {_SAID}" if asked else "OSError")
    assert description(f"rpc failed: {_SAID}") == f"rpc failed: {_SAID}"


def test_texts_of_exceptions_without_redaction(counted):
    """They leave as they are."""
    PROFILE[0] = "off"
    assert exception_text(_TOKEN) is _TOKEN
    assert description(f"OSError: {_TOKEN}") == f"OSError: {_TOKEN}"
    assert counted == []


def test_lines_of_source_go():
    """Those below a frame, blank ones too, up to what is no deeper; all else stays."""
    frames = 'F:\n  File "a.py", line 3, in f\n{}  File "b.py", line 4\n  said\n    deeper\n\nE'
    assert without_source(frames.format('    g("x")\n\n')) == frames.format("")
    assert without_source("one\n  two\n\nthree, line 4") == "one\n  two\n\nthree, line 4"
