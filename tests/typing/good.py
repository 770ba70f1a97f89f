"""What a caller may write: both checkers accept it, and it runs with telemetry off."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, assert_type

import telewright
import telewright.ray
from telewright.base import Measured, Resource, Scope, Span
from telewright.gym import checkpoint, configuration, groups, rollout, sandbox
from telewright.gym import checkpoint_health as health
from telewright.gym.checkpoint import (
    CheckpointEvent,
    CheckpointOperation,
    ControlErrorCode,
    Outcome,
    ParticipantKind,
)
from telewright.gym.rollout import FailureKind, RolloutOutcome
from telewright.nv import common, dl
from telewright.rl import training
from telewright.rl.training import Algorithm

if TYPE_CHECKING:
    from telewright.base import Point

COMMIT, AGENT = CheckpointOperation.COMMIT, ParticipantKind.AGENT

with checkpoint.operation(COMMIT, checkpoint_id="c", participant_kind=AGENT) as operation:
    assert_type(operation, checkpoint.Operation)
    operation.set(records=3)
    operation.set(outcome=Outcome.ERROR, records=4)
    if operation.on:
        operation.set(records=len([1, 2]))
    operation.fail(ControlErrorCode.OTHER)
    operation.fail("agent:odd")
    operation.failures.append(ValueError())
    with (
        checkpoint.export(checkpoint_id="c", participant_kind=AGENT) as export,
        checkpoint.write(checkpoint_id="c", participant_kind=AGENT, instance=None),
    ):
        assert_type(export, Span)

with rollout.job() as job, rollout.dispatch(dispatch_name="env", rollout_id=None) as dispatch:
    assert_type(job, Span)
    assert_type(dispatch, Span)

with sandbox.exec_(provider="docker") as command:
    assert_type(command, sandbox.Exec)
    measured: Measured = command
    command.set(return_code=0)

if rollout.GATE.on or groups.JOB.timed:
    raise AssertionError

with training.iteration(412) as scope, training.step(Algorithm.GRPO, epoch=None) as step:
    assert_type(scope, Scope)
    assert_type(step, Span)

checkpoint.events.add(event=CheckpointEvent.LEASE_EXPIRED, checkpoint_id="c")
checkpoint.events.add(event=CheckpointEvent.LEASE_EXPIRED)
checkpoint.records.add(3, operation=COMMIT, participant_kind=AGENT, checkpoint_id="c", instance="a")
checkpoint.control_errors.add(error_code=ControlErrorCode.OTHER)
checkpoint.control_errors.add(error_code="agent:odd")
checkpoint.operation_duration_ms.record(
    1.5, operation=COMMIT, participant_kind=AGENT, outcome=Outcome.OK
)
rollout.completed.add(
    outcome=RolloutOutcome.SCORED, dispatch_name="env", failure_kind=FailureKind.CANCELLED
)


def count(writing: asyncio.Task[bytes], reading: Future[list[str]]) -> None:
    """Count what tasks and futures do, by number or by result."""
    checkpoint.control_errors.when_done(writing, error_code=ControlErrorCode.OTHER)
    checkpoint.control_errors.when_done(writing, len, error_code="agent:odd")
    checkpoint.control_errors.when_done(
        reading, lambda lines: len(lines) + 1, error_code="agent:odd"
    )
    checkpoint.operation_duration_ms.when_done(
        reading, lambda lines: len(lines[0]) / 2, operation=COMMIT, outcome=Outcome.OK
    )
    assert_type(telewright.carrying(ThreadPoolExecutor(1)), ThreadPoolExecutor)
    with telewright.detached(), rollout.dispatch(dispatch_name="env").between(1.5, 2) as past:
        assert_type(past, Span)


sandbox.active.add(-1, provider="docker")
training.reward_mean.set(0.5)

resource = dl.training(tp=2)
assert_type(resource, Resource)
assert_type(dl.training(tp=2, pp=None), Resource)


@health.oldest_task_age.observe
def age() -> "Iterator[Point]":
    """Read the age."""
    yield health.oldest_task_age.point(
        1, task=health.CheckpointTask(next(iter(health.CheckpointTask)))
    )


@telewright.traced(rollout.job)
def plain(a: int, *, b: str = "") -> str:
    """Keep the signature."""
    return b * a


@telewright.ray.carried
class Task:
    """Have what tasks and methods of actors have."""

    def remote(self, number: int) -> str:
        """Take what the callable takes."""
        return str(number)


@telewright.traced(rollout.job)
async def coroutine(a: int) -> int:
    """Keep the signature."""
    return a


@telewright.traced(rollout.job)
async def stream(n: int) -> AsyncIterator[int]:
    """Keep the signature."""
    for each in range(n):
        yield each


assert_type(plain(1, b="x"), str)
assert_type(asyncio.run(coroutine(1)), int)
assert_type(telewright.carry(plain)(1), str)
assert_type(telewright.carrier(), dict[str, str])
assert_type(telewright.environment(), dict[str, str])
assert_type(telewright.ray.carried(plain)(1, b="x"), str)
assert_type(telewright.ray.call(Task(), 1), str)
assert_type(telewright.ray.flush([], timeout=1.0, first="halt"), bool)
assert_type(training.reward_mean.bound({}).set(1.5), None)
assert_type(
    checkpoint.control_errors.bound({checkpoint.NEMO_GYM_CHECKPOINT_ERROR_CODE: "x"}).add(), None
)
assert_type(Outcome("ok"), Outcome)
assert_type(next(iter(CheckpointOperation)), CheckpointOperation)
key: str = checkpoint.NEMO_GYM_CHECKPOINT_ID
name: str = CheckpointOperation.COMMIT.value
same: type[common.Outcome] = checkpoint.Outcome


def exhaustive(outcome: RolloutOutcome) -> int:
    """Name every member and need no default."""
    match outcome:
        case RolloutOutcome.SCORED:
            return 0
        case RolloutOutcome.FAILED:
            return 1
        case RolloutOutcome.OMITTED:
            return 2


settings = configuration.read({"telemetry": {"span_groups": "job"}}, environ={})
assert_type(settings.enabled, bool)
assert_type(settings.otlp_endpoint, str | None)
assert_type(settings.memory_profiling_interval, float)
assert_type(settings.span_groups, str)
if settings.enabled:
    telewright.start(**settings.arguments())
