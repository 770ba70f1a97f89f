"""Forked children: nothing of the parent's, and a pipeline of their own when they need one."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

import telewright
from telewright import _start
from tests import soak
from tests.runtime.receiver import values
from tests.runtime.sample import kiln
from tests.runtime.sample.kiln import Stage

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")


def in_child(work):
    """Run *work* in a forked child and fail if it fails or hangs."""
    child = os.fork()
    if not child:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.behaviour("B092")
def test_a_child_exports_its_own_spans_and_none_of_the_parents(receiver):
    """What the parent has open or queued is the parent's, to export once."""
    telewright.start("kiln.firing", service="pottery")
    with kiln.heat():
        pass

    def work():
        assert telewright.stats().made == 0
        with kiln.write() as span:
            assert span.on
        assert telewright.stop()
        assert telewright.stats().made == telewright.stats().exported == 1

    with kiln.fire(Stage.COOL, batch="b", kind="k"):
        in_child(work)
    assert telewright.stop()
    assert sorted(span.name for span in receiver.spans) == [
        "kiln.fire.cool",
        "kiln.heat",
        "kiln.write",
    ]
    pids = {
        values(r.resource.attributes)["process.pid"]
        for q in receiver.traces
        for r in q.resource_spans
    }
    instances = {
        values(r.resource.attributes)["service.instance.id"]
        for q in receiver.traces
        for r in q.resource_spans
    }
    runs = {
        values(r.resource.attributes)["nemo.run.id"]
        for q in receiver.traces
        for r in q.resource_spans
    }
    assert (len(pids), len(instances), len(runs)) == (2, 2, 1)


def test_a_childs_spans_continue_the_trace_it_was_forked_in(receiver):
    """The span that was current goes on as the parent of the child's, without being touched."""
    telewright.start("default,kiln.firing")

    def work():
        with kiln.write():
            pass
        with kiln.pot(potter="ann"):
            pass
        assert telewright.stop()

    with kiln.shift():
        in_child(work)
    assert telewright.stop()
    shift = receiver.span("kiln.shift")
    for name in ("kiln.write", "kiln.pot"):
        span = receiver.span(name)
        assert (span.trace_id, span.parent_span_id) == (shift.trace_id, shift.span_id)
        assert not span.links


def test_a_block_that_the_child_leaves_is_still_the_parents(receiver):
    """A child that falls out of the parent's blocks ends none of its spans."""
    telewright.start("kiln.firing")
    child = 0
    with kiln.fire(Stage.COOL, batch="b", kind="k") as span:
        child = os.fork()
        if not child:
            span.set(shelves=99)
    if not child:
        made = telewright.stats().made
        os._exit(made)
    assert os.waitpid(child, 0)[1] == 0
    assert telewright.stop()
    assert "kiln.shelves" not in values(receiver.span("kiln.fire.cool").attributes)


def test_metrics_of_a_child_begin_at_zero(receiver):
    """No series of the parent's is exported by the child, and what it counted once counts again."""
    telewright.start("kiln.firing")
    kiln.faults.add(5, code="timeout")
    kiln.pots.add(7, stage=Stage.COOL, batch="b1")

    def work():
        kiln.pots.add(1, stage=Stage.COOL, batch="b1")
        assert telewright.stop()

    in_child(work)
    assert receiver.metric_names == {"kiln.pots_total"}
    (request,) = receiver.metrics
    (metric,) = request.resource_metrics[0].scope_metrics[0].metrics
    assert [point.as_int for point in metric.sum.data_points] == [1]


def test_a_child_that_needs_nothing_starts_nothing(receiver):
    """No thread, no socket, no pipeline before the first span."""
    telewright.start("kiln.firing")

    def work():
        assert _start.STATE.pipeline is None
        assert threading.active_count() == 1
        with kiln.pot(potter="ann") as shut:
            assert not shut.live
        assert _start.STATE.pipeline is None
        assert telewright.stop()

    in_child(work)
    assert not receiver.spans


def test_a_child_that_sleeps_says_which_groups_nobody_declares(receiver):
    """`select` answers there as everywhere, and nothing is started for it."""
    telewright.start("kiln.firing")

    def work():
        assert telewright.select("kiln.firing,kiln.nobody") == {"kiln.nobody"}
        assert telewright.select("kiln.firing") == frozenset()
        assert _start.STATE.pipeline is None

    in_child(work)
    assert not receiver.spans


@pytest.mark.behaviour("B091")
def test_ids_differ_between_children(receiver):
    """Nobody repeats another's."""
    telewright.start("kiln.firing")

    def work():
        with kiln.heat():
            pass
        telewright.stop()

    for _ in range(3):
        in_child(work)
    work()
    assert len({span.span_id for span in receiver.spans}) == 4


def test_a_grandchild_does_as_a_child(receiver):
    """A fork of a fork, before and after that one has begun."""
    telewright.start("kiln.firing")

    def write():
        with kiln.write():
            pass
        assert telewright.stop()

    def work():
        in_child(write)
        with kiln.heat():
            pass
        in_child(write)
        assert telewright.stop()

    in_child(work)
    telewright.stop()
    assert sorted(span.name for span in receiver.spans) == ["kiln.heat", "kiln.write", "kiln.write"]


