"""A process that has telemetry already: its providers are used, and left alone."""

from __future__ import annotations

import textwrap

import pytest

from tests.runtime.interpreter import succeeds


def run(code):
    """Run *code* in a process whose provider is somebody else's, and return its lines."""
    before = """
        from opentelemetry import trace
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor
        from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
        memory, provider = InMemorySpanExporter(), TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(memory))
        trace.set_tracer_provider(provider)
        import telewright
        from tests.runtime.sample import kiln
    """
    lines, log = succeeds(before, code)
    assert "could not" not in log
    return lines


@pytest.mark.behaviour("B072")
def test_spans_go_to_the_provider_that_is_there():
    """Adopted, never replaced; *exported* reads *handed over*."""
    lines = run("""
        with telewright.start("kiln.firing", metrics=False, strict=True):
            assert trace.get_tracer_provider() is provider
            with provider.get_tracer("theirs").start_as_current_span("theirs"), kiln.heat():
                pass
        print([span.name for span in memory.get_finished_spans()])
        books = telewright.stats()
        print(books.made, books.exported, books.dropped)
    """)
    assert lines == ["['kiln.heat', 'theirs']", "1 1 {}"]


def test_a_span_that_is_current_can_be_read_as_without_us():
    """By who asks the SDK's spans for what the API does not have; what is not there is not."""
    lines = run("""
        with telewright.start("kiln.firing", metrics=False, strict=True), kiln.heat():
            span = trace.get_current_span()
            print(span.name, span.start_time > 0, span.parent, span.resource is provider.resource)
            print(getattr(span, "nothing", None), getattr(span, "_nothing", None))
    """)
    assert lines == ["kiln.heat True None True", "None None"]


def test_a_process_that_ends_without_a_stop_ends_in_silence():
    """From 3.12 on a thread cannot be started by then: theirs export by their own hooks."""
    lines = run("""
        telewright.start("kiln.firing", metrics=False)
        provider.shutdown = lambda: print([span.name for span in memory.get_finished_spans()])
        import atexit
        atexit.register(provider.shutdown)
        with kiln.heat():
            pass
    """)
    assert lines == ["['kiln.heat']"]


@pytest.mark.behaviour("B072")
def test_what_is_not_ours_is_not_shut_down():
    """After our stop theirs goes on."""
    lines = run("""
        telewright.start("kiln.firing", metrics=False)
        open_ = kiln.heat().open()
        assert telewright.stop()
        provider.get_tracer("theirs").start_span("after").end()
        open_.close()
        print([span.name for span in memory.get_finished_spans()])
        books = telewright.stats()
        print(books.made, books.exported, sum(books.dropped.values()))
    """)
    assert lines == ["['after', 'kiln.heat']", "1 0 1"]


@pytest.mark.behaviour("B168")
def test_the_guard_stands_before_their_span():
    """What may not leave does not reach a span that somebody else exports."""
    lines = run("""
        with telewright.start("all", metrics=False, hash_key="k"):
            with kiln.letter(author="ann", text="dear", stamp="blue") as span:
                span._set("kiln.text", "raw")
                span._set("undeclared", 1)
                span._set("kiln.town", "here")
            with kiln.fire(kiln.Stage.COOL, batch="b", kind="k") as firing:
                firing.set(shelves=2**70)
        for span in memory.get_finished_spans():
            print(sorted(span.attributes))
    """)
    assert lines == [
        "['kiln.author', 'kiln.stamp', 'kiln.town']",
        "['kiln.batch', 'kiln.kind', 'kiln.outcome']",
    ]


def test_a_link_that_is_added_later_is_judged_and_handed_on():
    """By whoever finds our span current: theirs has it, without what may not leave."""
    lines = run("""
        link = trace.SpanContext(1, 2, is_remote=True)
        with telewright.start("kiln.firing", metrics=False), kiln.heat():
            secret = "sk-proj-" + "a1B2" * 12
            trace.get_current_span().add_link(link, {"kiln.town": "here", "note": secret})
            trace.get_current_span().add_link(link)
        (span,) = memory.get_finished_spans()
        print([one.context == link for one in span.links], dict(span.links[0].attributes))
        print("a1B2" in span.to_json())
    """)
    assert lines == ["[True, True] {'kiln.town': 'here'}", "False"]


def test_a_provider_that_is_none_is_nobodys():
    """The API's own stand-in is no telemetry to join."""
    lines = run("""
        import opentelemetry.trace as api
        from telewright import _relay
        assert _relay.foreign_tracer_provider() is provider
        api._TRACER_PROVIDER = None
        print(_relay.foreign_tracer_provider())
    """)
    assert lines == ["None"]


METERS = """
    from opentelemetry import metrics
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import InMemoryMetricReader
    points = InMemoryMetricReader()
    metrics.set_meter_provider(MeterProvider([points]))
    def read(name):
        return sorted(
            (str({key: str(value) for key, value in point.attributes.items()}), point.value)
            for resource in points.get_metrics_data().resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if metric.name == name
            for point in metric.data.data_points
        )
"""


