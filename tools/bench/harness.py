"""Compares pieces of code fairly on a noisy machine: interleaved, in one process, as ratios.

Every case is a statement, compiled into a loop of its own. A round runs each case once, in a new
order; what an empty loop took in the same round is subtracted. A machine that is busy for a second
is then busy for all of them, and the median over the rounds of *case divided by base* says what no
single timing can. Time is the thread's own, so that what others run meanwhile does not count.
"""

from __future__ import annotations

import gc
import random
import textwrap
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import repeat
from statistics import median
from typing import Any, Final

UNROLLED: Final = 4
"""How often a statement stands in its loop, so that the loop itself weighs less."""

ROUND_NS: Final = 2_000_000
"""What one case may take in one round."""

_SMALLEST: Final = 0.01
_EMPTY: Final = ""


@dataclass(slots=True)
class Bench:
    """Cases that are timed together."""

    rounds: int = 61
    names: Mapping[str, Any] = field(default_factory=dict)
    """What the statements refer to."""
    between: Callable[[], object] = bool
    """Called before each round, outside all timing: empties queues, so that none runs full."""
    _loops: dict[str, Callable[[int], float]] = field(default_factory=dict)
    _net: dict[str, list[float]] = field(default_factory=dict)

    def add(self, name: str, statement: str, *, is_async: bool = False) -> None:
        """Add a statement; it is awaited inside a coroutine if *is_async*."""
        self._loops[name] = _compile(statement, self.names, is_async=is_async)

    def run(self) -> None:
        """Time every case in every round."""
        self._loops[_EMPTY] = _compile("pass", {}, is_async=False)
        counts = {name: _count(loop) for name, loop in self._loops.items()}
        raw: dict[str, list[float]] = {name: [] for name in self._loops}
        order = list(self._loops)
        collected = gc.isenabled()
        gc.collect()
        gc.disable()
        try:
            for _ in range(self.rounds):
                self.between()
                random.shuffle(order)
                for name in order:
                    taken = self._loops[name](counts[name])
                    raw[name].append(taken / (counts[name] * UNROLLED))
        finally:
            if collected:
                gc.enable()
        empty = raw.pop(_EMPTY)
        self._net = {
            name: [max(one - zero, _SMALLEST) for one, zero in zip(times, empty, strict=True)]
            for name, times in raw.items()
        }

    def __contains__(self, name: str) -> bool:
        return name in self._net

    def ns(self, name: str) -> float:
        """Return what one execution of a case takes."""
        return median(self._net[name])

    def ratio(self, name: str, base: str) -> float:
        """Return how many times as long as *base* a case takes."""
        pairs = zip(self._net[name], self._net[base], strict=True)
        return median(one / other for one, other in pairs)

    def added(self, name: str, base: str, unit: str) -> float:
        """Return what a case takes more than *base*, in units of what *unit* takes."""
        rows = zip(self._net[name], self._net[base], self._net[unit], strict=True)
        return median((one - other) / call for one, other, call in rows)


def _compile(statement: str, names: Mapping[str, Any], *, is_async: bool) -> Callable[[int], float]:
    body = textwrap.indent(textwrap.dedent(statement).strip("\n"), " " * 8)
    head = "async def loop(times):" if is_async else "def loop(times):"
    source = "\n".join([head, "    for _ in times:", *repeat(body, UNROLLED)])
    space = dict(names)
    exec(compile(source, "<case>", "exec"), space)  # noqa: S102 - the cases of this folder
    loop = space["loop"]
    run = _drive(loop) if is_async else loop

    def timed(count: int) -> float:
        times = repeat(None, count)
        begin = time.thread_time_ns()
        run(times)
        return time.thread_time_ns() - begin

    return timed


def _drive(loop: Callable[[Iterable[None]], Any]) -> Callable[[Iterable[None]], None]:
    """Return a function that runs a coroutine which never waits, without an event loop."""

    def run(times: Iterable[None]) -> None:
        try:
            loop(times).send(None)
        except StopIteration:
            return
        raise RuntimeError("a case waited for something")

    return run


def _count(loop: Callable[[int], float]) -> int:
    """Return how many executions fill a round."""
    loop(200)
    count = 64
    while (taken := loop(count)) < ROUND_NS / 4 and count < 1 << 22:
        count *= 2
    return max(16, int(count * ROUND_NS / max(taken, 1)))
