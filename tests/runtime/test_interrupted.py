"""What a signal's handler records while its thread is recording."""

from __future__ import annotations

import json

import pytest

from tests.runtime.interpreter import succeeds
from tests.runtime.written import points

PROGRAM = """
    import faulthandler, json, sys
    from pathlib import Path
    faulthandler.dump_traceback_later(50, exit=True)

    import opentelemetry.sdk.metrics, opentelemetry.sdk.trace
    from opentelemetry import trace
    import telewright
    from tests.runtime.sample import kiln

    OURS = str(Path(telewright.__file__).parent)
    SDK = str(Path(opentelemetry.sdk.trace.__file__).parents[2])

    def interrupted(work):
        "Do work, and the same once more before each line that it runs; return how often."
        done = [1]

        def line(frame, event, _):
            if event == "line":
                sys.settrace(None)
                done[0] += 1
                work()
                sys.settrace(call)
            return line

        def call(frame, event, _):
            return line if frame.f_code.co_filename.startswith((OURS, SDK)) else None

        sys.settrace(call)
        try:
            work()
        finally:
            sys.settrace(None)
        return done[0]
"""


TIERS = pytest.mark.parametrize("tier", ["standard", "fast"])


@TIERS
@pytest.mark.parametrize("temporality", ["cumulative", "delta"])
def test_metrics_of_a_handler_are_counted(tier, temporality, tmp_path):
    """At whatever line of recording a signal comes, its handler adds to the same series."""
    written = tmp_path / "out.jsonl"
    lines, _ = succeeds(
        PROGRAM,
        _start(written, tier),
        f"""
        verbs = {{
            "faults_total": lambda: kiln.faults.add(code="timeout"),
            "loaded": lambda: kiln.loaded.add(2),
            "temperature": lambda: kiln.temperature.set(4.0),
            "firing_ms": lambda: kiln.firing_ms.record(8.0, stage="glaze", outcome="ok"),
        }}
        for verb in verbs.values():  # that a series is made is another test's
            verb()
        if {temporality == "cumulative"}:
            assert telewright.flush(30)
        print(json.dumps({{name: 1 + interrupted(verb) for name, verb in verbs.items()}}))
        assert telewright.stop(30)
        """,
        OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=temporality,
    )
    times = json.loads(lines[0])
    assert min(times.values()) > 10
    last = {name: points(written, f"kiln.{name}")[-1] for name in times}
    assert last["faults_total"]["asInt"] == str(times["faults_total"])
    assert last["loaded"]["asInt"] == str(2 * times["loaded"])
    assert last["temperature"]["asDouble"] == 4.0
    assert last["firing_ms"]["count"] == str(times["firing_ms"])
    assert last["firing_ms"]["sum"] == 8.0 * times["firing_ms"]


def _start(path, tier):
    """Return the line of a program that starts it, exporting to the file at *path*."""
    fast = tier == "fast"
    return f'telewright.start("all", exporter="file", path={str(path)!r}, fast={fast}, strict=True)'


@TIERS
def test_a_series_may_be_made_by_a_handler(tier, tmp_path):
    """The first value of a series may be interrupted by another first value of it."""
    succeeds(
        PROGRAM,
        _start(tmp_path / "out.jsonl", tier),
        """
        assert interrupted(lambda: kiln.faults.add(code="refused")) > 10
        assert interrupted(lambda: kiln.firing_ms.record(8.0, stage="cool", outcome="ok")) > 10
        """,
    )


@TIERS
def test_a_handler_may_write_on_the_span_that_is_written_on(tier, tmp_path):
    """Whatever is written on a span, a handler may do the same, at whatever line it comes."""
    lines, _ = succeeds(
        PROGRAM,
        _start(tmp_path / "out.jsonl", tier),
        """
        linked = trace.SpanContext(1, 1, True)
        with kiln.write() as write:
            span = trace.get_current_span()
            verbs = [
                lambda: write.set(lines=3),
                lambda: span.set_attributes({"a": 1, "b": (1, 2)}),
                lambda: span.add_event("seen", {"a": 1}),
                lambda: span.add_link(linked, {"a": 1}),
                lambda: span.record_exception(ValueError("bad")),
                lambda: span.set_status(trace.StatusCode.ERROR, "bad"),
                lambda: span.update_name("other"),
                lambda: telewright.flush(0),
            ]
            print(min(interrupted(verb) for verb in verbs))
        """,
    )
    assert int(lines[0]) > 2


@TIERS
def test_a_handler_may_open_spans_of_its_own(tier, tmp_path):
    """At whatever line a span begins, is set or ends, others do: each is exported once."""
    lines, _ = succeeds(
        PROGRAM,
        _start(tmp_path / "out.jsonl", tier),
        """

        def block():
            with kiln.write() as write:
                write.set(lines=3)

        times = interrupted(block)
        assert telewright.stop(30)
        books = telewright.stats()
        print(times, books.made, books.exported, sum(books.dropped.values()))
        """,
    )
    times, made, exported, dropped = map(int, lines[0].split())
    assert times > 50
    assert (made, exported, dropped) == (times, times, 0)
