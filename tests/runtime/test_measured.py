"""Spans that end with an outcome, and whose duration is a metric."""

from __future__ import annotations

import asyncio
import time

import pytest

from telewright import _guard
from telewright._scanning import EXCEPTION_TEXT
from tests.runtime.sample import kiln
from tests.runtime.sample.kiln import FaultCode, Outcome, PotOutcome, Stage


def fire(**more):
    """Open the span that most tests look at."""
    return kiln.fire(Stage.GLAZE, batch="b1", kind="gas", **more)


@pytest.mark.behaviour("B166")
def test_a_span_has_its_name_its_attributes_and_its_outcome(probe):
    """What was not given is left out; the outcome takes care of itself."""
    probe.start("kiln.firing")
    with fire(shelf="top") as firing:
        assert firing.on
        firing.set(shelves=7)
    span = probe.span("kiln.fire.glaze")
    assert span.attributes == {
        "kiln.batch": "b1",
        "kiln.kind": "gas",
        "kiln.shelf": "top",
        "kiln.shelves": 7,
        "kiln.outcome": "ok",
    }
    assert (span.scope, span.status, span.kind) == ("telewright.kiln", "unset", "internal")
    with kiln.fire(Stage.COOL, batch="b1", kind="gas"):
        pass
    assert sorted(probe.span("kiln.fire.cool").attributes) == [
        "kiln.batch",
        "kiln.kind",
        "kiln.outcome",
    ]


def test_a_sampler_sees_what_the_span_opens_with(sdk_probe):
    """Attributes go in at the start, so that a sampler can decide by them."""
    seen = {}

    class Sampler:
        def should_sample(self, *arguments, **named):
            seen.update(arguments[4] or {})
            return real.should_sample(*arguments, **named)

    sdk_probe.start("kiln.firing")
    tracer = kiln.GATE.tracer
    real, tracer.sampler = tracer.sampler, Sampler()
    with fire():
        pass
    assert seen == {"kiln.batch": "b1", "kiln.kind": "gas"}


def test_children_nest(probe):
    """A span opened inside another is its child, in the same trace."""
    probe.start("kiln.firing")
    with fire():
        with kiln.heat():
            pass
        with kiln.write() as span:
            span.set(lines=2)
    parent = probe.span("kiln.fire.glaze")
    assert [probe.span(name).parent_id for name in ("kiln.heat", "kiln.write")] == [
        parent.span_id
    ] * 2
    assert len({span.trace_id for span in probe.spans}) == 1
    assert probe.span("kiln.write").attributes == {"kiln.lines": 2}


@pytest.mark.behaviour("B049")
def test_the_duration_is_recorded_while_the_group_is_off(probe):
    """A metric that depends on no span group is recorded with every group off."""
    probe.start("default")
    with fire() as firing:
        assert not firing.on
        firing.set(shelves=3, outcome=Outcome.ERROR)
    assert probe.counts("kiln.firing_ms") == {("glaze", "error"): 1}
    assert not probe.spans


@pytest.mark.behaviour("B180")
def test_the_boundaries_are_the_declared_ones(sdk_probe):
    """Declared instruments keep their buckets."""
    sdk_probe.start("default")
    with fire():
        pass
    (point,) = sdk_probe._data_points("kiln.firing_ms")
    assert point.explicit_bounds == (1, 10, 100)


@pytest.mark.behaviour("B051")
def test_spans_are_recorded_while_metrics_are_off(probe):
    """With metrics off and traces on, spans are emitted and no instrument is made."""
    probe.start("kiln.firing", metrics=False)
    with fire():
        kiln.faults.add(code=FaultCode.TIMEOUT)
    assert probe.span("kiln.fire.glaze")
    assert not probe.points("kiln.faults_total")


@pytest.mark.behaviour("B044")
def test_a_process_with_metrics_alone_does_no_span_work(probe):
    """The group is chosen, but no traces export: nothing is opened, the duration is there."""
    probe.start("kiln.firing", traces=False)
    assert not kiln.GATE.on
    assert kiln.GATE.timed
    with fire() as firing, kiln.write() as write, kiln.heat() as heat:
        assert [firing.on, write.live, heat.live] == [False] * 3
    assert not probe.spans
    assert probe.counts("kiln.firing_ms") == {("glaze", "ok"): 1}


def test_neither_is_off(probe):
    """With nothing to export a chosen group stays shut."""
    probe.start("kiln.firing", traces=False, metrics=False)
    with fire() as firing:
        assert not firing.live


