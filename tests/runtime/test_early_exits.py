"""Bodies that end before they are through: nobody's context is left wrong, nothing is logged.

Generators that are dropped, closed and thrown into, tasks that are cancelled and time out,
callbacks that run when their block is over, in either tier: some with every change, 100,000 with
`make soak`.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import gc
import logging
from contextlib import closing
from itertools import count as naturals

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider

import telewright
from telewright.testing import captured
from tests import soak
from tests.runtime.probes import FastProbe, SdkProbe
from tests.runtime.sample import kiln
from tests.runtime.sample.kiln import Stage

ABREAST = 8
ROUND = 2_000
"""Exits whose spans are kept at once."""


@telewright.traced(kiln.heat)
def steps():
    """Open a span at every step, and never end by itself."""
    for number in naturals():
        with kiln.write():
            pass
        try:
            yield number
        except KeyError:
            continue


@telewright.traced(kiln.heat)
async def stream():
    """Do as `steps`, and wait at every step."""
    for number in naturals():
        with kiln.write():
            await asyncio.sleep(0)
        yield number


@telewright.traced(kiln.heat)
async def endless():
    """Wait for what never comes, inside a span."""
    with kiln.write():
        await asyncio.Event().wait()


async def dropped():
    """Drop a generator after its first step."""
    next(steps())


async def closed():
    """Close one after three."""
    body = steps()
    for _ in range(3):
        next(body)
    body.close()


async def thrown():
    """Throw what it catches, and then what it does not."""
    body = steps()
    next(body)
    body.throw(KeyError())
    with pytest.raises(ValueError, match="enough"):
        body.throw(ValueError("enough"))


async def elsewhere():
    """Drop a generator in another context than that of its steps."""
    body = steps()
    contextvars.copy_context().run(next, body)
    next(body)


async def stream_left():
    """Leave an asynchronous generator to the event loop."""
    async for number in stream():
        if number:
            break


async def stream_closed():
    """Close one in time."""
    async with contextlib.aclosing(stream()) as body:
        await anext(body)


async def stream_closed_elsewhere():
    """Close one in a task of its own."""
    body = stream()
    await anext(body)
    await asyncio.create_task(body.aclose())


async def cancelled():
    """Cancel a task inside its span."""
    task = asyncio.create_task(endless())
    await asyncio.sleep(0)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def timed_out():
    """Have a block end by its deadline."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(0.0005):
            await endless()


async def called_back():
    """Have a callback run after the block that asked for it."""
    done = asyncio.get_running_loop().create_future()

    def callback():
        with kiln.write():
            done.set_result(None)

    with kiln.heat():
        asyncio.get_running_loop().call_soon(callback)
    await done


def held():
    """Hold a block around a step, as no decorator would."""
    with kiln.heat():
        yield


async def held_stream(span=kiln.heat):
    """Do so, and wait."""
    with span():
        await asyncio.sleep(0)
        yield


async def ended_inside():
    """End one inside a block that is younger."""
    body = held()
    next(body)
    with kiln.write():
        next(body, None)


async def held_dropped_inside():
    """Drop one there."""
    body = held()
    next(body)
    with kiln.write():
        del body


async def held_stream_left():
    """Leave one to the event loop, and give that the time."""
    async for _ in held_stream():
        break
    for _ in range(3):
        await asyncio.sleep(0)


async def held_closed_on_a_thread():
    """Close one on another thread, which knows nothing of where it began."""
    body = held()
    next(body)
    await asyncio.to_thread(contextvars.Context().run, body.close)


async def held_above_each_other():
    """Leave one below another, both to other tasks, the lower first or last."""
    for order in (1, -1):
        bodies = [held_stream(), held_stream(kiln.write)]
        for body in bodies:
            await anext(body)
        for body in bodies[::order]:
            await asyncio.create_task(body.aclose())


