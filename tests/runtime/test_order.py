"""Blocks around a ``yield``, which end when their consumers want and where the collector runs."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import random
import threading

import pytest
from opentelemetry import baggage, context, trace

import telewright
from telewright.testing import captured
from tests.runtime.sample import kiln


def heating():
    """Hold a span for as long as the consumer likes."""
    with kiln.heat():
        yield 1
        yield 2


def rounds():
    """Hold a scope."""
    for number in range(2):
        with kiln.round_(number):
            yield number


def anew():
    """Hold a block in which nothing is current."""
    with telewright.detached():
        yield


def brought():
    """Hold what a carrier brought."""
    with telewright.within({"traceparent": f"00-{'1' * 32}-{'2' * 16}-01"}):
        yield


def validating():
    """Hold a span that was opened by hand."""
    span = kiln.fire(kiln.Stage.COOL, batch="b", kind="k").open()
    with span.current():
        yield
    span.close()


FORMS = (heating, rounds, anew, brought, validating)


def thrown(body):
    """End *body* by an exception."""
    with pytest.raises(KeyError):
        body.throw(KeyError())


ENDS = {"exhaust": list, "close": lambda body: body.close(), "throw": thrown}


@pytest.mark.behaviour("B109", "B116")
@pytest.mark.parametrize("how", ENDS)
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
@pytest.mark.parametrize("inside", FORMS, ids=lambda form: form.__name__)
def test_a_generator_that_ends_inside_another_block_leaves_that_and_then_nothing(
    probe, form, inside, how
):
    """The block of the consumer stays current until it ends; then what was current before is."""
    probe.start("all")
    before = context.get_current()
    body, other = form(), inside()
    next(body)
    next(other)
    current = context.get_current()
    ENDS[how](body)
    assert context.get_current() is current
    other.close()
    assert context.get_current() == before
    with kiln.letter(address="a"):
        pass
    assert probe.span("kiln.letter").parent_id is None
    assert "kiln.round" not in probe.span("kiln.letter").attributes


@pytest.mark.behaviour("B109")
def test_what_is_over_stays_over_however_often_it_comes_back(probe):
    """The context of a block that has ended is no parent's, the second time neither."""
    probe.start("all")
    before = context.get_current()
    outer, inner = kiln.heat(), kiln.letter(address="1")
    outer.__enter__()
    over = context.get_current()
    inner.__enter__()
    outer.__exit__(None, None, None)
    inner.__exit__(None, None, None)
    for _ in range(3):
        context.attach(over)
        with kiln.write():
            pass
        assert context.get_current() == before
    assert [one.parent_id for one in probe.spans if one.name == "kiln.write"] == [None] * 3


@pytest.mark.behaviour("B109", "B116")
@pytest.mark.parametrize("seed", range(40))
def test_whatever_the_order_the_youngest_open_block_is_current(seed):
    """Blocks that end in any order leave current what would be if they had never been."""
    chosen = random.Random(seed)  # noqa: S311 - an order, no secret
    before, held = context.get_current(), []
    with captured():
        for _ in range(60):
            if held and chosen.random() < 0.5:
                body, _ = held.pop(chosen.randrange(len(held)))
                ENDS[chosen.choice(list(ENDS))](body)
            else:
                body = chosen.choice(FORMS)()
                next(body)
                held.append((body, context.get_current()))
            assert context.get_current() is (held[-1][1] if held else before)
        while held:
            held.pop(0)[0].close()
        assert context.get_current() == before


@pytest.mark.behaviour("B109", "B116")
@pytest.mark.parametrize("seed", range(40))
def test_wherever_they_end_the_youngest_open_span_is_current_for_all(seed):
    """Nobody of ours need look first: others, and what starts now, find no span that is over."""
    chosen = random.Random(seed)  # noqa: S311 - an order, no secret
    held = []
    with captured():
        for _ in range(60):
            if held and chosen.random() < 0.5:
                body, _ = held.pop(chosen.randrange(len(held)))
                contextvars.Context().run(ENDS[chosen.choice(list(ENDS))], body)
            else:
                body = chosen.choice((heating, brought, validating))()
                next(body)
                held.append((body, trace.get_current_span()))
            youngest = held[-1][1] if held else trace.INVALID_SPAN
            assert trace.get_current_span() is youngest
            assert contextvars.copy_context().run(trace.get_current_span) is youngest
        while held:
            contextvars.Context().run(held.pop(0)[0].close)
        assert trace.get_current_span() is trace.INVALID_SPAN


@pytest.mark.behaviour("B109", "B116")
def test_an_open_span_is_made_current_again_after_a_block_that_ended_elsewhere(probe):
    """Where the block was current the span is current no more; elsewhere, and later, it may be."""
    probe.start("all")
    span = kiln.heat().open()

    def current():
        with span.current():
            yield

    body = current()
    with kiln.letter(address="a"):
        next(body)
        contextvars.Context().run(body.close)
        with span.current(), kiln.write():
            pass
        with kiln.write():
            pass
    span.close()
    parents = [one.parent for one in probe.spans if one.name == "kiln.write"]
    assert parents == ["kiln.heat", "kiln.letter"]


