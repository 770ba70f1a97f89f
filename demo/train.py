"""A training loop of a few steps: each collects rollouts and trains, some save a checkpoint."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Mapping
from typing import Final

import telewright
from demo.collect import collect
from demo.telemetry import reporting
from telewright.rl import checkpoint, training
from telewright.rl import rollout as rl_rollout
from telewright.rl.training import Algorithm

GRPO: Final = Algorithm.GRPO
BATCH: Final = 3
WORK: Final = 0.01


def main(steps: int) -> None:
    """Train for *steps* steps."""
    with reporting("trainer", process="driver", resource=training.run(algorithm=GRPO)):
        with training.job(GRPO):
            finalizers = loop(steps)
        for thread in finalizers:
            thread.join()
    print(f"trained {steps} steps, {len(finalizers)} checkpoints", flush=True)


def loop(steps: int) -> list[threading.Thread]:
    """Run the steps; return the threads that make checkpoints durable."""
    finalizers: list[threading.Thread] = []
    with training.validation(), training.evaluate(GRPO, iteration=0):
        time.sleep(WORK)
    for number in range(1, steps + 1):
        with training.iteration(number), training.step(GRPO, weight_version=number - 1):
            step(number)
            if number % 2 == 1:
                finalizers.append(save())
    return finalizers


def step(number: int) -> None:
    """Collect one batch of rollouts and train on it."""
    with training.data_processing(GRPO):
        time.sleep(WORK)
    with rl_rollout.generation(GRPO, weight_version=number - 1):
        # These dispatches have the step above them, which is not theirs: they nest.
        rewards = asyncio.run(collect(range(100 * number, 100 * number + BATCH)))
    with training.reward_calculation(GRPO):
        training.reward_mean.set(sum(rewards) / len(rewards))
    with training.policy_and_reference_logprobs(GRPO):
        time.sleep(WORK)
    with training.advantage_calculation(GRPO):
        time.sleep(WORK / 2)
    with training.policy_training(GRPO):
        time.sleep(3 * WORK)
        training.policy_loss.set(1 / number)
        training.grad_norm.set(2 / number)


def save() -> threading.Thread:
    """Stage a checkpoint, and leave making it durable to a thread."""
    with checkpoint.save(GRPO):
        time.sleep(WORK)
        thread = threading.Thread(target=finalize, args=[telewright.carrier()])
        thread.start()
        return thread


def finalize(carrier: Mapping[str, str]) -> None:
    """Make a checkpoint durable, under the step that staged it."""
    with telewright.within(carrier), checkpoint.finalize():
        time.sleep(8 * WORK)


if __name__ == "__main__":
    main(int(sys.argv[1]))
