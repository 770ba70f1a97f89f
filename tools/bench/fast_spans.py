"""N2: what a span costs in the fast tier, against the SDK's by hand.

By hand means what it means in spans.py: a provider of the SDK's with its batch processor, whose
exporter does nothing. The helpers run as `telewright.start(fast=True)` sets them up, with queue,
books and guard; both queues are emptied before each round.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from harness import Bench
from result import Result, report, rounds
from spans import CASES, FOUR, NONE, THREE, by_hand

import telewright
from telewright._fast_tracer import FastTracer
from telewright.gym import checkpoint

BARE: Final = "start_span().end() of the SDK, no attributes"
WRITE: Final = "write(three keywords)"
DISPATCH: Final = "dispatch(three keywords), a root that is not linked"
OPERATION: Final = "operation(x, three keywords), with its outcome"
EMPTY: Final = "data_processing(x), no attributes"

GOALS: Final = (
    (WRITE, THREE, 0.28),
    (DISPATCH, THREE, 0.28),
    (WRITE, BARE, 0.5),
    (DISPATCH, BARE, 0.5),
    (OPERATION, FOUR, None),
    (EMPTY, NONE, None),
)


def measure() -> Iterator[Result]:
    """Time spans by hand and by helper, each through a provider that exports in batches."""
    provider, names = by_hand()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spans.jsonl"
        telewright.start(
            "all", service="bench", exporter="file", path=path, metrics=False, fast=True
        )
        if not isinstance(checkpoint.GATE.tracer, FastTracer):
            raise TypeError("the standard tier runs: nothing would be measured")

        def empty() -> None:
            provider.force_flush()
            telewright.flush(5)

        bench = Bench(rounds=rounds(41), names=names, between=empty)
        for name, statement in CASES.items():
            bench.add(name, statement)
        bench.add(BARE, "tracer.start_span('op').end()")
        bench.run()
        telewright.stop(0)
    for name, base, goal in GOALS:
        detail = f"{bench.ns(name) / 1000:.1f} µs against {bench.ns(base) / 1000:.1f} µs"
        title = f"fast: {name} / {base}"
        yield Result("N2", title, bench.ratio(name, base), goal=goal, detail=detail)


if __name__ == "__main__":
    sys.setswitchinterval(1)  # the exporting threads get their turn between rounds
    report(measure())
