"""The driver that collects rollouts: it dispatches each of them to the agent server."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Iterable

import aiohttp

from demo.servers import Call, client, post
from demo.telemetry import reporting
from telewright.gym import rollout
from telewright.gym.rollout import RolloutOutcome

DISPATCH = "arithmetic"


async def dispatch(session: aiohttp.ClientSession, task: int) -> float:
    """Run one rollout on the agent server and return its reward."""
    rollout_id = f"{task}-0"
    with rollout.dispatch(dispatch_name=DISPATCH, rollout_id=rollout_id, destination="agent"):
        url = f"{os.environ['DEMO_AGENT']}/run"
        answer = await post(session, url, Call(task, rollout_id=rollout_id))
    reward = answer["reward"]
    rollout.completed.add(outcome=RolloutOutcome.SCORED, dispatch_name=DISPATCH)
    if reward > 0:
        rollout.rewarded.add(dispatch_name=DISPATCH)
    return reward


async def collect(tasks: Iterable[int]) -> list[float]:
    """Run the rollouts of *tasks* at the same time."""
    async with client() as session:
        return await asyncio.gather(*(dispatch(session, task) for task in tasks))


def main(number: int) -> None:
    """Collect *number* rollouts, as one job."""
    with reporting("driver", process="driver"), rollout.job():
        rewards = asyncio.run(collect(range(number)))
    print(f"collected {len(rewards)} rollouts, {sum(rewards):.0f} of them rewarded", flush=True)


def serve() -> None:
    """Collect as many rollouts as each line of input says, and answer with the seconds it took."""
    with reporting("driver", process="driver"), asyncio.Runner() as runner:
        print("serving 0", flush=True)
        for line in sys.stdin:
            begin = time.perf_counter()
            with rollout.job():
                runner.run(collect(range(int(line))))
            print(time.perf_counter() - begin, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1])) if len(sys.argv) > 1 else serve()
