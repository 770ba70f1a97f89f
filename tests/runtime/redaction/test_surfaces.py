"""What leaves a process, surface by surface: read from the file that telemetry went to."""

from __future__ import annotations

import itertools
import json
import logging

import pytest
from opentelemetry import trace

import telewright
from telewright import _guard
from telewright._redact_stack import description, without_source
from telewright._start import STATE
from tests.runtime.sample import kiln
from tests.runtime.written import read

_TOKEN = "gh" + "p_" + "Fake0" * 7
_SAID = "fake private words"


@pytest.fixture
def file(tmp_path):
    """Return the file that telemetry goes to."""
    return tmp_path / "out.jsonl"


def _spans(file):
    """Return the spans in a file, by name."""
    return {span["name"]: {**span, "attributes": _attributes(span)} for span in read(file, "spans")}


def _attributes(item):
    return {pair["key"]: _value(pair["value"]) for pair in item.get("attributes", ())}


def _value(value):
    (one,) = value.values()
    return [_value(each) for each in one["values"]] if isinstance(one, dict) else one


def _start(file, **arguments):
    return telewright.start("all", exporter="file", path=file, metrics=False, **arguments)


def _fail(error):
    raise error


@pytest.mark.parametrize("text", [None, "1"])
def test_exceptions(file, monkeypatch, text):
    """A type leaves; message and stack only if asked for, scanned and without source lines."""
    if text:
        monkeypatch.setenv("TELEWRIGHT_EXCEPTION_TEXT", text)
    with _start(file):
        with pytest.raises(OSError, match="refused"), kiln.heat():
            _fail(OSError(f"refused {_TOKEN}"))
        tracer = trace.get_tracer("app")
        with pytest.raises(OSError, match="gone"), tracer.start_as_current_span("raw"):
            _fail(OSError(f"gone with {_TOKEN}"))
    for name in ("kiln.heat", "raw"):
        span = _spans(file)[name]
        (event,) = span["events"]
        found = _attributes(event)
        assert found["exception.type"] == "OSError"
        if text is None:
            assert "exception.message" not in found
            assert "exception.stacktrace" not in found
            assert span["status"]["message"] == "OSError"
        else:
            assert found["exception.message"].endswith(" [redacted:github]")
            assert "in _fail\n" in found["exception.stacktrace"]
            assert "raise error" not in found["exception.stacktrace"]
            assert span["status"]["message"].startswith("OSError: ")
    assert _TOKEN not in file.read_text()


def test_texts_of_a_span(file):
    """Names, status texts, events, links and scopes of foreign spans are scanned."""
    with _start(file):
        tracer = trace.get_tracer("app", attributes={"note": _TOKEN})
        link = trace.Link(trace.SpanContext(5, 5, is_remote=True), {"of": _TOKEN})
        with tracer.start_as_current_span(f"GET /{_TOKEN}", links=[link]) as span:
            span.set_status(trace.Status(trace.StatusCode.ERROR, f"denied {_TOKEN}"))
            span.add_event(f"saw {_TOKEN}", {"of": [f"x {_TOKEN}", "y"]})
    (span,) = _spans(file).values()
    marked = "[redacted:github]"
    assert span["name"] == f"GET /{marked}"
    assert span["status"]["message"] == f"denied {marked}"
    assert span["events"][0]["name"] == f"saw {marked}"
    assert _attributes(span["events"][0]) == {"of": [f"x {marked}", "y"]}
    assert _attributes(span["links"][0]) == {"of": marked}
    assert _attributes(span["scope"]) == {"note": marked}


