"""What `start` comes to where nothing is said, and from each variable."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import pytest

from telewright._settings import Arguments, Batching, read
from telewright.base import Resource

SAID = {
    "TELEWRIGHT_GROUPS": ("groups", "all"),
    "TELEWRIGHT_PROCESS": ("process", "driver"),
    "TELEWRIGHT_SERVICE": ("service", "pottery"),
    "TELEWRIGHT_PATH": ("path", "x.jsonl"),
    "TELEWRIGHT_BOOKS": ("books", "/run/books"),
    "TELEWRIGHT_TRACES": ("traces", "false"),
    "TELEWRIGHT_METRICS": ("metrics", "off"),
    "TELEWRIGHT_LOGS": ("logs", "yes"),
    "TELEWRIGHT_CONTENT": ("content", "on"),
    "TELEWRIGHT_HASH_KEY": ("hash_key", "k"),
    "TELEWRIGHT_REDACTION": ("redaction", "Strict"),
    "TELEWRIGHT_EXCEPTION_TEXT": ("exception_text", "1"),
    "TELEWRIGHT_FAST": ("fast", "1"),
    "TELEWRIGHT_SELF_METRICS": ("self_metrics", "false"),
    "TELEWRIGHT_SIGTERM": ("sigterm", "true"),
    "TELEWRIGHT_PROPAGATE_TO": ("propagate_to", "a.example, *.b.example,"),
}
COMES_TO = {
    "traces": False,
    "metrics": False,
    "logs": True,
    "content": True,
    "hash_key": b"k",
    "redaction": "strict",
    "exception_text": True,
    "fast": True,
    "self_metrics": False,
    "sigterm": True,
    "propagate_to": ("a.example", "*.b.example"),
}


@pytest.fixture(autouse=True)
def differing(monkeypatch):
    """Leave nothing said in the environment; return what says what differs from that."""
    for name in os.environ:
        if name.startswith(("TELEWRIGHT_", "OTEL_")):
            monkeypatch.delenv(name)
    plain = dataclasses.asdict(read(Arguments(), "r"))
    return lambda found: {
        key: one for key, one in dataclasses.asdict(found).items() if one != plain[key]
    }


def test_where_nothing_is_said_the_documented_values_hold():
    """Everything is exported by OTLP over http but logs; nothing sensitive leaves."""
    found = dataclasses.asdict(read(Arguments(), "r"))
    quiet = ("process", "service", "path", "hash_key", "books")
    assert {name: found.pop(name) for name in quiet} == dict.fromkeys(quiet)
    assert found == {
        "groups": "default",
        "run_id": "r",
        "resource": (),
        **{f"{signal}_exporter": "otlp" for signal in ("traces", "metrics", "logs")},
        **{f"{signal}_protocol": "http/protobuf" for signal in ("traces", "metrics", "logs")},
        "prefix": "TELEWRIGHT",
        "traces": True,
        "metrics": True,
        "logs": False,
        "content": False,
        "redaction": "default",
        "exception_text": False,
        "fast": False,
        "self_metrics": True,
        "sigterm": False,
        "guard": False,
        "propagate_to": (),
        "batching": {"delay": 5.0, "queue": 8192, "size": 512},
        "interval": 60.0,
    }
    assert Batching() == Batching(delay=5.0, queue=8192, size=512)


@pytest.mark.parametrize("variable", SAID)
def test_a_variable_says_one_thing(differing, monkeypatch, variable):
    """And nothing else differs."""
    name, text = SAID[variable]
    monkeypatch.setenv(variable, text)
    assert differing(read(Arguments(), "r")) == {name: COMES_TO.get(name, text)}


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({"path": Path("y")}, {"path": "y"}),
        ({"hash_key": b"raw"}, {"hash_key": b"raw"}),
        ({"hash_key": b" r\n"}, {"hash_key": b" r\n"}),
        ({"hash_key": "k\n"}, {"hash_key": b"k"}),
        ({"hash_key": ""}, {}),
        ({"hash_key": b""}, {}),
        ({"process": " p "}, {"process": "p"}),
        ({"service": "\ts"}, {"service": "s"}),
        ({"service": " "}, {}),
        ({"path": " y "}, {"path": "y"}),
        ({"books": "/b\n"}, {"books": "/b"}),
        ({"exporter": " otlp "}, {}),
        ({"traces": "false"}, {"traces": False}),
        ({"logs": 1}, {}),
        ({"exporter": "File"}, dict.fromkeys(("traces", "metrics", "logs"), "file")),
        ({"resource": {"a": 1, "b": None}}, {"resource": (("a", 1),)}),
        ({"resource": Resource("x", {"a": 1, "b": None})}, {"resource": (("a", 1),)}),
        ({"resource": [{"a": 1}, [{"a": 2}, Resource("x", {"c": 3})]]},) * 2,
    ],
)
def test_an_argument_says_one_thing(differing, given, found):
    """A switch is on if it is True; later resources win; what is None was not given.

    White space around a text is as little of it as around that of a variable, and none is none.
    """
    expected = {f"{name}_exporter" if one == "file" else name: one for name, one in found.items()}
    if given is found:
        expected = {"resource": (("a", 2), ("c", 3))}
    assert differing(read(Arguments(**given), "r")) == expected


def test_a_queue_holds_a_batch(monkeypatch):
    """Whatever is said of the queue, one batch fits into it; times are in milliseconds."""
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "3")
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "7")
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "1")
    monkeypatch.setenv("OTEL_METRIC_EXPORT_INTERVAL", "1")
    found = read(Arguments(), "r")
    assert (found.batching, found.interval) == (Batching(delay=0.001, queue=7, size=7), 0.001)


@pytest.mark.parametrize(
    ("variable", "text", "said"),
    [
        ("TELEWRIGHT_REDACTION", "some", "TELEWRIGHT_REDACTION must be one of default, strict"),
        ("OTEL_TRACES_EXPORTER", "otlp,console", "OTEL_TRACES_EXPORTER must name one exporter"),
        ("OTEL_EXPORTER_OTLP_LOGS_PROTOCOL", "x", "OTEL_EXPORTER_OTLP_LOGS_PROTOCOL must be one"),
    ],
)
def test_what_cannot_be_names_its_variable(monkeypatch, variable, text, said):
    """A word that is none of those there are, or more of them than one."""
    monkeypatch.setenv(variable, text)
    with pytest.raises(ValueError, match=said):
        read(Arguments(), "r")


def test_each_signal_may_have_an_exporter_of_its_own(differing, monkeypatch):
    """OpenTelemetry's variables say which, where nobody asked for another."""
    monkeypatch.setenv("OTEL_METRICS_EXPORTER", " Console ")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_LOGS_PROTOCOL", "GRPC")
    found = {"metrics_exporter": "console", "logs_protocol": "grpc", "self_metrics": False}
    assert differing(read(Arguments(), "r")) == found
    other = read(Arguments(exporter="none"), "r")
    assert (other.traces_exporter, other.metrics_exporter) == ("none", "none")
