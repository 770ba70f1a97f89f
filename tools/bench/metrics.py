"""M1: what a recorder costs while metrics export, against the SDK's instruments by hand."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from harness import Bench
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.trace import NoOpTracerProvider
from result import Result, report, rounds

import telewright
from telewright.gym import checkpoint, rollout
from telewright.gym.checkpoint import CheckpointEvent, CheckpointOperation, ParticipantKind
from telewright.gym.rollout import RolloutOutcome
from telewright.nv.common import Outcome
from telewright.rl import training

PAIRS: Final = (
    (
        "control_errors.add(an open enum)",
        "checkpoint.control_errors.add(error_code='timeout')",
        "counter.add(1, {'k': 'v'})",
        1.1,
    ),
    (
        "completed.add(two keywords)",
        "rollout.completed.add(outcome=SCORED, dispatch_name='x')",
        "counter.add(1, {'k': 'v', 'l': 'w'})",
        1.1,
    ),
    (
        "operation_duration_ms.record(three keywords)",
        (
            "checkpoint.operation_duration_ms.record(1.0, operation=COMMIT,"
            " participant_kind=AGENT, outcome=OK)"
        ),
        "histogram.record(1.0, {'a': 'x', 'b': 'y', 'c': 'z'})",
        1.1,
    ),
    ("reward_mean.set()", "training.reward_mean.set(1.0)", "gauge.set(1.0, {})", 1.1),
    (
        "events.add(), an id seen before",
        "checkpoint.events.add(event=LEASE, checkpoint_id='c')",
        "counter.add(1, {'k': 'v'})",
        None,
    ),
    (
        "operation() with its group off: a duration, no span",
        "with checkpoint.operation(COMMIT, checkpoint_id='x', participant_kind=AGENT): pass",
        "histogram.record(1.0, {'a': 'x', 'b': 'y', 'c': 'z'})",
        None,
    ),
    (
        "dispatch() with traces off: no span work",
        "with rollout.dispatch(dispatch_name='x', rollout_id='y'): pass",
        "with tracer.start_as_current_span('x', attributes={'a': 'x', 'b': 'y'}): pass",
        0.1,
    ),
)


def measure() -> Iterator[Result]:
    """Time recorders in a process that exports metrics and no traces."""
    provider = MeterProvider([InMemoryMetricReader()], shutdown_on_exit=False)
    meter = provider.get_meter("by hand")
    names: dict[str, Any] = {
        "counter": meter.create_counter("c"),
        "histogram": meter.create_histogram("h"),
        "gauge": meter.create_gauge("g"),
        "tracer": NoOpTracerProvider().get_tracer("by hand"),
        "checkpoint": checkpoint,
        "rollout": rollout,
        "training": training,
        "COMMIT": CheckpointOperation.COMMIT,
        "AGENT": ParticipantKind.AGENT,
        "LEASE": CheckpointEvent.LEASE_EXPIRED,
        "SCORED": RolloutOutcome.SCORED,
        "OK": Outcome.OK,
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "metrics.jsonl"
        telewright.start("all", service="bench", exporter="file", path=path, traces=False)
        bench = Bench(rounds=rounds(41), names=names)
        for name, ours, raw, _ in PAIRS:
            bench.add(name, ours)
            bench.add(f"raw {name}", raw)
        bench.run()
        telewright.stop(2)
    for name, _, _, goal in PAIRS:
        detail = f"{bench.ns(name) / 1000:.2f} µs against {bench.ns(f'raw {name}') / 1000:.2f} µs"
        yield Result("M1", name, bench.ratio(name, f"raw {name}"), goal=goal, detail=detail)


if __name__ == "__main__":
    report(measure())