FORMS = (
    *(dropped, closed, thrown, elsewhere),
    *(stream_left, stream_closed, stream_closed_elsewhere),
    *(cancelled, timed_out, called_back),
    *(ended_inside, held_dropped_inside, held_stream_left),
    *(held_closed_on_a_thread, held_above_each_other),
)


async def write_to(number):
    """Open a span in a task of its own."""
    with kiln.letter(address=str(number)):
        pass


async def drive(numbers, theirs, strangers):
    """Exit early again and again, each time inside a span, and open some after it.

    First another library does, whose parents go into *strangers* if they are not that span, then a
    task that is created now, and only then who might have put right what was wrong.
    """
    for number in numbers:
        with kiln.fire(Stage.COOL, batch=str(number), kind="k"):
            fire = trace.get_current_span()
            await FORMS[number % len(FORMS)]()
            span = theirs.start_span("theirs")
            span.end()
            if span.parent != fire.get_span_context() or trace.get_current_span() is not fire:
                strangers.append(FORMS[number % len(FORMS)].__name__)
            await asyncio.create_task(write_to(number))
            await write_to(number)


async def drive_abreast(numbers, theirs, strangers):
    """Do so in several tasks."""
    async with asyncio.TaskGroup() as group:
        for lane in range(ABREAST):
            group.create_task(drive(numbers[lane::ABREAST], theirs, strangers))


def wrong_parents(spans):
    """Return the spans that are not where they were opened."""
    by_id = {span.span_id: span for span in spans}
    wrong = []
    for span in spans:
        parent = by_id.get(span.parent_id)
        if span.name == "kiln.fire.cool":
            fits = span.parent_id is None
        elif span.name == "kiln.letter":
            batch = parent and parent.attributes.get("kiln.batch")
            fits = batch == span.attributes["kiln.address"]
        else:
            above = {"kiln.heat": "kiln.fire.cool", "kiln.write": "kiln.heat"}[span.name]
            fits = parent is not None and parent.name == above
        if not fits:
            wrong.append((span.name, parent and parent.name))
    return wrong


@pytest.mark.behaviour("B014", "B109", "B116")
@pytest.mark.parametrize("tier", [SdkProbe, FastProbe])
@pytest.mark.parametrize("count", [500, pytest.param(50_000, marks=pytest.mark.soak)])
def test_an_early_exit_leaves_no_context_wrong(caplog, count, tier, request):
    """B109: every span is below what was open where it began, whoever's; no detach fails."""
    caplog.set_level(logging.WARNING)
    theirs, strangers = TracerProvider(shutdown_on_exit=False).get_tracer("theirs"), []
    for numbers in soak.begin(request).slices(count, size=ROUND, patience=120):
        with closing(tier()) as probe:
            probe.start("all")
            asyncio.run(drive_abreast(numbers, theirs, strangers))
            gc.collect()
            spans = probe.spans
        fires = [span for span in spans if span.name == "kiln.fire.cool"]
        assert len(fires) == len(numbers)
        assert len(spans) > 3 * len(numbers)
        assert wrong_parents(spans) == []
        assert not strangers
    assert not [one for one in caplog.records if not one.name.startswith("opentelemetry.exporter")]


def test_contexts_that_are_left_wrong_are_noticed(caplog):
    """The positive control: the SDK's own spans in the same generators."""
    tracer = TracerProvider(shutdown_on_exit=False).get_tracer("plain")
    seen = []

    async def plain():
        with tracer.start_as_current_span("body"):
            yield 1

    async def consume():
        with tracer.start_as_current_span("outer") as outer:
            body = plain()
            await anext(body)
            seen.append(trace.get_current_span() is outer)
            await asyncio.create_task(body.aclose())

    asyncio.run(consume())
    assert seen == [False]
    assert caplog.text.count("Failed to detach context") == 1
    caplog.clear()  # it was meant to be there

    with captured() as telemetry:
        fire = kiln.fire(Stage.COOL, batch="1", kind="k")
        with fire, kiln.heat(), kiln.letter(address="1"):
            pass
    assert wrong_parents(telemetry.spans) == [("kiln.letter", "kiln.heat")]
