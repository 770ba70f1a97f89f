"""What was begun before a fork is the parent's: the child counts, splits and ends none of it."""

from __future__ import annotations

import os
import signal
import threading
import time
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import copy_context

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace.export import SimpleSpanProcessor, SpanExporter

import telewright
from telewright import _start
from telewright._group import METRICS
from telewright.gym import checkpoint
from tests.runtime.interpreter import succeeds
from tests.runtime.receiver import values
from tests.runtime.sample import kiln
from tests.runtime.sample.kiln import Stage
from tests.runtime.test_fork import in_child

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning"),
    pytest.mark.parametrize("fast", [False, True]),
]

FIRING = {"batch": "b", "kind": "k"}


def counted(receiver, name):
    """Return what the parent and what its child exported last of a metric, as one number each."""
    found = {"parent": 0, "child": 0}
    for request in receiver.metrics:
        for resource in request.resource_metrics:
            pid = values(resource.resource.attributes)["process.pid"]
            for scope in resource.scope_metrics:
                for metric in scope.metrics:
                    if metric.name == name:
                        points = getattr(metric, metric.WhichOneof("data")).data_points
                        found["parent" if pid == os.getpid() else "child"] = sum(
                            point.count if hasattr(point, "count") else point.as_int
                            for point in points
                        )
    return found


@pytest.mark.parametrize("groups", ["all", "kiln.nothing"])
@pytest.mark.parametrize("way", ["block", "opened", "dated"])
def test_an_operation_that_is_open_at_a_fork_is_timed_once(fast, way, groups, receiver):
    """By the parent, whoever leaves the block, and whether it has a span; the child's own by it."""
    with telewright.start(groups, fast=fast):
        begun = kiln.fire(Stage.COOL, **FIRING)
        block = begun.between(1_000, 5_000) if way == "dated" else begun
        if way == "opened":
            begun.open()
        else:
            block.__enter__()

        def end():
            if way == "opened":
                begun.close()
            else:
                block.__exit__(None, None, None)

        def work():
            assert METRICS.on
            end()
            with kiln.fire(Stage.COOL, **FIRING):
                pass
            assert telewright.stop()

        in_child(work)
        end()
    assert counted(receiver, "kiln.firing_ms") == {"parent": 1, "child": 1}


def test_an_operation_that_is_open_while_telemetry_begins_anew_is_timed(fast, receiver):
    """Stopping ends its span, not the operation: this is the same process."""
    telewright.start("all", fast=fast)
    with kiln.fire(Stage.COOL, **FIRING):
        telewright.stop()
        telewright.start("all", fast=fast)
    telewright.stop()
    assert counted(receiver, "kiln.firing_ms") == {"parent": 1, "child": 0}


def test_what_a_task_of_the_parent_does_is_counted_by_it(fast, receiver):
    """The child's copy of the task counts what the child asks for, and nothing else."""
    errors, asked, both = checkpoint.control_errors, Future(), Future()
    with telewright.start("all", fast=fast):
        errors.when_done(asked, 2, error_code="timeout")
        errors.when_done(both, 5, error_code="timeout")

        def work():
            errors.when_done(both, 11, error_code="timeout")
            asked.set_result(None)
            both.set_result(None)
            assert telewright.stop()

        in_child(work)
        asked.set_result(None)
        both.set_result(None)
    assert counted(receiver, errors.name) == {"parent": 7, "child": 11}


def test_a_linked_root_of_a_child_goes_on_in_the_parent_s_trace(fast, receiver):
    """Even in a task that was made before the fork: who owns the trace is another process."""

    def pot():
        with kiln.pot(potter="ann"):
            pass

    def work():
        task.run(pot)
        assert telewright.stop()

    with telewright.start("all", fast=fast), kiln.shift():
        task = copy_context()
        in_child(work)
    shift, made = receiver.span("kiln.shift"), receiver.span("kiln.pot")
    assert (made.trace_id, made.parent_span_id) == (shift.trace_id, shift.span_id)
    assert not made.links


PATIENCE = 30.0
"""Seconds that a child has which would otherwise hang for ever."""


def child_of(block):
    """Fork inside *block*, and return how the child ended that leaves it; a signal if it hung."""
    child, code = None, 1
    try:
        with block:
            child = os.fork()
            if child:
                ended = exit_of(child)
        code = 0
    finally:
        if child == 0:
            os._exit(code)
    return ended