@pytest.mark.behaviour("B109")
def test_a_block_may_be_entered_again_after_it_ended_elsewhere(probe):
    """It makes current what it did the first time."""
    probe.start("all")
    span = kiln.heat().open()
    block = span.current()

    def current():
        with block:
            yield

    for _ in range(2):
        body = current()
        next(body)
        with kiln.write():
            pass
        contextvars.Context().run(body.close)
    span.close()
    assert [one.parent for one in probe.spans if one.name == "kiln.write"] == ["kiln.heat"] * 2


@pytest.mark.behaviour("B109", "B116")
def test_what_was_begun_where_nothing_was_current_stays_there(probe):
    """A task that was started inside `detached` is nobody's, however that block ends."""
    probe.start("all")

    async def later(gate):
        await gate.wait()
        with kiln.write():
            pass

    async def main():
        gate = asyncio.Event()
        with kiln.heat():
            body = anew()
            next(body)
            task = asyncio.create_task(later(gate))
            contextvars.Context().run(body.close)
        gate.set()
        await task

    asyncio.run(main())
    assert probe.span("kiln.write").parent_id is None


@pytest.mark.behaviour("B109", "B111")
@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_carrier_that_brings_nothing_takes_nothing_along(probe, elsewhere):
    """A block that changes nothing may end anywhere: the consumer's span is its own."""
    probe.start("all")

    def empty():
        with telewright.within({}):
            yield

    with kiln.heat():
        heat, body = trace.get_current_span(), empty()
        next(body)
        with kiln.letter(address="a"):
            contextvars.Context().run(body.close) if elsewhere else body.close()
        assert trace.get_current_span() is heat
        with kiln.write():
            pass
    assert probe.span("kiln.write").parent == "kiln.heat"


@pytest.mark.behaviour("B109")
def test_what_others_attached_inside_is_theirs_to_detach(probe):
    """It was made of the context of then, and keeps its span; below it there is none."""
    probe.start("all")
    body = heating()
    next(body)
    heat = trace.get_current_span()
    token = context.attach(baggage.set_baggage("customer", "ann"))
    contextvars.Context().run(body.close)
    assert trace.get_current_span() is heat
    context.detach(token)
    assert trace.get_current_span() is trace.INVALID_SPAN


@pytest.mark.behaviour("B109")
def test_a_block_of_others_may_come_in_between(probe):
    """The next helper goes on below what OpenTelemetry's own block made current again."""
    probe.start("all")
    body = heating()
    next(body)
    with probe.tracer("theirs").start_as_current_span("theirs"):
        list(body)
    assert telewright.carrier() == {}
    with kiln.write():
        pass
    assert probe.span("kiln.write").parent_id is None
    assert not trace.get_current_span().get_span_context().is_valid


def test_what_was_attached_and_forgotten_ends_with_the_block(probe):
    """An application that attaches and never detaches leaves nothing behind a block of ours."""
    probe.start("all")
    remote = trace.SpanContext(1, 2, is_remote=True, trace_flags=trace.TraceFlags(1))
    for forgotten in (
        lambda: baggage.set_baggage("customer", "ann"),
        lambda: trace.set_span_in_context(trace.NonRecordingSpan(remote)),
    ):
        before = context.get_current()
        with kiln.heat():
            context.attach(forgotten())
        assert context.get_current() is before


@pytest.mark.behaviour("B014", "B109")
def test_two_generators_side_by_side_leave_nothing(probe):
    """However often both take a step, the consumer is where it was, and nothing piles up."""
    probe.start("all")
    before = context.get_current()

    def many():
        for _ in range(300):
            with kiln.heat():
                yield

    for _ in zip(many(), many(), strict=True):
        pass
    assert context.get_current() == before
    gc.collect()
    assert sum(type(one) is context.Context for one in gc.get_objects()) < 100


@pytest.mark.behaviour("B109")
def test_a_stream_that_is_left_early_leaves_its_task_alone(probe):
    """The loop finalizes it in a task of its own; where it began, its span is current no more."""
    probe.start("all")

    async def stream():
        with kiln.heat():
            yield 1
            yield 2

    async def main():
        async for _ in stream():
            break
        gc.collect()
        for _ in range(3):
            await asyncio.sleep(0)
        with kiln.write():
            pass

    asyncio.run(main())
    assert probe.span("kiln.write").parent_id is None


@pytest.mark.behaviour("B029", "B110")
def test_what_was_begun_inside_goes_on_inside(probe):
    """A thread and a task that were started in a block keep it, however that ends."""
    probe.start("all")

    def finalize():
        with kiln.write():
            pass

    async def later(gate):
        await gate.wait()
        finalize()

    async def main():
        gate, body = asyncio.Event(), rounds()
        next(body)
        next(body)
        task = asyncio.create_task(later(gate))
        thread = threading.Thread(target=telewright.carry(finalize))
        with kiln.heat():
            body.close()
        contextvars.copy_context().run(telewright.carrier)
        with kiln.letter(address="a"):
            pass
        gate.set()
        thread.start()
        thread.join()
        await task

    asyncio.run(main())
    writes = [span for span in probe.spans if span.name == "kiln.write"]
    assert [span.attributes.get("kiln.round") for span in writes] == [1, 1]
    assert "kiln.round" not in probe.span("kiln.letter").attributes
