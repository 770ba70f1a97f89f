"""Counting what a task does once it is done (behaviour B140)."""

from __future__ import annotations

import asyncio
import concurrent.futures
import gc
import threading
import weakref
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from telewright import _guard, _when_done
from telewright.gym import checkpoint, verify
from telewright.gym.checkpoint import CheckpointEvent, CheckpointOperation, ParticipantKind

NAME = "gym.checkpoint.control_errors_total"


def count(probe):
    """Return how many control errors were counted."""
    return sum(probe.points(NAME).values())


def watch(task, number=1):
    """Count *number* control errors when *task* is done."""
    checkpoint.control_errors.when_done(task, number, error_code="timeout")


async def write(seconds=0.0, *, error=None, done=7):
    """Do as a write does."""
    await asyncio.sleep(seconds)
    if error is not None:
        raise error
    return done


@pytest.mark.behaviour("B140")
def test_a_write_counts_once_however_many_await_it(probe):
    """Each caller that waits says that it is to be counted; it counts when it finishes, once."""
    probe.start("all")

    async def caller(task):
        watch(task, 3)
        await asyncio.shield(task)

    async def main():
        task = asyncio.ensure_future(write())
        callers = [asyncio.ensure_future(caller(task)) for _ in range(5)]
        await asyncio.sleep(0)
        assert count(probe) == 0
        await asyncio.gather(*callers)

    asyncio.run(main())
    assert count(probe) == 3


@pytest.mark.behaviour("B140")
def test_a_write_that_fails_or_is_stopped_counts_nothing(probe):
    """Neither an exception nor a cancellation is a write."""
    probe.start("all")

    async def main():
        failing = asyncio.ensure_future(write(error=ValueError("disk")))
        stopped = asyncio.ensure_future(write(10))
        for task in (failing, stopped):
            watch(task)
        await asyncio.sleep(0)
        stopped.cancel()
        await asyncio.wait([failing, stopped])
        await asyncio.sleep(0)
        assert str(failing.exception()) == "disk"

    asyncio.run(main())
    assert count(probe) == 0


@pytest.mark.behaviour("B140")
def test_a_write_that_outlives_its_caller_counts_once(probe):
    """The caller times out; the write goes on, finishes, and counts."""
    probe.start("all")

    async def main():
        task = asyncio.ensure_future(write(0.05))
        watch(task)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.shield(task), 0.001)
        assert count(probe) == 0
        await task
        await asyncio.sleep(0)

    asyncio.run(main())
    assert count(probe) == 1


def test_the_result_may_say_how_many(probe):
    """A function of the result makes the value; of a histogram as of a counter."""
    probe.start("all")

    async def main():
        task = asyncio.ensure_future(write(done=12))
        checkpoint.control_errors.when_done(task, lambda done: done * 2, error_code="timeout")
        verify.duration_ms.when_done(task, float)
        await task
        await asyncio.sleep(0)

    asyncio.run(main())
    assert count(probe) == 24
    assert list(probe.points("gym.verify.duration_ms").values()) == [12.0]


def test_work_of_an_executor_counts_as_a_task_does(probe):
    """A future of a thread pool: done or not yet, failed or cancelled."""
    probe.start("all")
    with ThreadPoolExecutor(1) as pool:
        good, bad = pool.submit(int, "1"), pool.submit(int, "x")
        for future in (good, bad):
            watch(future)
    cancelled: Future[int] = Future()
    watch(cancelled)
    cancelled.cancel()
    already: Future[int] = Future()
    already.set_result(1)
    watch(already)
    watch(already)
    assert count(probe) == 2


@pytest.mark.behaviour("B140")
def test_a_task_that_is_done_needs_no_loop(probe):
    """It counts at once: after its loop was closed, and from any thread."""
    probe.start("all")

    async def main():
        task = asyncio.ensure_future(write())
        await task
        await asyncio.to_thread(watch, task)
        assert count(probe) == 1
        return task

    task = asyncio.run(main())
    checkpoint.control_errors.when_done(task, int, error_code="internal")
    assert count(probe) == 8
    assert not _guard.FAILURES