def _odd_places():
    """Put the token wherever a public call takes a text that is no value of an attribute."""
    state = trace.TraceState([("app", _TOKEN), ("other", "t61rcWkgMzE")])
    sampled = trace.TraceFlags(trace.TraceFlags.SAMPLED)
    context = trace.SpanContext(5, 5, is_remote=True, trace_flags=sampled, trace_state=state)
    tracer = trace.get_tracer(
        f"app.{_TOKEN}", _TOKEN, schema_url=f"https://h/{_TOKEN}", attributes={_TOKEN: "x"}
    )
    above = trace.set_span_in_context(trace.NonRecordingSpan(context))
    with tracer.start_as_current_span("odd", context=above) as span:
        span.update_name(f"renamed {_TOKEN}")
        span.set_attribute(f"http.request.header.{_TOKEN}", "x")
        span.add_event("seen", {_TOKEN: 1})
        span.add_link(context, {_TOKEN: 1})
        span.record_exception(KeyError("x"), attributes={_TOKEN: _TOKEN})
    meter = STATE.pipeline.meter_provider.get_meter(
        f"app.{_TOKEN}", schema_url=f"https://h/{_TOKEN}", attributes={_TOKEN: "x"}
    )
    meter.create_counter("odd", unit=_TOKEN, description=_TOKEN).add(1, {_TOKEN: "x"})
    logging.getLogger(f"app.{_TOKEN}").warning("odd", extra={_TOKEN: {_TOKEN: [[_TOKEN, "x"]]}})
    with kiln.heat():
        ours = trace.get_current_span()
        ours.update_name(_TOKEN)
        ours.add_event(_TOKEN, {_TOKEN: 1})
        ours.add_link(context, {_TOKEN: 1})


@pytest.mark.parametrize(("profile", "least"), [("default", 0), ("off", 20)])
def test_keys_names_and_units(file, monkeypatch, profile, least):
    """Keys, names of scopes, versions, units and trace state are scanned like values."""
    monkeypatch.setenv("TELEWRIGHT_REDACTION", profile)
    arguments = {"exporter": "file", "path": file, "logs": True, "resource": {_TOKEN: "x"}}
    with telewright.start("all", **arguments):
        _odd_places()
    found = file.read_text().count(_TOKEN)
    assert found == 0 if not least else found >= least
    assert "t61rcWkgMzE" in file.read_text()


_SWITCHES = [False, True, None, 1, "true", "yes", 0]
_VARIABLES = [None, "1", "0"]


@pytest.mark.parametrize(("switch", "variable"), list(itertools.product(_SWITCHES, _VARIABLES)))
def test_content_leaves_by_one_switch(file, monkeypatch, switch, variable):
    """Only exactly true, or the variable, lets content out; a secret in it stays in either way."""
    if variable:
        monkeypatch.setenv("TELEWRIGHT_CONTENT", variable)
    text = f"{_SAID} with {_TOKEN}"
    with _start(file, content=switch):
        with kiln.letter(text=text, address="12 Fake Street"):
            trace.get_current_span().set_attribute("kiln.note", "open")
        with kiln.write():
            trace.get_current_span().set_attribute("kiln.text", text)
        with trace.get_tracer("app").start_as_current_span("foreign") as span:
            span.set_attribute("kiln.text", text)
            span.set_attribute("gen_ai.input.messages", json.dumps([{"content": text}]))
    told = switch is True if variable is None else variable == "1"
    spans = _spans(file)
    fit = f"{_SAID} with [redacted:github]"
    for name in ("kiln.letter", "kiln.write", "foreign"):
        assert spans[name]["attributes"].get("kiln.text") == (fit if told else None)
    messages = spans["foreign"]["attributes"]["gen_ai.input.messages"]
    assert (_SAID in messages) is told
    assert spans["kiln.letter"]["attributes"]["kiln.address"] == "12 Fa"
    assert _TOKEN not in file.read_text()


def test_undeclared_and_declared_numbers(file):
    """Keys that our specs do not declare are dropped; declared numbers and members stay."""
    with _start(file):
        with kiln.write() as span:
            span.set(lines=4_111_111_111_111_111)
            trace.get_current_span().set_attribute("made.up", 1)
            trace.get_current_span().set_attribute("kiln.stage", "glaze")
        with trace.get_tracer("app").start_as_current_span("foreign") as other:
            other.set_attribute("card.number", 4_111_111_111_111_111)
            other.set_attribute("made.up", 1)
    spans = _spans(file)
    assert spans["kiln.write"]["attributes"] == {
        "kiln.lines": "4111111111111111",
        "kiln.stage": "glaze",
    }
    foreign = spans["foreign"]["attributes"]
    assert foreign == {"card.number": "[redacted:person]", "made.up": "1"}
    assert telewright.stats().values["undeclared"] == 1