@pytest.mark.behaviour("B130", "B131", "B136")
@pytest.mark.parametrize(
    ("said", "error", "outcome", "status"),
    [
        (None, None, "ok", "unset"),
        (None, ValueError("x"), "error", "error"),
        (Outcome.OK, ValueError("x"), "error", "error"),
        (Outcome.ERROR, None, "error", "error"),
        (None, asyncio.CancelledError(), "error", "unset"),
        (None, KeyboardInterrupt(), "error", "unset"),
        ("odd", None, "error", "error"),
        (object(), None, "error", "error"),
        (Outcome.OK, None, "ok", "unset"),
        ("ok", None, "ok", "unset"),
    ],
)
def test_the_outcome_is_decided_when_the_block_ends(probe, said, error, outcome, status):
    """Said, unless an exception contradicts; metric and span agree."""
    probe.start("kiln.firing")
    try:
        with fire() as firing:
            firing.set(outcome=said)
            if error:
                raise error
    except BaseException as caught:
        assert caught is error
    span = probe.span("kiln.fire.glaze")
    assert (span.attributes["kiln.outcome"], span.status) == (outcome, status)
    assert probe.counts("kiln.firing_ms") == {("glaze", outcome): 1}
    exception = isinstance(error, Exception)
    assert [event.name for event in span.events] == (["exception"] if exception else [])


@pytest.mark.parametrize(
    ("error", "outcome"),
    [(None, "sold"), (ValueError(), "cracked"), (asyncio.CancelledError(), "left")],
)
def test_cancellation_may_have_a_member_of_its_own(probe, error, outcome):
    """A declared `cancelled` member is what cancellation, and nothing else, gives."""
    probe.start("kiln.pot")
    try:
        with kiln.sale():
            if error:
                raise error
    except BaseException as caught:
        assert caught is error
    assert probe.span("kiln.sale").attributes == {"kiln.pot.outcome": outcome}


@pytest.mark.behaviour("B131")
def test_a_failure_that_is_raised_after_a_loop_is_an_error(probe):
    """Failures collected over participants and raised inside the block."""
    probe.start("kiln.firing")
    with pytest.raises(RuntimeError), fire():
        raise RuntimeError(["kiln-3"])
    assert probe.span("kiln.fire.glaze").attributes["kiln.outcome"] == "error"


@pytest.mark.behaviour("B131")
def test_failures_that_are_not_raised_make_an_error(probe):
    """Failures handled inside the block: each is an event, the first the code."""
    probe.start("kiln.firing")
    with fire() as firing:
        firing.failures.append(TimeoutError("one"))
        firing.failures.append(OSError("two"))
    span = probe.span("kiln.fire.glaze")
    assert (span.attributes["kiln.outcome"], span.status) == ("error", "error")
    assert span.attributes["kiln.fault_code"] == "timeout"
    kinds = [event.attributes["exception.type"] for event in span.events]
    assert kinds == ["TimeoutError", "OSError"]
    assert probe.counts("kiln.firing_ms") == {("glaze", "error"): 1}


