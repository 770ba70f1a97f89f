"""Buckets and moved groups at run time, by RL's own helpers."""

from __future__ import annotations

import asyncio

import pytest

import telewright
from telewright import _announce
from telewright.base import Reclassified
from telewright.rl import checkpoint, data_plane, efficiency, generation, groups, rollout, training
from telewright.rl.data_plane import DataPlaneOperation
from telewright.rl.efficiency import EfficiencyCategory
from telewright.rl.training import RL_BUCKET, Algorithm


def bucket(probe, name):
    """Return the bucket of the one span called *name*."""
    return probe.span(name).attributes.get(RL_BUCKET)


def put():
    """Open and close one operation of the data plane."""
    with data_plane.operation(DataPlaneOperation.PUT):
        pass


@pytest.mark.behaviour("B210")
def test_a_leaf_carries_the_bucket_of_its_group(probe):
    """A leaf span carries exactly one bucket, from its start, that of its group."""
    probe.start("all")
    with generation.generate():
        pass
    with checkpoint.save(Algorithm.GRPO):
        pass
    assert bucket(probe, "rl.vllm.generate") == "productive"
    assert bucket(probe, "rl.grpo.checkpointing") == "overhead"


@pytest.mark.behaviour("B032")
def test_a_scope_of_a_bucket_may_carry_attributes(probe):
    """What it says is on its spans beside what the scope around it says, and alone as well."""
    probe.start("all")
    said, bucket = {"rl.algorithm": "grpo"}, (RL_BUCKET, "overhead")
    with Reclassified(said, rebucket=bucket), generation.generate():
        pass
    with training.iteration(7), Reclassified(said, rebucket=bucket), generation.generate():
        pass
    alone, inside = (span.attributes for span in probe.spans)
    assert alone["rl.algorithm"] == inside["rl.algorithm"] == "grpo"
    assert inside["rl.iteration"] == 7
    assert alone[RL_BUCKET] == inside[RL_BUCKET] == "overhead"


@pytest.mark.behaviour("B210", "B213")
def test_umbrellas_carry_none(probe):
    """Umbrella spans are bare, in a scope of buckets too, and so is what overlaps."""
    probe.start("all")
    with training.validation(), training.job(Algorithm.GRPO), training.evaluate(Algorithm.GRPO):
        with rollout.generation(Algorithm.GRPO):
            pass
        with efficiency.refit_event_wait(category=EfficiencyCategory.IDLE_REFIT_EVENT_WAIT):
            pass
        with rollout.per_prompt():
            put()
        assert _announce.announce()
    assert len(probe.spans) == 6  # the job and what announces it among them
    assert [span.name for span in probe.spans if RL_BUCKET in span.attributes] == []


@pytest.mark.behaviour("B031", "B032")
def test_validation_counts_as_overhead(probe):
    """A scope replaces what leaves have from their group, and only while it is open."""
    probe.start("all")
    with training.validation(), generation.generate():
        pass
    with generation.generate_text():
        pass
    assert bucket(probe, "rl.vllm.generate") == "overhead"
    assert bucket(probe, "rl.vllm.generate_text") == "productive"


@pytest.mark.behaviour("B031")
def test_a_category_keeps_its_bucket(probe):
    """What the spec of a span says itself wins over every scope."""
    probe.start("all")
    category = EfficiencyCategory.IDLE_REFIT_BUBBLE
    with training.validation(), efficiency.refit_bubble(category=category):
        pass
    assert bucket(probe, "rl.idle.refit_bubble") == "idle"


@pytest.mark.behaviour("B025")
def test_a_scope_of_buckets_follows_tasks(probe):
    """Coroutines started inside validation count as overhead; those outside do not."""
    probe.start("all")

    async def one(opens):
        await asyncio.sleep(0)
        with opens():
            pass

    async def run():
        with training.validation():
            inside = asyncio.create_task(one(generation.generate))
        await asyncio.gather(inside, one(generation.generate_text))

    asyncio.run(run())
    assert bucket(probe, "rl.vllm.generate") == "overhead"
    assert bucket(probe, "rl.vllm.generate_text") == "productive"


