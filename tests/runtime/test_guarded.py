"""Our guard before somebody else's exporters: what they record is judged, until we stop."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

from tests.runtime.foreign import run
from tests.runtime.interpreter import ROOT


@pytest.mark.behaviour("B168", "B171")
def test_what_they_record_is_judged_while_the_guard_is_there():
    """A canary through their own tracer, meter and logger leaks before and after, not between."""
    lines, _ = run("""
        print(leak())
        with telewright.adopt("none", guard=True) as telemetry:
            print(telemetry.on, leak())
            print(len(memory.get_finished_spans()), len(records.get_finished_logs()))
        print(leak(), vars(memory).get("export"))
    """)
    assert lines == [
        "{'spans': True, 'points': True, 'logs': True}",
        "True {'spans': False, 'points': False, 'logs': False}",
        "1 1",
        "{'spans': True, 'points': True, 'logs': True} None",
    ]


@pytest.mark.behaviour("B168")
def test_without_the_guard_only_ours_is_judged():
    """`adopt()` alone changes nothing of theirs: the positive control of the guard."""
    lines, _ = run("""
        with telewright.adopt("none"):
            print(leak())
    """)
    assert lines == ["{'spans': True, 'points': True, 'logs': True}"]


def test_the_environment_can_ask_for_it():
    """`TELEWRIGHT_GUARD` is the variable, for `start` as well."""
    code = """
        with telewright.start("none"):
            print(leak())
    """
    assert run(code, TELEWRIGHT_GUARD="1")[0] == [
        "{'spans': False, 'points': False, 'logs': False}"
    ]


def test_what_runs_already_gets_the_guard_too():
    """Joined without, the guard can be put there later; it goes with `stop`."""
    lines, _ = run("""
        telewright.start("none")
        print(leak()["spans"])
        print(telewright.adopt(guard=True).on, leak()["spans"])
        telewright.stop()
        print(leak()["spans"])
    """)
    assert lines == ["True", "True False", "True"]


@pytest.mark.behaviour("B168", "B070")
def test_the_guard_stays_where_a_start_fails():
    """What runs goes on as it is, and is guarded, when somebody asks for something else."""
    lines, _ = run("""
        with telewright.adopt("none", guard=True):
            for arguments in ({"groups": "all"}, {"resource": 5}):
                try:
                    telewright.start(strict=True, **arguments)
                except Exception as error:
                    print(type(error).__name__, leak())
    """)
    guarded = "{'spans': False, 'points': False, 'logs': False}"
    assert lines == [f"RuntimeError {guarded}", f"TypeError {guarded}"]


@pytest.mark.behaviour("B168", "B072")
def test_ours_goes_through_the_guard_unchanged():
    """What was judged before it was handed over stays as it is: a person is hashed once."""
    lines, _ = run("""
        from telewright._sensitive import POLICY, personal
        with telewright.adopt("all", guard=True, hash_key="k"):
            with kiln.letter(author="ann", text="dear", stamp="blue"):
                pass
            telewright.flush()
            (span,) = memory.get_finished_spans()
            author = span.attributes["kiln.author"]
            print(author == personal("ann"), span.instrumentation_scope.name)
        books = telewright.stats()
        print(books.made, books.exported, span.resource.attributes["service.name"])
    """)
    assert lines == ["True telewright.kiln", "1 1 theirs"]


def test_wrapped_processors_are_seen_through():
    """Processors and exporters inside others are found, in any number of layers."""
    lines, said = run("""
        class Outer(SpanProcessor):
            def __init__(self, inner):
                self.inner = inner
            def on_start(self, span, parent_context=None):
                self.inner.on_start(span, parent_context)
            def on_end(self, span):
                self.inner.on_end(span)

        class Listed(Outer):
            def __init__(self, inner):
                self.inner, self.all = inner, [inner]

        class Tagging(SpanProcessor):
            def on_start(self, span, parent_context=None):
                span.set_attribute("tag", 1)

        other = InMemorySpanExporter()
        provider.add_span_processor(Outer(Listed(SimpleSpanProcessor(other))))
        provider.add_span_processor(Tagging())
        with telewright.adopt("none", guard=True, strict=True):
            print(leak()["spans"])
            print("a1B2" in "".join(one.to_json() for one in other.get_finished_spans()))
            print(other.get_finished_spans()[0].attributes["tag"])
    """)
    assert lines == ["False", "False", "1"]
    assert "cannot be put" not in said


HIDDEN = """
    class Hidden(SpanProcessor):
        def on_end(self, span):
            print("hidden saw", "a1B2" in span.name)

    class Slotted(SpanExporter):
        __slots__ = ()
        def export(self, spans):
            print("slotted saw", "a1B2" in spans[0].name)
            return SpanExportResult.SUCCESS

    provider.add_span_processor(Hidden())