def test_tracers_of_others_work_in_a_child(receiver):
    """A library that got its tracer before the fork records in the child's pipeline."""
    from opentelemetry import trace

    theirs = trace.get_tracer("theirs")
    telewright.start("kiln.firing")
    theirs.start_span("before").end()

    def work():
        theirs.start_span("inside").end()
        assert telewright.stop()
        assert telewright.stats().exported == 1

    def work_in_a_block():
        with theirs.start_as_current_span("block"), kiln.heat():
            pass
        assert telewright.stop()
        assert telewright.stats().exported == 2

    in_child(work)
    in_child(work_in_a_block)
    telewright.stop()
    names = sorted(span.name for span in receiver.spans)
    assert names == ["before", "block", "inside", "kiln.heat"]
    assert receiver.span("kiln.heat").parent_span_id == receiver.span("block").span_id


def test_a_decorated_function_records_where_it_is_called(receiver):
    """Each call asks for the tracer of then: in a child, after another start, and in coroutines."""
    from opentelemetry import trace

    telewright.start("kiln.firing")
    theirs = trace.get_tracer("theirs")

    @theirs.start_as_current_span("plain")
    def plain(number):
        return number, trace.get_current_span().is_recording()

    @theirs.start_as_current_span("awaited")
    async def awaited():
        await asyncio.sleep(0)
        return trace.get_current_span().is_recording()

    def work():
        assert plain(number=1) == (1, True)
        assert asyncio.run(awaited())

    def work_in_child():
        work()
        assert telewright.stop()
        assert telewright.stats().exported == 2

    in_child(work_in_child)
    telewright.stop()
    assert plain(2) == (2, False)
    with telewright.start("kiln.firing"):
        work()
    assert plain.__name__ == "plain"
    assert sorted(span.name for span in receiver.spans) == 2 * ["awaited"] + 2 * ["plain"]


def _task(number):
    with kiln.fire(Stage.COOL, batch=str(number), kind="k"):
        pass


def test_workers_of_multiprocessing_export_before_they_end(receiver):
    """They end without ``atexit``; what they recorded arrives all the same."""
    telewright.start("kiln.firing", metrics=False)
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_task, args=(number,)) for number in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(30)
    telewright.stop()
    found = sorted(values(span.attributes)["kiln.batch"] for span in receiver.spans)
    assert found == ["0", "1", "2"]


def forks(run, which, count, folder):
    """Fork *count* children under four threads that record; return how that went."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.runtime.forks", which, str(count)]
    done = run.follow([*command, str(folder)], patience=120, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return {**json.loads(done.stdout), "said": done.stderr}


@pytest.mark.behaviour("B093")
@pytest.mark.parametrize("tier", ["ours", "fast"])
@pytest.mark.parametrize("count", [10, pytest.param(5_000, marks=pytest.mark.soak)])
def test_locks_that_are_held_at_the_fork_hold_no_child_up(tmp_path, count, tier, request):
    """B093: under four threads that record, every child records, stops and ends."""
    asked = len(soak.part(count))
    found = forks(soak.begin(request), tier, asked, tmp_path)
    assert (found["hung"], found["failed"], found["wrote"]) == (0, 0, asked), found["said"]


HELD = """
    import os, select, signal, sys, threading, telewright
    from telewright._guard import LOCK
    from tests.runtime.sample import kiln
    telewright.start("kiln.firing", exporter="file", path=sys.argv[1])
    held, forking, forked = (threading.Event() for _ in range(3))
    os.register_at_fork(before=forking.set, after_in_parent=forked.set)

    def hold():
        with LOCK:
            held.set()
            forking.wait()
            forked.wait(0.5)  # which is never, if the fork waits for this lock

    threading.Thread(target=hold, daemon=True).start()
    held.wait()
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        kiln.faults.add(1, code="timeout")
        os.write(writer, b"recorded")
        os._exit(0)
    ready, _, _ = select.select([reader], [], [], 30)
    os.kill(child, signal.SIGKILL)
    print(os.read(reader, 99).decode() if ready else "hung", flush=True)
    os._exit(0)
"""


@pytest.mark.behaviour("B093")
def test_a_fork_waits_for_a_lock_that_a_thread_holds(tmp_path):
    """The child would wait for ever: the thread that could let go of it is not in the child."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(HELD), tmp_path / "{pid}.jsonl"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.split() == ["recorded"]


def test_children_that_hang_are_noticed(tmp_path, request):
    """The positive control: the same with the SDK's own; what a child hangs at is said."""
    run = soak.begin(request)
    tries = (forks(run, "plain", 12, tmp_path) for _ in range(40))  # most have one
    found = next(one for one in tries if one["hung"])
    assert "Fatal Python error: Aborted" in found["said"]
    assert "most recent call first" in found["said"]


@pytest.mark.behaviour("B082")
@pytest.mark.parametrize(
    "end", ["", "sys.exit(3)", "raise ValueError('x')", "threading.Thread(target=sys.exit).start()"]
)
def test_a_process_that_forgets_to_stop_exports_at_its_end(receiver, end):
    """By falling off the end, by exit, or by an exception nobody caught."""
    code = f"""
        import sys, threading, telewright
        from tests.runtime.sample import kiln
        telewright.start("kiln.firing")
        open_ = kiln.write().open()
        with kiln.heat():
            pass
        {end}
    """
    subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=ROOT,
        check=False,
        capture_output=True,
        timeout=60,
    )
    assert [span.name for span in receiver.spans] == ["kiln.heat", "kiln.write"]
