"""Generators that are closed: what their bodies answer is what they answer without us."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from opentelemetry import context

import telewright
import telewright.ray
from tests.runtime.sample import kiln

WAYS = ["traced", "carried", "carried by ray"]


def made(function, how):
    """Return *function*, decorated one way or another; it is called without arguments."""
    if how == "traced":
        return telewright.traced(kiln.heat)(function)
    if how == "carried":
        return telewright.carry(function)
    rayed = telewright.ray.carried(function)
    return lambda: rayed(**telewright.ray.keywords())


@pytest.mark.behaviour("B109")
@pytest.mark.parametrize("how", WAYS)
def test_a_loop_that_ends_closes_a_suspended_stream_once(probe, how, caplog):
    """Its body may await as it closes; the loop has nothing to complain of."""
    probe.start("all")
    closed, kept = [], []

    async def stream():
        try:
            yield 1
            yield 2
        finally:
            await asyncio.sleep(0.001)
            closed.append(how)

    async def main():
        with kiln.shift():
            kept.append(made(stream, how)())
        assert await anext(kept[-1]) == 1

    for _ in range(4):
        asyncio.run(main())
    assert len(closed) == 4
    assert not [one for one in caplog.records if one.levelname != "DEBUG"]


@pytest.mark.behaviour("B108")
@pytest.mark.parametrize("how", WAYS)
def test_a_generator_may_take_generator_exit_for_an_answer(probe, how):
    """Thrown, it may be swallowed or answered; who answers `close` is told off as ever."""
    probe.start("all")

    def stubborn():
        with contextlib.suppress(GeneratorExit):
            yield 1
        yield 2

    def swallowing():
        with contextlib.suppress(GeneratorExit):
            yield 1

    with kiln.shift():
        steps = made(stubborn, how)()
        assert next(steps) == 1
        assert steps.throw(GeneratorExit()) == 2
        assert list(steps) == []
        steps = made(stubborn, how)()
        next(steps)
        with pytest.raises(RuntimeError, match="ignored GeneratorExit"):
            steps.close()
        with contextlib.contextmanager(made(swallowing, how))():
            raise GeneratorExit


@pytest.mark.behaviour("B108")
@pytest.mark.parametrize("how", WAYS)
def test_a_stream_may_take_generator_exit_for_an_answer(probe, how):
    """As a generator may."""
    probe.start("all")

    async def stubborn():
        with contextlib.suppress(GeneratorExit):
            yield 1
        yield 2

    async def swallowing():
        with contextlib.suppress(GeneratorExit):
            yield 1

    async def main():
        with kiln.shift():
            steps = made(stubborn, how)()
            assert await anext(steps) == 1
            assert await steps.athrow(GeneratorExit()) == 2
            assert [item async for item in steps] == []
            steps = made(stubborn, how)()
            await anext(steps)
            with pytest.raises(RuntimeError, match="ignored GeneratorExit"):
                await steps.aclose()
            async with contextlib.asynccontextmanager(made(swallowing, how))():
                raise GeneratorExit

    asyncio.run(main())


@pytest.mark.behaviour("B109")
@pytest.mark.parametrize("how", WAYS)
def test_what_a_closed_body_leaves_attached_stays_with_it(probe, how):
    """Its consumer's context is as it was, whatever is current in the body as it ends."""
    probe.start("all")

    def forgetful():
        try:
            yield 1
        finally:
            context.attach(context.Context())

    async def stream():
        try:
            yield 1
        finally:
            context.attach(context.Context())

    async def main():
        steps = made(stream, how)()
        await anext(steps)
        await steps.aclose()

    with kiln.shift():
        before = context.get_current()
        steps = made(forgetful, how)()
        next(steps)
        steps.close()
        assert context.get_current() is before
        coroutine = main()  # in this very context: a task would have a copy
        with pytest.raises(StopIteration):
            coroutine.send(None)
        assert context.get_current() is before
