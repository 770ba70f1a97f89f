"""What may leave the process: what the specs declare, in the form they say, whoever set it."""

from __future__ import annotations

import hashlib
import hmac

import pytest
from opentelemetry import trace

import telewright
from telewright import _guard
from telewright.base import Gauge, Span
from telewright.testing import captured
from tests.runtime.receiver import values
from tests.runtime.sample import depot, groups, kiln


def hashed(value, key=b"k"):
    """Return what a personal value becomes."""
    return hmac.digest(key, value.encode(), hashlib.sha256).hex()[:16]


def letter(receiver, **options):
    """Send one letter, sensitive in every part, and return what arrived of it."""
    with telewright.start("kiln.pot", metrics=False, **options):
        with kiln.letter(author="ann", text="dear", stamp="blue", address="12 High Street"):
            pass
        raw = {
            "kiln.author": "bob",
            "kiln.text": "raw",
            "kiln.stamp": "red",
            "kiln.address": "9" * 9,
        }
        with Span(groups.POT, "kiln.raw", raw):
            pass
    return (
        values(receiver.span("kiln.letter").attributes),
        values(receiver.span("kiln.raw").attributes),
    )


@pytest.mark.behaviour("B168")
def test_what_is_sensitive_stays_unless_told(receiver):
    """Content and personal values are dropped; masked and cut ones go as declared."""
    by_helper, by_hand = letter(receiver)
    assert by_helper == {"kiln.stamp": "[masked]", "kiln.address": "12 Hi"}
    assert by_hand == {"kiln.stamp": "[masked]", "kiln.address": "99999"}
    books = telewright.stats()
    assert books.values["content"] == books.values["personal"] == books.values["masked"] == 2
    assert books.redacted == 6
    assert (books.made, books.exported, books.dropped) == (2, 2, {})


def test_content_goes_with_one_switch_and_personal_values_with_a_key(receiver):
    """The same person is the same hash in every process with that key, hashed once."""
    by_helper, by_hand = letter(receiver, content=True, hash_key="k")
    assert by_helper["kiln.text"] == "dear"
    assert by_helper["kiln.author"] == hashed("ann")
    assert by_hand["kiln.text"] == "raw"
    assert by_hand["kiln.author"] == hashed("bob")


@pytest.mark.parametrize("switch", [1, "yes", "true", object()])
def test_only_true_is_the_switch(receiver, switch):
    """What merely looks true sends no prompt anywhere."""
    by_helper, by_hand = letter(receiver, content=switch)
    assert "kiln.text" not in by_helper
    assert "kiln.text" not in by_hand


def test_a_key_that_nobody_declares_does_not_leave(receiver, caplog):
    """Dropped, counted, and told once with the line that would declare it."""
    with telewright.start("kiln.firing", metrics=False):
        for _ in range(2):
            with Span(groups.FIRING, "kiln.x", {"kiln.batch": "b", "secret": "s"}) as span:
                span._set("late", 1)
                span._event("happened", {"kiln.kind": "k", "other": "o"})
    for span in receiver.spans:
        assert values(span.attributes) == {"kiln.batch": "b"}
        assert values(span.events[0].attributes) == {"kiln.kind": "k"}
    assert telewright.stats().values["undeclared"] == 6
    lines = [record.message for record in caplog.records if "does not declare" in record.message]
    assert len(lines) == 3
    assert "kiln does not declare 'secret'" in lines[0]
    assert "{id: secret, type: string" in lines[0]


def test_families_of_keys_are_declared_together(receiver):
    """A template declares every key below it."""
    given = {"kiln.header.accept": "a", "kiln.headers": "b"}
    with telewright.start("kiln.firing", metrics=False), Span(groups.FIRING, "kiln.x", given):
        pass
    assert values(receiver.span("kiln.x").attributes) == {"kiln.header.accept": "a"}


def test_scopes_of_another_registry_may_be_on_a_span(receiver):
    """What the specs put on every span inside is declared everywhere."""
    from telewright.rl import training

    with telewright.start("kiln.firing", metrics=False), training.iteration(7), kiln.heat():
        pass
    assert values(receiver.span("kiln.heat").attributes) == {"rl.iteration": 7}