def exit_of(child):
    """Return how *child* ended, which may hang."""
    deadline = time.monotonic() + PATIENCE
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
        time.sleep(0.001)


@contextmanager
def inside(block, held):
    """Be in *block* while another thread is in *held*; a child is left without that thread."""
    begun, over = threading.Event(), threading.Event()

    def hold():
        with held:
            begun.set()
            over.wait()

    thread, parent = threading.Thread(target=hold), os.getpid()
    with block:
        thread.start()
        begun.wait()
        yield
        if os.getpid() == parent:
            over.set()
            thread.join()


def test_a_span_of_others_that_ends_in_the_child_too_waits_for_no_count(
    fast, receiver, monkeypatch
):
    """Its queue is full, and the thread that was counting that is not in the child."""
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "1")
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "1")
    theirs = trace.get_tracer("theirs")
    receiver.delay = 5.0
    telewright.start("all", fast=fast)
    made, dropped = 0, {}
    while made - sum(dropped.values()) < 2 or not dropped:  # one is on its way, and one waits
        theirs.start_span("before").end()
        time.sleep(0.001)
        made, dropped = telewright.stats().made, telewright.stats().dropped
    counting = _start.STATE.pipeline.books.spans.lock
    assert child_of(inside(theirs.start_as_current_span("theirs"), counting)) == 0
    telewright.stop(0)


class Slow(list):
    """A value that another thread takes its time to read."""

    def __init__(self):
        super().__init__("x")
        self.begun, self.over = threading.Event(), threading.Event()

    def __iter__(self):
        self.begun.set()
        self.over.wait()
        return super().__iter__()


def test_a_span_of_others_that_is_written_on_at_the_fork_holds_no_child_up(fast, receiver):
    """The child's copy takes nothing, and is the parent's to end; the parent's goes on."""
    theirs, slow = trace.get_tracer("theirs"), Slow()
    with telewright.start("all", fast=fast):
        block = theirs.start_as_current_span("theirs")

        @contextmanager
        def written_on():
            with block as span:
                thread = threading.Thread(target=span.set_attribute, args=("slow", slow))
                thread.start()
                slow.begun.wait()
                parent = os.getpid()
                yield
                if os.getpid() == parent:
                    slow.over.set()
                    thread.join()
                else:
                    span.set_attribute("child", value=True)
                    span.add_event("child")
                    assert not span.is_recording()

        assert child_of(written_on()) == 0
    assert values(receiver.span("theirs").attributes)["slow"] == ["x"]


class Told(SpanExporter):
    """Says to whom it may concern that something was exported."""

    def __init__(self, told):
        self.told = told

    def export(self, spans):
        """Say which spans there were, and where."""
        os.write(self.told, "".join(f"{span.name} {os.getpid()}\n" for span in spans).encode())


def test_processors_of_others_hear_of_a_span_once(fast, receiver):
    """In the process that opened it; they are the parent's, like the span."""
    reader, writer = os.pipe()
    theirs = trace.get_tracer("theirs")
    with telewright.start("all", fast=fast):
        trace.get_tracer_provider().add_span_processor(SimpleSpanProcessor(Told(writer)))
        with kiln.heat():
            ours = trace.get_current_span()
            in_child(ours.end)
            assert child_of(theirs.start_as_current_span("theirs")) == 0
    os.close(writer)
    with os.fdopen(reader) as said:
        told = said.read().splitlines()
    assert sorted(told) == [f"{name} {os.getpid()}" for name in ("kiln.heat", "theirs")]
    assert receiver.span("theirs")


def test_a_fork_of_a_fork_waits_for_nothing_of_the_sdk(tmp_path, fast):
    """No provider detects resources again before a child goes on, on threads that it may not get.

    The SDK's own hook would first load a pool in the child, and wait for its lock in the next one.
    """
    lines, _ = succeeds(f"""
        import os, sys
        import telewright
        from tests.runtime.sample import kiln
        telewright.start("all", exporter="file", path={str(tmp_path / "out.jsonl")!r}, fast={fast})
        if not os.fork():
            if not os.fork():
                os._exit("concurrent.futures.thread" in sys.modules)
            os._exit(os.waitstatus_to_exitcode(os.wait()[1]))
        print(os.waitstatus_to_exitcode(os.wait()[1]))
    """)
    assert lines == ["0"]
