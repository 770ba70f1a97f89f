"""What a caller may not write: every marked line is refused by both checkers, and no other."""

from concurrent.futures import Future

import telewright
import telewright.ray
from telewright.gym import checkpoint, configuration, rollout, sandbox
from telewright.gym import checkpoint_health as health
from telewright.gym.checkpoint import CheckpointOperation, Outcome, ParticipantKind
from telewright.gym.rollout import RolloutOutcome
from telewright.nv import dl
from telewright.rl import generation, training
from telewright.rl.training import RL_BUCKET, Algorithm, Bucket

COMMIT, AGENT = CheckpointOperation.COMMIT, ParticipantKind.AGENT
operation = checkpoint.operation(COMMIT, checkpoint_id="c", participant_kind=AGENT)
writing: Future[bytes] = Future()

checkpoint.operation(COMMIT, checkpointid="c", participant_kind=AGENT)  # error: misspelt
checkpoint.operation(COMMIT, checkpoint_id="c")  # error: a required attribute is missing
checkpoint.operation("commit", checkpoint_id="c", participant_kind=AGENT)  # error: text
checkpoint.operation(AGENT, checkpoint_id="c", participant_kind=AGENT)  # error: another enum
checkpoint.operation(COMMIT, "c", AGENT)  # error: positional
checkpoint.operation(COMMIT, checkpoint_id=1, participant_kind=AGENT)  # error: a number
CheckpointOperation.COMIT  # error: no such member
operation.set(outcome=RolloutOutcome.SCORED)  # error: the outcome of something else
operation.set(record=1)  # error: misspelt
operation.set(records="1")  # error: wrong type
operation.set(checkpoint_id="c")  # error: it is known from the start
operation.sett(records=1)  # error: no such method
operation.fail()  # error: no reason
operation.fail(404)  # error: a number for a code
operation.failures.append("late")  # error: not an exception
rollout.job().set(records=1)  # error: nothing to set
rollout.job().fail("late")  # error: no error code
checkpoint.operations  # error: no such name
checkpoint.events.add(checkpoint_id="c")  # error: which event?
checkpoint.events.add(event="lease_expired", checkpoint_id="c")  # error: text for a member
checkpoint.events.record(1)  # error: a counter adds
checkpoint.bytes_.add(1, operation=COMMIT, participant_kind=AGENT)  # error: once for what?
checkpoint.control_errors.add(error_code=404)  # error: open, but text
checkpoint.operation_duration_ms.record(operation=COMMIT, outcome=Outcome.OK)  # error: no value
sandbox.active.add(0.5, provider="docker")  # error: a whole number
checkpoint.control_errors.when_done(1, error_code="x")  # error: no task
checkpoint.control_errors.when_done(writing)  # error: a required attribute is missing
checkpoint.control_errors.when_done(writing, 1.5, error_code="x")  # error: a whole number
checkpoint.control_errors.when_done(writing, str, error_code="x")  # error: makes no number
sandbox.active.when_done(writing)  # error: counts nothing
rollout.dispatch(rollout_id="1-0")  # error: a required attribute is missing
rollout.GATE.enabled  # error: no such switch
training.step(Algorithm.GRPO, iterations=1)  # error: misspelt
training.iteration("412")  # error: wrong type
training.iteration()  # error: which one?
training.reward_mean.record(1.0)  # error: a gauge is set
training.reward_mean.bound({}).add(1)  # error: bound, too
checkpoint.control_errors.bound({}).add("x")  # error: no number
checkpoint.control_errors.bound(error_code="x")  # error: full keys, in a mapping
health.oldest_task_age.observe(lambda: [1.0])  # error: not points
dl.training(tp="2")  # error: wrong type
dl.training(2)  # error: positional
telewright.traced(training.step)  # error: it needs an algorithm
telewright.traced(training.iteration)  # error: not a span
telewright.within(412)  # error: not a carrier
telewright.environment({"RANK": 1})  # error: variables are text
telewright.ray.carried(412)  # error: no callable
telewright.ray.call(writing, 1)  # error: has no remote
Outcome.OK = Outcome.ERROR  # error: members are final
training.step(Algorithm.GRPO, bucket=Bucket.IDLE)  # error: an umbrella takes no bucket
training.evaluate(Algorithm.GRPO).set(bucket=Bucket.IDLE)  # error: nor later
training.job(Algorithm.GRPO).set(**{RL_BUCKET: Bucket.IDLE})  # error: nor by its key
generation.generate(bucket=Bucket.IDLE)  # error: a leaf's is its spec's to say
training.validation(Bucket.IDLE)  # error: the scope's too
configuration.read().enabld  # error: misspelt
configuration.read().otlp_endpoint.strip()  # error: may be None
configuration.read("telemetry.yaml")  # error: not a mapping
configuration.read(environ={"RANK": 1})  # error: variables are text