@pytest.mark.behaviour("B140")
@pytest.mark.parametrize("debug", [False, True])
def test_a_task_of_another_threads_loop_counts_when_it_is_done(probe, debug):
    """As one of this thread's does; with asyncio's debug mode, which refuses strangers, too."""
    probe.start("all")

    async def main():
        go_on = asyncio.Event()
        task = asyncio.ensure_future(go_on.wait())
        await asyncio.gather(*(asyncio.to_thread(watch, task) for _ in range(2)))
        assert count(probe) == 0
        go_on.set()
        await task
        await asyncio.sleep(0)

    asyncio.run(main(), debug=debug)
    assert count(probe) == 1
    assert not _guard.FAILURES


@pytest.mark.behaviour("B140")
def test_a_task_counts_that_is_watched_before_its_loop_runs(probe):
    """From this thread, where no loop runs yet; so does what was done while that was on its way."""
    probe.start("all")
    loop = asyncio.new_event_loop()
    try:
        task = loop.create_task(write())
        future = loop.create_future()
        watch(task)
        watch(future)
        future.set_result(1)
        loop.run_until_complete(task)
    finally:
        loop.close()
    assert count(probe) == 2


@pytest.mark.behaviour("B140")
def test_what_could_not_be_watched_may_be_told_again(probe):
    """A future that waits though its loop was closed is a failure; it counts once it is done."""
    probe.start("all")
    loop = asyncio.new_event_loop()
    future = loop.create_future()
    loop.close()
    watch(future)
    assert _guard.FAILURES["count what a task does"] == 1
    future.set_result(1)
    watch(future)
    watch(future)
    assert count(probe) == 1


def test_what_differs_is_counted_apart(probe):
    """One task may be counted by several instruments, and under several labels."""
    probe.start("all")
    done: Future[int] = Future()
    done.set_result(1)
    for code in ("timeout", "internal", "timeout"):
        checkpoint.control_errors.when_done(done, error_code=code)
    for event in (CheckpointEvent.LEASE_EXPIRED, CheckpointEvent.LEASE_EXPIRED):
        checkpoint.events.when_done(done, event=event, checkpoint_id="c")
    for checkpoint_id in ("c", "d"):
        checkpoint.records.when_done(
            done,
            3,
            operation=CheckpointOperation.COMMIT,
            participant_kind=ParticipantKind.AGENT,
            checkpoint_id=checkpoint_id,
            instance="a",
        )
    assert count(probe) == 2
    assert list(probe.points("gym.checkpoint.events_total").values()) == [1]
    assert list(probe.points("gym.checkpoint.records_total").values()) == [6]


def test_it_is_counted_in_the_context_of_the_call(probe):
    """What is current there, scopes too, is current when it is counted: exemplars find it."""
    from opentelemetry import trace

    probe.start("all")
    seen = []
    done: Future[int] = Future()

    def value(_result):
        seen.append(trace.get_current_span().get_span_context().span_id)
        return 1

    with probe.tracer("x").start_as_current_span("here") as span:
        checkpoint.control_errors.when_done(done, value, error_code="timeout")
    done.set_result(1)
    assert seen == [span.get_span_context().span_id]
    assert count(probe) == 1


def test_no_task_is_kept_alive(probe):
    """Once it is done and forgotten, a task is gone, and so is what was known of it."""
    probe.start("all")
    gc.collect()
    before = len(_when_done.COUNTED)

    async def main():
        task = asyncio.ensure_future(write())
        watch(task)
        await task
        return weakref.ref(task)

    gc.disable()
    try:
        gone = asyncio.run(main())
        dropped: Future[int] = Future()
        watch(dropped)
        del dropped
        assert gone() is None
        assert len(_when_done.COUNTED) == before
    finally:
        gc.enable()