@pytest.mark.parametrize(("profile", "left"), [("default", True), ("strict", False)])
def test_strict(file, monkeypatch, profile, left):
    """What points to a person stays in under the strict profile."""
    monkeypatch.setenv("TELEWRIGHT_REDACTION", profile)
    with _start(file), kiln.pot(potter="/home/jfake/run"):
        pass
    assert ("jfake" in file.read_text()) is left


def test_an_unknown_profile_is_a_mistake(file, monkeypatch):
    """It is named, with those there are; telemetry stays off."""
    monkeypatch.setenv("TELEWRIGHT_REDACTION", "loose")
    with pytest.raises(
        ValueError, match="TELEWRIGHT_REDACTION must be one of default, strict, off"
    ):
        _start(file, strict=True)


def test_without_redaction_somebody_is_told(file, monkeypatch, caplog):
    """Switching it off is for tests; a warning says what it means."""
    monkeypatch.setenv("TELEWRIGHT_REDACTION", "off")
    with _start(file), kiln.pot(potter=_TOKEN):
        pass
    assert _TOKEN in file.read_text()
    assert "redaction is off" in caplog.text


def test_our_own_messages(caplog):
    """What we log is scanned, and shows of a failure where it was, without source lines."""
    try:
        _fail(ValueError(f"no {_TOKEN}"))
    except ValueError:
        _guard.failed("try")
    _guard.say(f"could not reach https://u:{_TOKEN}@h/x")
    assert _TOKEN not in caplog.text
    assert "in _fail" in caplog.text
    assert "raise error" not in caplog.text
    assert "https://[redacted:userinfo]@h/x" in caplog.text


def test_outgoing_baggage(file):
    """A scope's text is scanned before it goes along with a request."""
    telewright.base.propagated("kiln.note", str)
    with _start(file), kiln.site("here", note=f"use {_TOKEN}"), kiln.heat():
        baggage = telewright.carrier()["baggage"]
    assert _TOKEN not in baggage
    assert "redacted" in baggage


def test_log_records(file):
    """Bodies, extras and what is nested in them are scanned."""
    log = logging.getLogger("app")
    with _start(file, logs=True):
        log.warning("using %s", _TOKEN, extra={"api_key": "abc", "deep": {"password": "x y"}})
        log.warning({"msg": "hi", "password": "x y"})
    text = file.read_text()
    assert _TOKEN not in text
    assert "x y" not in text
    assert "abc" not in text
    assert "hi" in text


def test_log_records_that_hold_themselves(file):
    """A body that holds itself many times over costs no more than any large one."""
    body = {"note": "hi", 5: object()}
    body.update({f"k{number}": body for number in range(8)})
    with _start(file, logs=True):
        logging.getLogger("app").warning(body)
    assert telewright.stats().logs.exported >= 1
    assert len(file.read_text()) < 1_000_000


_STACK = """Traceback (most recent call last):
  File "a.py", line 3, in f
    g("x")
    ^^^^
KeyError: 1"""
_GROUP = """  | Traceback (most recent call last):
  |   File "a.py", line 3, in f
  |     g("x")
  | ExceptionGroup: several (1 sub-exception)
  +-+---------------- 1 ----------------"""
_SYNTAX = """  File "a.py", line 3
    x = "y
        ^
SyntaxError: unterminated
note: z"""


@pytest.mark.parametrize(
    ("text", "gone"),
    [("plain", ()), (_STACK, (2, 3)), (_GROUP, (2,)), (_SYNTAX, (1, 2))],
    ids=["plain", "stack", "group", "syntax"],
)
def test_without_source(text, gone):
    """Lines of source code go, with what marks places in them; everything else stays."""
    left = [line for number, line in enumerate(text.split("\n")) if number not in gone]
    assert without_source(text).split("\n") == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("ValueError: no luck", "ValueError"),
        ("a.b.CustomError: x", "a.b.CustomError"),
        ("deadline exceeded", "deadline exceeded"),
        ("rpc failed: code 14", "rpc failed: code 14"),
        (f"got {_TOKEN}", "got [redacted:github]"),
    ],
)
def test_description(text, left):
    """A status that quotes an exception shows its type; any other is scanned."""
    assert description(text) == left
