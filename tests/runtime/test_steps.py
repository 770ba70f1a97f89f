"""Generators of both kinds: however they end, their consumer's context stays as it was."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import threading
import weakref
from collections.abc import AsyncGenerator
from functools import partial
from types import coroutine

import pytest
from opentelemetry import context
from opentelemetry.trace import get_current_span

import telewright
import telewright.ray
from tests.runtime.sample import kiln

ENDS = ["exhaust", "close", "throw", "break", "collect elsewhere", "collect on a thread"]
STREAM_ENDS = ["exhaust", "close", "throw", "break", "cancel", "collect elsewhere", "abandon loop"]


@telewright.traced(kiln.heat)
def body(count):
    """Hold a scope and a span open across what is yielded."""
    with kiln.round_(count), kiln.write():
        for number in range(count):
            with kiln.pot(potter=str(number)):
                yield number


@telewright.traced(kiln.heat)
async def stream(count):
    """Do as `body`, now and then."""
    with kiln.round_(count), kiln.write():
        for number in range(count):
            await asyncio.sleep(0)
            with kiln.pot(potter=str(number)):
                yield number


def end(steps, how):
    """Take two steps of a generator, and end it."""
    if how == "exhaust":
        return list(steps)
    next(steps)
    next(steps)
    if how == "close":
        steps.close()
    elif how == "throw":
        with pytest.raises(KeyError):
            steps.throw(KeyError())
    elif how == "collect elsewhere":
        held = [steps]
        del steps
        contextvars.copy_context().run(held.clear)
    elif how == "collect on a thread":
        held = [steps]
        del steps
        thread = threading.Thread(target=held.clear)
        thread.start()
        thread.join()
    return None


async def end_stream(steps, how):
    """Take two steps of an asynchronous generator, and end it."""
    if how == "exhaust":
        return [item async for item in steps]
    await anext(steps)
    await anext(steps)
    if how == "close":
        await steps.aclose()
    elif how == "throw":
        with pytest.raises(KeyError):
            await steps.athrow(KeyError())
    elif how == "cancel":
        task = asyncio.create_task(_rest(steps))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await steps.aclose()
    elif how == "collect elsewhere":
        held = [steps]
        del steps
        contextvars.copy_context().run(held.clear)
        await asyncio.sleep(0)
    return None


async def _rest(steps):
    return [item async for item in steps]


def check(probe, count):
    """Hold the tree of what was recorded: heat, write, pots; and all of it ended."""
    names = [span.name for span in probe.spans]
    assert names.count("kiln.heat") == names.count("kiln.write") == 1
    heat, write = probe.span("kiln.heat"), probe.span("kiln.write")
    assert heat.parent == "kiln.shift"
    assert (write.parent_id, write.attributes["kiln.round"]) == (heat.span_id, count)
    pots = [span for span in probe.spans if span.name == "kiln.pot"]
    assert {pot.parent_id for pot in pots} == {write.span_id}
    assert {pot.attributes["kiln.round"] for pot in pots} == {count}
    return len(pots)


@pytest.mark.behaviour("B109", "B116")
@pytest.mark.parametrize("how", ENDS)
def test_a_generator_leaves_its_consumers_context_alone(probe, how):
    """What it holds open is current in its body alone, across its yields, and ends with it."""
    probe.start("all")
    with kiln.shift():
        before = context.get_current()
        steps = body(3)
        assert context.get_current() is before
        end(steps, how)
        del steps
        gc.collect()
        assert context.get_current() is before
    assert check(probe, 3) == (3 if how == "exhaust" else 2)


@pytest.mark.behaviour("B109", "B116")
@pytest.mark.parametrize("how", STREAM_ENDS)
def test_a_stream_leaves_its_consumers_context_alone(probe, how):
    """Cancelled, dropped, or left to a loop that is over: nothing leaks, nothing complains."""
    probe.start("all")

    async def main():
        with kiln.shift():
            before = context.get_current()
            steps = stream(3)
            await end_stream(steps, how)
            if how == "abandon loop":
                return steps
            del steps
            gc.collect()
            for _ in range(5):
                await asyncio.sleep(0)
            assert context.get_current() is before
        return None

    before = context.get_current()
    asyncio.run(main())
    gc.collect()
    assert context.get_current() is before
    assert check(probe, 3) == (3 if how == "exhaust" else 2)


@pytest.mark.behaviour("B109")
def test_steps_taken_in_different_contexts_see_one_body(probe):
    """Whoever takes a step, the body goes on where it was, and not below the stepper's span."""
    probe.start("all")
    with kiln.shift():
        steps = body(3)
        next(steps)
        with kiln.fire(kiln.Stage.COOL, batch="b", kind="k"):
            assert contextvars.copy_context().run(next, steps) == 1
            here = get_current_span()
            next(steps)
            assert get_current_span() is here
        steps.close()
    assert check(probe, 3) == 3


@pytest.mark.behaviour("B109")
def test_a_generator_that_is_off_is_the_functions_own(probe):
    """With its group off nothing is entered, but the rest of the body is as it would be."""
    probe.start("default")
    assert list(body(2)) == [0, 1]
    assert {span.name for span in probe.spans} == {"kiln.pot"}


class GoneError(Exception):
    """What is thrown into a generator."""


def taken(swallow):
    """Take what is thrown, or let it go."""
    try:
        yield
    except GoneError:
        if not swallow:
            raise


async def streaming(swallow):
    """Do as `taken`, asynchronously."""
    try:
        yield
    except GoneError:
        if not swallow:
            raise


@coroutine
def waiting():
    """Wait for whoever drives it."""
    yield


async def awaiting(swallow):
    """Do as `taken`, while something is awaited."""
    try:
        await waiting()
    except GoneError:
        if not swallow:
            raise


DRIVERS = {
    "traced": telewright.traced(kiln.heat),
    "carried": telewright.carry,
    "by Ray": lambda body: partial(telewright.ray.carried(body), _telewright={"baggage": ""}),
}


@pytest.mark.behaviour("B109")
@pytest.mark.parametrize("swallow", [True, False])
@pytest.mark.parametrize("body", [taken, streaming, awaiting])
@pytest.mark.parametrize("driver", DRIVERS)
def test_an_exception_is_kept_by_nobody(probe, driver, body, swallow):
    """Neither it nor what its traceback holds waits for a collection of garbage."""
    probe.start("all")
    drive = DRIVERS[driver]
    gc.disable()
    try:
        error, local = thrown_into(drive(body)(swallow))
        assert (error(), local()) == (None, None)
    finally:
        gc.enable()


def thrown_into(steps):
    """Throw something into *steps*; return it, and a local of who threw, both weakly."""
    error, local = GoneError("error"), GoneError("local")
    seen = weakref.ref(error), weakref.ref(local)
    try:
        if isinstance(steps, AsyncGenerator):
            with pytest.raises(StopIteration):
                steps.asend(None).send(None)
            steps.athrow(error).send(None)
        else:
            steps.send(None)
            steps.throw(error)
    except (GoneError, StopIteration, StopAsyncIteration):
        pass
    finally:
        del error
    return seen