def test_asyncio_still_tells_of_an_exception_that_nobody_saw(probe):
    """Counting is no retrieving: the program is told as if nothing watched."""
    probe.start("all")
    told = []

    async def main():
        asyncio.get_running_loop().set_exception_handler(
            lambda _loop, context: told.append(context["message"])
        )
        task = asyncio.ensure_future(write(error=ValueError()))
        watch(task)
        await asyncio.wait([task])
        del task

    asyncio.run(main())
    gc.collect()
    assert told == ["Task exception was never retrieved"]


class Hostile:
    """Is no future, and raises whatever is asked."""

    def __getattr__(self, name):
        raise RuntimeError(name)


@pytest.mark.parametrize("make", [type(None), int, Hostile, str])
def test_what_is_no_task_costs_the_count(make, probe):
    """Nothing is raised, and the failure is counted."""
    probe.start("all")
    watch(make())
    assert _guard.FAILURES["count what a task does"] == 1
    assert count(probe) == 0


def test_a_function_that_raises_costs_the_count(probe):
    """Nothing reaches the loop or the executor."""
    probe.start("all")
    done: Future[int] = Future()
    checkpoint.control_errors.when_done(done, lambda result: result / 0, error_code="timeout")
    done.set_result(1)
    assert _guard.FAILURES["count what a task has done"] == 1
    assert count(probe) == 0


CANCELLED = [asyncio.CancelledError, concurrent.futures.CancelledError]


def raising(error):
    """Return a function of a result that raises *error*."""

    def value(_result):
        raise error

    return value


@pytest.mark.parametrize("error", [*CANCELLED, SystemExit, KeyboardInterrupt])
def test_whatever_a_function_raises_the_executor_goes_on(probe, error, caplog):
    """Nobody waits for ever for what is done, and no thread of the pool ends of it."""
    probe.start("all")
    gate = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(gate.wait, 30)
        checkpoint.control_errors.when_done(first, raising(error), error_code="timeout")
        gate.set()
        assert concurrent.futures.wait([first], 30).done
        assert pool.submit(int, "3").result(30) == 3
    assert _guard.FAILURES == {"count what a task has done": 1}
    assert caplog.text.count("could not count what a task has done") == 1
    assert count(probe) == 0


@pytest.mark.parametrize("error", CANCELLED)
def test_a_cancellation_that_a_function_meets_is_of_nobody_here(probe, error):
    """Neither who asks, where it is done already, nor the loop is told of it."""
    probe.start("all")
    told = []

    async def main():
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, context: told.append(context))
        task = asyncio.ensure_future(write())
        checkpoint.control_errors.when_done(task, raising(error), error_code="timeout")
        await task
        await asyncio.sleep(0)
        checkpoint.control_errors.when_done(task, raising(error), error_code="internal")

    asyncio.run(main())
    assert not told
    assert _guard.FAILURES == {"count what a task has done": 2}


def test_what_ends_the_process_ends_it(probe):
    """Ctrl-C while a function runs on the main thread is no failure of telemetry."""
    probe.start("all")
    done: Future[int] = Future()
    done.set_result(1)
    with pytest.raises(KeyboardInterrupt):
        checkpoint.control_errors.when_done(done, raising(KeyboardInterrupt), error_code="timeout")
    assert not _guard.FAILURES


def test_a_task_may_raise_anything(probe):
    """Whatever it is asked; it is told again, since it was not watched."""
    probe.start("all")

    class Cancelled:
        def done(self):
            raise asyncio.CancelledError

    task = Cancelled()
    watch(task)
    watch(task)
    assert _guard.FAILURES == {"count what a task does": 2}


def test_off_it_asks_nothing_of_the_task():
    """While no metrics export, a task is not even looked at."""
    watch(Hostile())
    assert not _guard.FAILURES
    with pytest.raises(TypeError):
        checkpoint.control_errors.when_done(Hostile(), 1, code="timeout")