@pytest.mark.behaviour("B072", "B073")
def test_metrics_go_to_the_provider_that_is_there():
    """Instruments are made by their meters, and ours record nothing after our stop."""
    lines = run(
        textwrap.dedent(METERS)
        + textwrap.dedent("""
        kiln.gas_used.observe(lambda: [kiln.gas_used.point(3, burner="left")])
        with telewright.start("none", exporter="otlp", strict=True):
            for number in (1, 2):
                kiln.visitors.add(number, town="here")
            kiln.loaded.add(-1)
            kiln.temperature.set(20.5)
            print(read("kiln.visitors_total"), read("kiln.loaded"))
            print(read("kiln.temperature"), read("kiln.gas_used"))
        kiln.visitors.add(town="here")
        kiln.loaded.add(-1)
        print(read("kiln.visitors_total"), read("kiln.loaded"), read("kiln.gas_used"))
        """)
    )
    assert lines == [
        """[("{'kiln.town': 'here'}", 3)] [('{}', -1)]""",
        """[('{}', 20.5)] [("{'kiln.burner': 'left'}", 3.0)]""",
        """[("{'kiln.town': 'here'}", 3)] [('{}', -1)] []""",
    ]


@pytest.mark.behaviour("B168")
def test_labels_are_judged_before_their_meter_sees_them():
    """A key that the specs do not declare is no label of theirs either."""
    lines = run(
        textwrap.dedent(METERS)
        + textwrap.dedent("""
        with telewright.start("none"):
            for value in (1, True, 1.0, "1", ["1"]):
                kiln.visitors.send(1, {"undeclared": value, "kiln.town": "here"})
            print(read("kiln.visitors_total"))
        """)
    )
    assert lines == ["""[("{'kiln.town': 'here'}", 5)]"""]


def test_members_and_their_texts_are_one_series_of_theirs():
    """The SDK tells values apart by their types, which whoever receives them does not see."""
    lines = run(
        textwrap.dedent(METERS)
        + textwrap.dedent("""
        from tests.runtime.sample.kiln import FaultCode
        with telewright.start("all", traces=False):
            for code in (FaultCode.TIMEOUT, "timeout", "odd"):
                kiln.faults.add(code=code)
                kiln.faults.bound({"kiln.fault_code": code}).add(10)
                kiln.visitors.add(town=code)
            print(read("kiln.faults_total"))
            print(read("kiln.visitors_total"))
        """)
    )
    assert lines == [
        """[("{'kiln.fault_code': 'other'}", 11), ("{'kiln.fault_code': 'timeout'}", 22)]""",
        """[("{'kiln.town': 'odd'}", 1), ("{'kiln.town': 'timeout'}", 2)]""",
    ]


def test_what_is_over_and_what_is_announced_goes_there_too():
    """A span of two timestamps keeps them, and what announces a span is in its trace."""
    lines = run("""
        from telewright.gym import rollout
        with telewright.start("kiln.firing,gym.job", metrics=False, strict=True):
            with kiln.heat().between(1000.5, 999):
                pass
            with rollout.job():
                telewright.flush()
                heat, marker = memory.get_finished_spans()
        print(heat.start_time, heat.end_time, heat.attributes["inverted.delta_seconds"])
        job = memory.get_finished_spans()[-1]
        print(marker.name, dict(marker.attributes), marker.parent == job.context)
        print(telewright.stats().made, telewright.stats().exported)
    """)
    assert lines == [
        "1000500000000 1000500000000 1.5",
        "nemo.span.started {'nemo.span.started': 'gym.job'} True",
        "3 3",
    ]


def test_a_child_that_ends_a_span_of_its_parent_waits_for_no_count():
    """Another thread was counting at the fork, and is not in the child."""
    lines = run("""
        import os, threading
        from telewright import _start
        telewright.start("kiln.firing", metrics=False)
        begun, over = threading.Event(), threading.Event()

        def hold():
            with _start.STATE.pipeline.books.spans.lock:
                begun.set()
                over.wait()

        with kiln.heat():
            threading.Thread(target=hold, daemon=True).start()
            begun.wait()
            heat = trace.get_current_span()
            child = os.fork()
            if not child:
                heat.end()
                os._exit(7)
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            over.set()
        telewright.stop()
        print(telewright.stats().made, telewright.stats().exported)
    """)
    assert lines == ["7", "1 1"]


@pytest.mark.behaviour("B168")
def test_the_guard_reads_the_name_that_a_span_starts_with():
    """As it reads one that the span is given later: a path may be a name, and have a key in it."""
    lines = run("""
        from telewright.base import Span
        from tests.runtime.sample import groups
        with telewright.start("all", metrics=False):
            key = "sk-proj-abcdEFGH1234567890abcdEFGH1234567890abcd"
            with Span(groups.FIRING, "GET /hook/" + key, {}):
                pass
        print([span.name for span in memory.get_finished_spans()])
    """)
    assert lines == ["['GET /hook/[redacted:openai]']"]
