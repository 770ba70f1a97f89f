"""What is counted, when, and by whom, with the helpers of Gym and RL."""

from __future__ import annotations

import os
from concurrent.futures import Future

import pytest

import telewright
from telewright.gym import checkpoint, rollout
from telewright.gym.checkpoint import CheckpointOperation, ControlErrorCode, ParticipantKind
from telewright.gym.rollout import RolloutOutcome
from telewright.rl import efficiency
from telewright.rl.efficiency import EfficiencyCategory

CODE = next(iter(ControlErrorCode))
OUTCOME = next(iter(RolloutOutcome))
RESTORE = {
    "operation": CheckpointOperation.RESTORE,
    "participant_kind": ParticipantKind.AGENT,
    "checkpoint_id": "ckpt-1",
    "instance": "agent-0",
}


@pytest.mark.behaviour("B117")
@pytest.mark.parametrize("leaving", ["return", "break", "raise"])
def test_a_loop_that_polls_is_one_span_whichever_way_it_is_left(probe, leaving):
    """It says how often it polled, and the run goes on with nothing open."""
    probe.start("all")

    def wait():
        category = EfficiencyCategory.IDLE_BUFFER_STARVATION
        with efficiency.buffer_starvation(category=category) as idle:
            polls = 0
            while True:
                polls += 1
                idle.set(polls=polls)
                if polls == 3:
                    if leaving == "return":
                        return
                    if leaving == "break":
                        break
                    raise LookupError

    for _ in range(2):
        if leaving == "raise":
            with pytest.raises(LookupError):
                wait()
        else:
            wait()
    assert [span.attributes["rl.idle.polls"] for span in probe.spans] == [3, 3]
    assert {span.parent_id for span in probe.spans} == {None}


@pytest.mark.behaviour("B141")
def test_a_restore_counts_once_after_its_install(probe):
    """While it is under way, or where it failed, nothing is counted; twice told is once."""
    probe.start("")
    failed, installed = Future(), Future()
    for install in (failed, installed, installed):
        checkpoint.records.when_done(install, 7, **RESTORE)
    failed.set_exception(OSError())
    assert probe.points("gym.checkpoint.records_total") == {}
    installed.set_result(None)
    checkpoint.records.add(7, **RESTORE)
    assert list(probe.points("gym.checkpoint.records_total").values()) == [7]


@pytest.mark.behaviour("B143")
def test_a_failed_call_counts_where_it_is_routed(probe):
    """To say twice why it failed is one operation, and counts no error by itself."""
    probe.start("gym.checkpoint")
    operation = checkpoint.operation(
        CheckpointOperation.COMMIT, checkpoint_id="c", participant_kind=ParticipantKind.AGENT
    )
    with operation as answering:
        answering.fail(CODE)
        answering.fail(CODE)
    assert probe.points("gym.checkpoint.control_errors_total") == {}
    assert list(probe.counts("gym.checkpoint.operation_duration_ms").values()) == [1]
    checkpoint.control_errors.add(error_code=CODE)
    assert probe.points("gym.checkpoint.control_errors_total") == {(CODE,): 1}


@pytest.mark.behaviour("B144")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_of_several_workers_the_one_that_is_called_counts(receiver):
    """What it has counted is exported by it alone, and once."""
    telewright.start("", strict=True)
    for called in (True, False):
        child = os.fork()
        if not child:
            if called:
                checkpoint.control_errors.add(error_code=CODE)
            telewright.stop()
            os._exit(0)
        os.waitpid(child, 0)
    assert telewright.stop()
    found = [
        point.as_int
        for request in receiver.metrics
        for resource in request.resource_metrics
        for scope in resource.scope_metrics
        for metric in scope.metrics
        if metric.name == "gym.checkpoint.control_errors_total"
        for point in metric.sum.data_points
    ]
    assert found == [1]


@pytest.mark.behaviour("B145")
def test_an_attempt_counts_when_it_is_written_and_not_before(probe):
    """The answer is there, and nothing is counted until the row is, or fails to be."""
    probe.start("")
    written, lost = Future(), Future()
    for row in (written, lost):
        rollout.completed.when_done(row, outcome=OUTCOME, dispatch_name="math")
    assert probe.points("gym.rollout.completed_total") == {}
    lost.set_exception(OSError())
    written.set_result("row")
    assert list(probe.points("gym.rollout.completed_total").values()) == [1]