@pytest.mark.behaviour("B033", "B054")
def test_one_switch_turns_off_every_span_per_prompt(probe):
    """Inside the scope spans belong to `per_prompt`, which no preset has."""
    probe.start("per_step")
    put()
    with rollout.per_prompt():
        put()
        with rollout.run_rollouts(batch_size=1):
            pass
    assert [span.name for span in probe.spans] == ["rl.data_plane.put"]
    assert bucket(probe, "rl.data_plane.put") == "overhead"


@pytest.mark.behaviour("B033")
def test_the_switch_turns_them_on_alone(probe):
    """With that group alone they are recorded, without a bucket; outside there are none."""
    probe.start("per_prompt")
    put()
    with rollout.per_prompt(), training.validation(), rollout.run_rollouts(batch_size=1):
        put()
    assert [span.name for span in probe.spans] == ["rl.data_plane.put", "rl.gym.run_rollouts"]
    assert not any(RL_BUCKET in span.attributes for span in probe.spans)


@pytest.mark.behaviour("B022")
def test_leaving_the_scope_moves_spans_back(probe):
    """After the scope, also where it ended by an exception, spans are of their group."""
    probe.start("per_step")
    with pytest.raises(LookupError), rollout.per_prompt():
        raise LookupError
    put()
    assert bucket(probe, "rl.data_plane.put") == "overhead"


def test_a_moved_span_keeps_what_else_it_says(probe):
    """A span in another group has its attributes, its outcome and its scope as before."""
    probe.start("per_prompt")
    with (
        training.iteration(7),
        rollout.per_prompt(),
        data_plane.operation(DataPlaneOperation.GET, partition="train") as operation,
    ):
        operation.set(keys=3)
    assert probe.span("rl.data_plane.get").attributes == {
        "rl.iteration": 7,
        "rl.data_plane.op": "get",
        "rl.data_plane.partition": "train",
        "rl.data_plane.keys": 3,
        "rl.data_plane.status": "ok",
    }


def test_scopes_move_spans_in_carried_threads(probe):
    """What `carry` binds is inside the scope; a bare call elsewhere is not."""
    probe.start("per_prompt")
    with rollout.per_prompt():
        inside = telewright.carry(put)
    put()
    inside()
    assert len(probe.spans) == 1


def test_the_decorator_follows_the_scope(probe):
    """A traced function asks at each call which group its span belongs to."""
    probe.start("per_prompt")

    @telewright.traced(generation.generate)
    def generate():
        return 1

    assert generate() == 1
    with rollout.per_prompt():
        assert generate() == 1
    assert [span.name for span in probe.spans] == ["rl.vllm.generate"]
    assert bucket(probe, "rl.vllm.generate") is None


def test_gates_say_what_is_on_and_what_may_be(probe):
    """`on` is the group's own switch; `reached` also says that a scope may move its spans."""
    probe.start("per_prompt", metrics=False)
    gate = groups.DATA_PLANE
    assert (gate.on, gate.reached, gate.timed) == (False, True, True)
    probe.close()
    assert (gate.on, gate.reached, gate.timed) == (False, False, False)
    probe.start("data_plane", metrics=False)
    assert (gate.on, groups.STEP.reached, groups.PER_PROMPT.reached) == (True, False, False)


def test_off_is_off(probe):
    """With traces off, scopes and leaves are the objects of a shut gate."""
    probe.start("all", traces=False)
    with rollout.per_prompt() as scope, data_plane.operation(DataPlaneOperation.PUT) as operation:
        assert not scope.live
        assert not operation.live
    assert not training.validation().live


@pytest.mark.behaviour("B033")
def test_a_span_whose_own_bucket_it_is_loses_it_in_an_umbrella(probe):
    """What is moved to an umbrella has no bucket, also where its spec says one."""
    probe.start("all")
    category = EfficiencyCategory.IDLE_REFIT_BUBBLE
    with rollout.per_prompt(), efficiency.refit_bubble(category=category):
        pass
    assert probe.span("rl.idle.refit_bubble").attributes == {
        "rl.efficiency.category": "idle/refit_bubble"
    }


@pytest.mark.behaviour("B022")
def test_scopes_of_both_kinds_nest(probe):
    """Each scope changes its own, the inner one wins, and leaving restores the outer."""
    probe.start("all")
    with training.validation():
        with rollout.per_prompt():
            put()
        with generation.generate():
            pass
    assert bucket(probe, "rl.data_plane.put") is None
    assert bucket(probe, "rl.vllm.generate") == "overhead"