@pytest.mark.behaviour("B162")
def test_what_is_no_member_of_a_closed_enumeration_is_other(receiver):
    """On spans too, where a text could say anything."""
    with telewright.start("kiln.pot", metrics=False), kiln.pot(potter="ann") as pot:
        pot.set(outcome="free text")
    assert values(receiver.span("kiln.pot").attributes)["kiln.pot.outcome"] == "_OTHER"


def test_spans_of_others_keep_their_keys_and_lose_what_is_sensitive(receiver):
    """Another library may say what it likes, but not what the specs call content or personal."""
    with telewright.start("kiln.firing", metrics=False):
        theirs = {"http.route": "/run", "kiln.text": "raw", "kiln.author": "bob"}
        trace.get_tracer("theirs").start_span("theirs", attributes=theirs).end()
    assert values(receiver.span("theirs").attributes) == {"http.route": "/run"}


@pytest.mark.behaviour("B165")
def test_metric_attributes_pass_the_same_guard(receiver):
    """Undeclared keys, and those that never belong on metrics, make no series."""

    class Loose(Gauge):
        __slots__ = ()

    gauge = Loose(groups.REGISTRY, "kiln.loose", unit="1", brief="x")
    try:
        with telewright.start("default"):
            gauge._record(1.0, {"kiln.stage": "glaze", "kiln.batch": "b", "free": "text"})
    finally:
        groups.REGISTRY.instruments.remove(gauge)
    points = [
        point
        for metric in receiver.metrics[0].resource_metrics[0].scope_metrics[0].metrics
        if metric.name == "kiln.loose"
        for point in metric.gauge.data_points
    ]
    assert [values(point.attributes) for point in points] == [{"kiln.stage": "glaze"}]


def test_a_registry_without_data_is_not_judged_by_keys(receiver, caplog):
    """Without its data beside it nothing can be called undeclared; that is told once."""
    with telewright.start("depot.firing", metrics=False):
        for _ in range(2):
            with depot.store() as span:
                span._set("free", 1)
    assert values(receiver.spans[0].attributes) == {"free": 1}
    assert caplog.text.count("telewright.depot: no _registry.json was found") == 1


def test_a_span_that_cannot_be_judged_does_not_leave(receiver, monkeypatch):
    """A guard that fails drops the span, counts it, and lets the others go."""
    from telewright import _start

    telewright.start("kiln.firing", metrics=False)
    guard = _start.STATE.pipeline._guard
    judge = guard.attributes

    def broken(attributes, scope, **options):
        if "kiln.batch" in attributes:
            raise RuntimeError
        return judge(attributes, scope, **options)

    monkeypatch.setattr(guard, "attributes", broken)
    with kiln.fire(kiln.Stage.COOL, batch="b", kind="k"), kiln.heat():
        pass
    telewright.stop()
    assert [span.name for span in receiver.spans] == ["kiln.heat"]
    books = telewright.stats()
    assert (books.made, books.exported, books.dropped) == (2, 1, {"unjudged": 1})


@pytest.mark.behaviour("B168")
def test_the_resource_passes_too(receiver):
    """What the specs call personal is not in the resource either."""
    given = {"kiln.author": "ann", "kiln.text": "prompt", "team": "b"}
    with telewright.start("kiln.firing", metrics=False, resource=given), kiln.heat():
        pass
    assert not {"kiln.author", "kiln.text"} & set(receiver.resource)
    assert receiver.resource["team"] == "b"


def test_what_is_captured_in_a_test_is_what_would_leave():
    """The backend for tests judges as the export does."""
    with captured(hash_key=b"k") as telemetry:
        with kiln.letter(author="ann", text="dear", stamp="blue", address="12 High Street"):
            pass
        with Span(groups.FIRING, "kiln.x", {"secret": "s", "kiln.batch": "b"}):
            pass
    assert telemetry.span("kiln.letter").attributes == {
        "kiln.author": hashed("ann"),
        "kiln.stamp": "[masked]",
        "kiln.address": "12 Hi",
    }
    assert telemetry.span("kiln.x").attributes == {"kiln.batch": "b"}
    assert _guard.VALUES["undeclared"] == 1
