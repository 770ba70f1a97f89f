"""What telemetry costs: the same work with telemetry on and off, over and over, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Final

from demo.processes import Process, servers
from demo.telemetry import FOLDER

BATCH: Final = 8
"""Rollouts of one round."""

WARM_UP: Final = 3


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds for one batch of rollouts, on and off, round by round."""

    on: list[float]
    off: list[float]

    def lines(self) -> Iterator[str]:
        """Yield the figures as a person reads them."""
        each = [1000 * seconds / BATCH for seconds in self.on]
        bare = [1000 * seconds / BATCH for seconds in self.off]
        more = [on - off for on, off in zip(each, bare, strict=True)]
        share = [100 * (on / off - 1) for on, off in zip(each, bare, strict=True)]
        yield f"  {'':<28} {'quartile':>9} {'median':>9} {'quartile':>9}"
        for name, values, unit in (
            ("a rollout, telemetry off", bare, "ms"),
            ("a rollout, telemetry on", each, "ms"),
            ("what telemetry added", more, "ms"),
            ("as a share", share, "%"),
        ):
            low, _, high = quantiles(values, n=4)
            yield f"  {name:<28} {low:>9.2f} {median(values):>9.2f} {high:>9.2f} {unit}"


def measure(folder: Path, pairs: int) -> Cost:
    """Run *pairs* of rounds against two sets of servers that stay up, one without telemetry.

    The model does not think here, so nothing hides what telemetry costs: a rollout is four HTTP
    requests over four processes on this machine, and nothing else.
    """
    with ExitStack() as stack:
        sides: dict[str, Process] = {}
        for name, env in {
            "on": {FOLDER: str(folder), "DEMO_THINKING": "0"},
            "off": {"TELEWRIGHT_OFF": "1", "DEMO_THINKING": "0"},
        }.items():
            _, where = stack.enter_context(servers(env))
            sides[name] = Process("demo.collect", env=where)
            stack.callback(sides[name].kill)
            sides[name].line()
        taken: dict[str, list[float]] = {"on": [], "off": []}
        for number in range(-WARM_UP, pairs):
            order = ("on", "off") if number % 2 else ("off", "on")
            for name in order:
                seconds = float(sides[name].ask(str(BATCH)))
                if number >= 0:
                    taken[name].append(seconds)
        for process in sides.values():
            process.end()
    return Cost(taken["on"], taken["off"])
