"""Blocks that are no spans, entered again while they are entered, and left among strangers."""

from __future__ import annotations

import asyncio
import threading
from contextvars import copy_context

import pytest
from opentelemetry import context, trace

import telewright
from telewright import _guard
from tests.runtime.sample import kiln

BLOCKS = {
    "scope": lambda: kiln.round_(1),
    "within": lambda: telewright.within({"baggage": "kiln.round=1"}),
    "detached": telewright.detached,
    "current": lambda: kiln.heat().open().current(),
}


@pytest.mark.behaviour("B022")
@pytest.mark.parametrize("kind", BLOCKS)
def test_a_block_that_is_entered_again_is_left_as_often(probe, kind):
    """Each time what was current before is current again."""
    probe.start("all")
    block = BLOCKS[kind]()
    with kiln.round_(7):
        before = context.get_current()
        for _ in range(2):
            with block:
                inside = context.get_current()
                with kiln.round_(3), block:
                    pass
                assert context.get_current() is inside
            assert context.get_current() is before


@pytest.mark.behaviour("B022", "B025")
@pytest.mark.parametrize("kind", BLOCKS)
@pytest.mark.parametrize("last_first", [False, True])
def test_tasks_that_share_a_block_get_each_its_own_back(probe, kind, last_first):
    """In whatever order they leave it."""
    probe.start("all")
    block = BLOCKS[kind]()

    async def work(number, first, then):
        with kiln.round_(10 + number):
            before = context.get_current()
            with block:
                first.set()
                await then.wait()
            assert context.get_current() is before
            assert telewright.carrier()["baggage"] == f"kiln.round={10 + number}"

    async def main():
        in_one, in_two, go, done = (asyncio.Event() for _ in range(4))
        one = asyncio.create_task(work(1, in_one, done if last_first else go))
        await in_one.wait()
        two = asyncio.create_task(work(2, in_two, go if last_first else done))
        await in_two.wait()
        go.set()
        await (two if last_first else one)
        done.set()
        await asyncio.gather(one, two)

    asyncio.run(main())


@pytest.mark.behaviour("B022")
@pytest.mark.parametrize("kind", BLOCKS)
def test_threads_that_share_a_block_get_each_its_own_back(probe, kind):
    """As tasks do."""
    probe.start("all")
    block, left = BLOCKS[kind](), []
    both = threading.Barrier(4)

    def work():
        for _ in range(20):
            before = context.get_current()
            both.wait(10)
            with block:
                both.wait(10)
            left.append(context.get_current() is before)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert left == [True] * 80


@pytest.mark.behaviour("B022")
@pytest.mark.parametrize("kind", BLOCKS)
def test_what_is_left_on_top_takes_no_other_tasks_block(probe, kind):
    """A context that somebody attached and forgot to detach has each leave its own all the same."""
    probe.start("all")
    block = BLOCKS[kind]()

    async def work(number, both):
        with kiln.round_(10 + number):
            before = context.get_current()
            with block:
                await both.wait()
                context.attach(context.Context())
            assert context.get_current() is before

    async def main():
        both = asyncio.Barrier(3)
        await asyncio.gather(*(work(number, both) for number in range(3)))

    asyncio.run(main())


class Theirs(trace.Span):
    """A span of somebody else's that does not answer."""

    def __init__(self, how):
        self.how = how

    def get_span_context(self):
        """Say who it is, or not even that."""
        if self.how == "context":
            raise LookupError("theirs")
        return trace.SpanContext(1, 2, is_remote=False)

    def is_recording(self):
        """Fail."""
        raise LookupError("theirs")

    def end(self, end_time=None):
        """Do nothing, as all of the following."""

    set_attributes = set_attribute = add_event = add_link = update_name = set_status = end
    record_exception = end


@pytest.mark.behaviour("B028")
@pytest.mark.parametrize("kind", [*BLOCKS, "span"])
@pytest.mark.parametrize("how", ["context", "recording"])
def test_an_exception_leaves_a_block_whatever_a_foreign_span_does(probe, kind, how):
    """The application sees its own, and what was current before is current again."""
    probe.start("all")
    block = {**BLOCKS, "span": kiln.heat}[kind]()

    def work():
        before = context.get_current()
        with pytest.raises(ValueError, match="ours"), block:
            context.attach(trace.set_span_in_context(Theirs(how)))
            raise ValueError("ours")
        return context.get_current() is before

    assert copy_context().run(work)
    assert [span.name for span in probe.spans] == (["kiln.heat"] if kind == "span" else [])
    assert _guard.FAILURES
    _guard.FAILURES.clear()