"""


def test_what_cannot_be_reached_is_said():
    """One line names it; what can be reached is judged all the same."""
    lines, said = run(
        textwrap.dedent(HIDDEN)
        + textwrap.dedent("""
        provider.add_span_processor(SimpleSpanProcessor(Slotted()))
        with telewright.adopt("none", guard=True):
            print(leak()["spans"])
        """)
    )
    assert lines == ["hidden saw True", "slotted saw False", "False"]
    assert "the guard cannot be put before Hidden" in said


def test_strictly_it_is_an_error():
    """`strict=True` starts nothing where something would go unjudged, and leaves no guard."""
    lines, _ = run(
        textwrap.dedent(HIDDEN)
        + textwrap.dedent("""
        try:
            telewright.adopt("all", guard=True, strict=True)
        except RuntimeError as error:
            print(error)
        print(kiln.GATE.on, vars(memory).get("export"))
        """)
    )
    assert lines == ["the guard cannot be put before Hidden", "False None"]


@pytest.mark.behaviour("B073")
@pytest.mark.parametrize("strict", [True, False])
def test_where_there_is_nothing_to_join(strict):
    """Nothing starts; strictly it raises, else one line says what to call instead."""
    code = f"""
import telewright
from tests.runtime.sample import kiln
try:
    print(telewright.adopt("all", guard=True, strict={strict}).on)
except RuntimeError as error:
    print(error)
print(kiln.GATE.on)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    problem = "nobody has set up telemetry in this process: `telewright.start` does"
    assert done.stdout.splitlines() == [problem if strict else "False", "False"]
    assert strict or problem in done.stderr


@pytest.mark.behaviour("B132")
def test_one_item_that_cannot_be_judged_costs_itself():
    """The rest of their batch is exported, and their application sees no exception."""
    lines, _ = run("""
        from telewright._guard_export import ExportGuard
        judge = ExportGuard._span
        def picky(self, span):
            if span.name == "bad":
                raise OSError
            return judge(self, span)
        ExportGuard._span = picky
        with telewright.adopt("none", guard=True):
            for name in ("good", "bad", "good"):
                trace.get_tracer("theirs").start_span(name).end()
            provider.force_flush()
        print([span.name for span in memory.get_finished_spans()])
    """)
    assert lines == ["['good', 'good']"]


@pytest.mark.behaviour("B072")
def test_log_records_go_to_the_provider_that_is_there():
    """With `logs=True` records are judged, handed over, and counted; theirs is not shut down."""
    lines, _ = run("""
        logging.getLogger().setLevel(logging.INFO)
        with telewright.adopt("all", logs=True) as telemetry:
            with kiln.shift():
                logging.getLogger("app").warning("with %s", CANARY)
            telemetry.flush()
        logging.getLogger("app").warning("after")
        (one,) = records.get_finished_logs()
        span = next(one for one in memory.get_finished_spans() if one.name == "kiln.shift")
        print(one.instrumentation_scope.name, "a1B2" in str(one.log_record.body))
        print(one.log_record.trace_id == span.context.trace_id, one.log_record.severity_text)
        print(telewright.stats().dropped, one.resource.attributes["service.name"])
        loggers.get_logger("theirs").emit(body="still")
        print(len(records.get_finished_logs()))
    """)
    assert lines == ["app False", "True WARN", "{} theirs", "2"]


def test_records_are_handed_over_once():
    """Where a handler of OpenTelemetry's is at the root already, ours stays away."""
    lines, _ = run("""
        class Theirs(logging.Handler):
            __module__ = "opentelemetry.instrumentation.logging.handler"
            def emit(self, record):
                loggers.get_logger(record.name).emit(body=record.getMessage())

        logging.getLogger().addHandler(Theirs())
        with telewright.adopt("none", logs=True):
            logging.getLogger("app").warning("once")
        print([one.log_record.body for one in records.get_finished_logs()])
    """)
    assert lines == ["['once']"]