class CodedError(Exception):
    """An error that knows its code, as control calls do."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class SlowError(TimeoutError):
    """Found by the name of its base."""


@pytest.mark.behaviour("B164")
@pytest.mark.parametrize(
    ("error", "code"),
    [
        (CodedError("refused"), "refused"),
        (CodedError("agent:odd"), "agent:odd"),
        (CodedError(None), "other"),
        (CodedError(object()), "other"),
        (SlowError(), "timeout"),
        (ValueError(), "other"),
    ],
)
def test_the_error_code_comes_from_the_exception(probe, error, code):
    """By its class, a base or an attribute; the text of an open code stays."""
    probe.start("kiln.firing")
    with pytest.raises(type(error)), fire():
        raise error
    assert probe.span("kiln.fire.glaze").attributes["kiln.fault_code"] == code


def test_a_code_may_be_said(probe):
    """`fail` says the code and makes an error, though nothing is raised."""
    probe.start("kiln.firing")
    with fire() as firing:
        firing.fail(FaultCode.REFUSED)
    span = probe.span("kiln.fire.glaze")
    assert (span.attributes["kiln.outcome"], span.status) == ("error", "error")
    assert span.attributes["kiln.fault_code"] == "refused"


def test_what_was_said_beats_what_the_exception_stands_for(probe):
    """The code that `fail` gave stands when an exception leaves as well."""
    probe.start("kiln.firing")
    with pytest.raises(TimeoutError), fire() as firing:
        firing.fail("refused")
        raise TimeoutError
    assert probe.span("kiln.fire.glaze").attributes["kiln.fault_code"] == "refused"


def test_a_block_that_ends_well_has_no_code(probe):
    """The overflow code is for failures."""
    probe.start("kiln.firing")
    with fire():
        pass
    assert "kiln.fault_code" not in probe.span("kiln.fire.glaze").attributes


@pytest.mark.behaviour("B162")
def test_an_unknown_stage_opens_the_span_of_the_rest(probe):
    """A value outside the enumeration never becomes part of a name."""
    probe.start("kiln.firing")
    for odd in ("no such stage", [], 3, object()):
        with kiln.fire(odd, batch="b", kind="k"):
            pass
    assert {span.name for span in probe.spans} == {"kiln.fire._OTHER"}
    assert probe.counts("kiln.firing_ms") == {("_OTHER", "ok"): 4}


@pytest.mark.behaviour("B130")
def test_an_error_keeps_its_identity_and_shows_its_type(probe):
    """Recorded by its type, status set, ended, and raised as the same object."""
    probe.start("kiln.firing")
    error = ValueError("boom")
    with pytest.raises(ValueError, match="boom") as caught, kiln.heat():
        raise error
    assert caught.value is error
    span = probe.span("kiln.heat")
    assert (span.status, span.description) == ("error", "ValueError")
    (event,) = span.events
    assert event.attributes == {"exception.type": "ValueError", "exception.escaped": "False"}


@pytest.fixture
def exception_text():
    """Let messages and stacks of exceptions leave."""
    EXCEPTION_TEXT[0] = True
    yield
    EXCEPTION_TEXT[0] = False


@pytest.mark.usefixtures("exception_text")
def test_an_error_shows_its_text_if_that_is_asked_for(probe):
    """The message leaves scanned, and the stack without lines of source code."""
    probe.start("kiln.firing")
    with pytest.raises(ValueError, match="boom"), kiln.heat():
        raise ValueError("boom")
    span = probe.span("kiln.heat")
    assert span.description == "ValueError: boom"
    (event,) = span.events
    assert event.attributes["exception.message"] == "boom"
    stack = event.attributes["exception.stacktrace"]
    assert "in test_an_error_shows" in stack
    assert stack.endswith("ValueError: boom\n")


@pytest.mark.behaviour("B133")
def test_a_processor_that_fails_costs_the_span_alone(sdk_probe):
    """What fails in telemetry is counted, and the metric is there."""

    class Broken:
        def on_start(self, *_a, **_k):
            raise RuntimeError

        def on_end(self, *_a):
            raise RuntimeError

        _on_ending = on_end

    sdk_probe.tracer_provider.add_span_processor(Broken())
    sdk_probe.start("kiln.firing")
    with fire() as firing:
        firing.set(shelves=1)
    assert sdk_probe.counts("kiln.firing_ms") == {("glaze", "ok"): 1}
    assert _guard.FAILURES


@pytest.mark.behaviour("B047")
def test_gates_may_flip_inside_an_open_block(probe):
    """A group is looked at when a block opens; the block ends as it began."""
    probe.start("kiln.firing")
    with fire():
        probe.start("default")
        with kiln.write() as inner:
            assert not inner.live
    assert [span.name for span in probe.spans] == ["kiln.fire.glaze"]
    with fire() as firing:
        probe.start("kiln.firing")
        assert not firing.on
    assert len(probe.spans) == 1


def test_members_are_compared_by_identity_and_by_value():
    """`PotOutcome("sold")` is the member, so a text that is one counts as one."""
    outcomes = kiln.Sale.outcomes
    assert outcomes.read("sold") is PotOutcome.SOLD
    assert outcomes.read("odd") is PotOutcome.CRACKED


@pytest.mark.parametrize("groups", ["all", "default"])
def test_a_block_that_was_opened_before_is_measured_from_then(sdk_probe, groups):
    """Once, however often it is entered and left."""
    sdk_probe.start(groups)
    firing = fire().open()
    time.sleep(0.05)
    with firing:
        pass
    firing.__exit__(None, None, None)
    (point,) = sdk_probe._data_points("kiln.firing_ms")
    assert point.count == 1
    assert point.sum >= 50
    assert not _guard.FAILURES
