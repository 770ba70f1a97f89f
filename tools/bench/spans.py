"""N1: what a span costs while telemetry is on, through the SDK, against the same thing by hand.

By hand means what OpenTelemetry's own documentation shows: a `TracerProvider` of the SDK with its
`BatchSpanProcessor`, its sampler and its ids, whose exporter does nothing. The helpers run as
`telewright.start` sets them up: the same SDK's provider and spans with our queue, books, sampler
and ids, values cleaned as a span starts. Both queue on the thread that is timed and export on
another, whose time does not count; both queues are emptied before each round, since a full one
drops spans, which is cheaper. Further rows run the same calls by hand on our provider, so that both
sides have one pipeline and only the helper differs; the last ones say what no helper can go below.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from harness import Bench
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from result import Result, report, rounds

import telewright
from telewright.gym import checkpoint, rollout
from telewright.gym.checkpoint import CheckpointOperation, ParticipantKind
from telewright.rl import training
from telewright.rl.training import Algorithm

THREE: Final = "start_as_current_span, set_attribute three times"
FOUR: Final = "start_as_current_span, four attributes, try"
NONE: Final = "start_as_current_span"
SAME: Final = " on our provider"
LENS: Final = "nemo-lens managed_span, three attributes"
FLOOR: Final = "start_span and end on our provider, three attributes, never current"

CASES: Final = {
    THREE: """
        with tracer.start_as_current_span('op') as s:
            s.set_attribute('a', 'x')
            s.set_attribute('b', 'y')
            s.set_attribute('c', 'z')
    """,
    FOUR: """
        with tracer.start_as_current_span('op') as s:
            s.set_attribute('a', 'x')
            s.set_attribute('b', 'y')
            s.set_attribute('c', 'z')
            try:
                pass
            except Exception:
                s.set_attribute('outcome', 'error')
                raise
            else:
                s.set_attribute('outcome', 'ok')
    """,
    NONE: "with tracer.start_as_current_span('op'): pass",
    "write(three keywords)": (
        "with checkpoint.write(checkpoint_id='x', participant_kind=AGENT, instance='z'): pass"
    ),
    "dispatch(three keywords), a root that is not linked": (
        "with rollout.dispatch(dispatch_name='x', rollout_id='y', destination='z'): pass"
    ),
    "operation(x, three keywords), with its outcome": (
        "with checkpoint.operation(COMMIT, checkpoint_id='x', participant_kind=AGENT,"
        " instance='z'): pass"
    ),
    "data_processing(x), no attributes": "with training.data_processing(GRPO): pass",
}

GOALS: Final = (
    ("write(three keywords)", THREE, 1.0),
    ("dispatch(three keywords), a root that is not linked", THREE, 1.0),
    ("operation(x, three keywords), with its outcome", FOUR, 1.2),
    ("data_processing(x), no attributes", NONE, None),
    ("write(three keywords)", LENS, 0.85),
    ("write(three keywords)", THREE + SAME, 1.0),
    ("dispatch(three keywords), a root that is not linked", THREE + SAME, 1.0),
    ("operation(x, three keywords), with its outcome", FOUR + SAME, 1.2),
    (FLOOR, THREE, None),
    (FLOOR, LENS, None),
)


class Nowhere(SpanExporter):
    """Exports into nothing."""

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Say that all went well."""
        return SpanExportResult.SUCCESS


def by_hand() -> tuple[TracerProvider, dict[str, Any]]:
    """Return a provider of the SDK that exports in batches, and the names that the code uses."""
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(Nowhere()))
    return provider, {
        "tracer": provider.get_tracer("by hand"),
        "checkpoint": checkpoint,
        "rollout": rollout,
        "training": training,
        "COMMIT": CheckpointOperation.COMMIT,
        "AGENT": ParticipantKind.AGENT,
        "GRPO": Algorithm.GRPO,
    }


def measure() -> Iterator[Result]:
    """Time spans by hand and by helper, each through a provider that exports in batches."""
    provider, names = by_hand()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spans.jsonl"
        telewright.start("all", service="bench", exporter="file", path=path, metrics=False)
        names["own"] = checkpoint.GATE.tracer

        def empty() -> None:
            provider.force_flush()
            telewright.flush(5)

        bench = Bench(rounds=rounds(41), names=names, between=empty)
        for name, statement in CASES.items():
            bench.add(name, statement)
        for name in (THREE, FOUR):
            bench.add(name + SAME, _with_our_keys(CASES[name]))
        floor = "tracer.start_span('op', attributes={'a': 'x', 'b': 'y', 'c': 'z'}).end()"
        bench.add(FLOOR, _with_our_keys(floor))
        if _with_lens(names):
            bench.add(
                LENS, "with managed_span('rollout', 'op', tracer=tracer, a='x', b='y', c='z'): pass"
            )
        bench.run()
        telewright.stop(0)
    for name, base, goal in GOALS:
        if base in bench:
            detail = f"{bench.ns(name) / 1000:.1f} µs against {bench.ns(base) / 1000:.1f} µs"
            title = f"{name} / {base}"
            yield Result("N1", title, bench.ratio(name, base), goal=goal, detail=detail)


def _with_our_keys(statement: str) -> str:
    """Return a statement for our provider, with keys that are declared: others are left out."""
    keys = {
        "'a'": checkpoint.NEMO_GYM_CHECKPOINT_ID,
        "'b'": checkpoint.NEMO_GYM_CHECKPOINT_PARTICIPANT_KIND,
        "'c'": checkpoint.NEMO_GYM_CHECKPOINT_INSTANCE,
        "'outcome'": checkpoint.NEMO_GYM_CHECKPOINT_OUTCOME,
    }
    for short, key in keys.items():
        statement = statement.replace(short, repr(key))
    return statement.replace("tracer.", "own.")


def _with_lens(names: dict[str, Any]) -> bool:
    """Bring nemo-lens in where it installs, with its group enabled."""
    try:
        from nemo.lens.helpers import managed_span  # noqa: PLC0415 - not on every Python
        from nemo.lens.state import set_enabled_span_groups  # noqa: PLC0415 - the same
    except ImportError:
        return False
    set_enabled_span_groups(frozenset({"rollout"}))
    names["managed_span"] = managed_span
    return True


if __name__ == "__main__":
    sys.setswitchinterval(1)  # the exporting threads get their turn between rounds
    report(measure())
