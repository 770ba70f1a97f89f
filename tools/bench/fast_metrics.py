"""M2: what a bound instrument costs in the fast tier, against the SDK's instruments by hand.

In percent, since ratios have two digits here: 3.33 is a thirtieth.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from harness import Bench
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from result import Result, report, rounds

import telewright
from telewright.gym import checkpoint, rollout
from telewright.gym.checkpoint import CheckpointOperation, ParticipantKind
from telewright.nv.common import Outcome
from telewright.rl import training

ONE: Final = "counter.add(1, {'k': 'v'})"
THREE: Final = "histogram.record(1.0, {'a': 'x', 'b': 'y', 'c': 'z'})"
NONE: Final = "gauge.set(1.0, {})"

PAIRS: Final = (
    ("bound counter, one attribute: add()", "errors.add()", ONE, 3.33),
    ("bound histogram, three attributes: record(1.0)", "durations.record(1.0)", THREE, 5.0),
    ("bound gauge: set(1.0)", "reward.set(1.0)", NONE, 2.0),
    (
        "not bound: control_errors.add(an open enum)",
        "checkpoint.control_errors.add(error_code='timeout')",
        ONE,
        None,
    ),
    (
        "not bound: operation_duration_ms.record(three keywords)",
        (
            "checkpoint.operation_duration_ms.record(1.0, operation=COMMIT,"
            " participant_kind=AGENT, outcome=OK)"
        ),
        THREE,
        None,
    ),
    ("not bound: reward_mean.set()", "training.reward_mean.set(1.0)", NONE, None),
)


def measure() -> Iterator[Result]:
    """Time recorders in a process that exports metrics and no traces."""
    provider = MeterProvider([InMemoryMetricReader()], shutdown_on_exit=False)
    meter = provider.get_meter("by hand")
    labels = {
        checkpoint.NEMO_GYM_CHECKPOINT_OPERATION: CheckpointOperation.COMMIT,
        checkpoint.NEMO_GYM_CHECKPOINT_OUTCOME: Outcome.OK,
        checkpoint.NEMO_GYM_CHECKPOINT_PARTICIPANT_KIND: ParticipantKind.AGENT,
    }
    code = checkpoint.NEMO_GYM_CHECKPOINT_ERROR_CODE
    names: dict[str, Any] = {
        "counter": meter.create_counter("c"),
        "histogram": meter.create_histogram("h"),
        "gauge": meter.create_gauge("g"),
        "checkpoint": checkpoint,
        "rollout": rollout,
        "training": training,
        "COMMIT": CheckpointOperation.COMMIT,
        "AGENT": ParticipantKind.AGENT,
        "OK": Outcome.OK,
        "errors": checkpoint.control_errors.bound({code: "timeout"}),
        "durations": checkpoint.operation_duration_ms.bound(labels),
        "reward": training.reward_mean.bound({}),
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "metrics.jsonl"
        telewright.start(
            "all", service="bench", exporter="file", path=path, traces=False, fast=True
        )
        bench = Bench(rounds=rounds(41), names=names)
        for name, ours, raw, _ in PAIRS:
            bench.add(name, ours)
            bench.add(f"raw {name}", raw)
        bench.run()
        telewright.stop(2)
    for name, _, _, goal in PAIRS:
        raw = f"raw {name}"
        ratio = bench.ratio(name, raw)
        detail = f"1/{1 / ratio:.0f}: {bench.ns(name):.0f} ns against {bench.ns(raw):.0f} ns"
        yield Result("M2", f"fast: {name}", 100 * ratio, "%", goal=goal, detail=detail)


if __name__ == "__main__":
    report(measure())
