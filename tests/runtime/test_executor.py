"""Executors that carry context, and work that leaves it behind (behaviours B110 and B116)."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from opentelemetry import trace

import telewright
from tests.runtime.sample import kiln


def heat(_number=0):
    """Record a span of the sample."""
    with kiln.heat():
        return threading.get_ident()


@pytest.fixture
def pool():
    """Make a pool of threads before anything starts."""
    with ThreadPoolExecutor(2) as made:
        yield made


def test_submit_and_map_go_on_where_they_are_called(probe, pool):
    """Each call has the span and the scopes in which it was handed in; a bare pool has none."""
    carrying = telewright.carrying(pool)
    probe.start("kiln.firing")
    with kiln.round_(1), kiln.write():
        assert carrying.submit(heat).result() != threading.get_ident()
        list(carrying.map(heat, range(3), timeout=10))
    with kiln.round_(2):
        carrying.submit(heat, _number=1).result()
    pool.submit(heat).result()
    heats = [span for span in probe.spans if span.name == "kiln.heat"]
    found = [(span.parent, span.attributes.get("kiln.round")) for span in heats]
    assert found == [("kiln.write", 1)] * 4 + [(None, 2), (None, None)]


def test_it_is_the_executor_in_everything_else(pool):
    """Its class, its attributes, its shutdown; carrying twice is carrying once."""
    carrying = telewright.carrying(pool)
    assert telewright.carrying(carrying) is carrying
    assert isinstance(carrying, ThreadPoolExecutor)
    assert carrying._max_workers == 2
    with carrying:
        assert carrying.submit(abs, -1).result() == 1
    with pytest.raises(RuntimeError, match="after shutdown"):
        pool.submit(abs, -1)


def test_off_it_hands_on_what_it_is_given(pool):
    """While telemetry is off, the very function goes to the executor."""
    given = []
    pool.submit = lambda function, *_arguments: given.append(function)
    telewright.carrying(pool).submit(heat)
    assert given == [heat]


def test_an_event_loop_takes_it(probe, pool):
    """As an executor of a call, and as the loop's own."""
    probe.start("kiln.firing")

    async def main():
        loop = asyncio.get_running_loop()
        loop.set_default_executor(telewright.carrying(pool))
        with kiln.write():
            await loop.run_in_executor(None, heat)

    asyncio.run(main())
    assert probe.span("kiln.heat").parent == "kiln.write"


def test_processes_go_on_too(receiver):
    """A pool of processes is handed what it can pickle, and starts its telemetry by itself."""
    telewright.start("kiln.firing", metrics=False)
    with (
        telewright.carrying(ProcessPoolExecutor(1)) as processes,
        kiln.round_(1),
        kiln.write(),
    ):
        assert processes.submit(heat).result(60)
        span = trace.get_current_span().get_span_context()
    telewright.stop()
    found = receiver.span("kiln.heat")
    assert int.from_bytes(found.parent_span_id, "big") == span.span_id


def test_a_worker_that_outlives_its_starter_is_not_its_child(probe):
    """B110, B116: a task or thread begun inside `detached` has no parent and no scope, for life."""
    probe.start("kiln.firing")

    async def worker(queue):
        while (asked := await queue.get()) is not None:
            with telewright.within(asked), kiln.heat():
                pass
            with kiln.write():
                pass

    async def main():
        queue = asyncio.Queue()
        with kiln.round_(1), kiln.fire(kiln.Stage.COOL, batch="b", kind="k"):
            with telewright.detached():
                task = asyncio.create_task(worker(queue))
                thread = threading.Thread(target=heat)
                thread.start()
                thread.join()
            assert trace.get_current_span().get_span_context().is_valid
            queue.put_nowait(telewright.carrier())
            queue.put_nowait(None)
            await task

    asyncio.run(main())
    alone, asked = [span for span in probe.spans if span.name == "kiln.heat"]
    assert (alone.parent_id, dict(alone.attributes)) == (None, {})
    assert asked.parent == "kiln.fire.cool"
    assert asked.attributes == {"kiln.round": 1}
    own = probe.span("kiln.write")
    assert (own.parent_id, dict(own.attributes)) == (None, {})


def test_off_nothing_is_detached():
    """While telemetry is off the block changes nothing."""
    with telewright.detached() as block:
        assert not block.live
