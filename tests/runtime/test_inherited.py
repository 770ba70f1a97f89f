"""What was begun before a fork is the parent's: the child counts, splits and ends none of it."""

from __future__ import annotations

import os
from concurrent.futures import Future
from contextvars import copy_context

import pytest

import telewright
from telewright._group import METRICS
from telewright.gym import checkpoint
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
