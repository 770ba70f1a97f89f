"""Scopes where the provider is somebody else's: on its spans as on ours, as they may leave."""

from __future__ import annotations

import pytest

from tests.runtime.interpreter import succeeds

BEFORE = """
import logging, os, sys
from opentelemetry import trace
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
import telewright
from telewright.base import Scope
from tests.runtime.sample import kiln

memory = InMemorySpanExporter()

class Counting(TracerProvider):
    added = 0
    def add_span_processor(self, one):
        self.added += 1
        super().add_span_processor(one)

provider = Counting()
provider.add_span_processor(SimpleSpanProcessor(memory))

def theirs(**said):
    trace.get_tracer("theirs").start_span("theirs", attributes=said).end()

def seen():
    found = [(span.name, dict(span.attributes)) for span in memory.get_finished_spans()]
    memory.clear()
    return found
"""


def run(code, before="trace.set_tracer_provider(provider)"):
    """Run *code* in a process whose provider is somebody else's; return its lines, and its log."""
    return succeeds(BEFORE, before, code)


@pytest.mark.behaviour("B020", "B022", "B023")
def test_a_scope_is_on_spans_that_others_start():
    """The inner one wins, what a span says itself wins, and outside there is nothing."""
    lines, said = run("""
        with telewright.adopt("all", strict=True):
            theirs()
            with kiln.round_(1):
                with kiln.round_(2), kiln.heat():
                    theirs()
                theirs(**{"kiln.round": 3})
                with trace.get_tracer("theirs").start_as_current_span("theirs"):
                    theirs()
        for span in seen():
            print(*span)
    """)
    assert lines == [
        "theirs {}",
        "theirs {'kiln.round': 2}",
        "kiln.heat {'kiln.round': 2}",
        "theirs {'kiln.round': 3}",
        "theirs {'kiln.round': 1}",
        "theirs {'kiln.round': 1}",
    ]
    assert "could not" not in said


@pytest.mark.behaviour("B168")
def test_what_a_scope_says_is_judged_before_their_span_has_it():
    """Declared keys become what their spec says, others are scanned, as on spans that we export."""
    lines, _ = run("""
        said = {
            "kiln.author": "ann",
            "kiln.stamp": "blue",
            "kiln.text": "dear",
            "undeclared": "sk-proj-" + "a1B2" * 12,
        }
        with telewright.adopt("all"), Scope(said):
            theirs()
            with kiln.heat():
                pass
        (_, theirs_), (_, ours) = seen()
        print(sorted(theirs_), theirs_["kiln.stamp"], "a1B2" in theirs_["undeclared"])
        print(ours)
    """)
    assert lines == [
        "['kiln.stamp', 'undeclared'] [masked] False",
        "{'kiln.stamp': '[masked]'}",
    ]


@pytest.mark.behaviour("B168")
def test_a_registry_that_is_imported_later_is_known():
    """What it calls content is content on spans of others, too."""
    lines, _ = run(
        """
        with telewright.adopt("all"), telewright.base.Scope({"kiln.text": "dear"}):
            trace.get_tracer("theirs").start_span("before").end()
            import tests.runtime.sample.kiln
            trace.get_tracer("theirs").start_span("after").end()
        print(seen())
        """,
        before="""
for name in [name for name in sys.modules if name.startswith("tests.runtime.sample")]:
    del sys.modules[name]
from telewright import _group
_group.PACKAGES.remove("tests.runtime.sample")
_group.REGISTRIES.pop("kiln")
trace.set_tracer_provider(provider)
""",
    )
    assert lines == ["[('before', {'kiln.text': 'dear'}), ('after', {})]"]


def test_their_provider_gets_one_processor_that_rests_after_the_stop():
    """However often telemetry starts; a scope that is still open then says no more."""
    lines, _ = run("""
        for number in range(3):
            telewright.adopt("all")
            block = kiln.round_(number)
            block.__enter__()
            theirs()
            telewright.stop()
            theirs()
            block.__exit__(None, None, None)
        print(provider.added, [said for _, said in seen()])
        print(provider.force_flush(), provider.shutdown())
    """)
    assert lines == [
        "2 [{'kiln.round': 0}, {}, {'kiln.round': 1}, {}, {'kiln.round': 2}, {}]",
        "True None",
    ]


def test_a_provider_without_processors_is_told_of_once():
    """Ours carry the scope there; that others' do not is said in one line, not at each start."""
    lines, said = run(
        """
        for number in range(2):
            with telewright.adopt("all", strict=True), kiln.round_(number), kiln.heat():
                theirs()
            print([said for _, said in seen()])
        """,
        before="""
class Narrow(trace.TracerProvider):
    def get_tracer(self, *args, **kwargs):
        return provider.get_tracer(*args, **kwargs)
trace.set_tracer_provider(Narrow())
""",
    )
    assert lines == ["[{}, {'kiln.round': 0}]", "[{}, {'kiln.round': 1}]"]
    told = [line for line in said.splitlines() if "takes no processors" in line]
    assert told == ["scopes are on spans of ours alone: Narrow takes no processors"]


@pytest.mark.behaviour("B132")
def test_neither_their_provider_nor_their_spans_hurt():
    """One that refuses a processor costs the scopes; a span of another kind starts all the same."""
    lines, said = run(
        """
        kept = []

        class Refusing(TracerProvider):
            def add_span_processor(self, one):
                kept.append(one)
                raise RuntimeError("refused")

        trace.set_tracer_provider(Refusing())
        with telewright.adopt("all") as telemetry, kiln.round_(1), kiln.heat() as span:
            kept[0].on_start(object())
            print(telemetry.on, span.on)
        """,
        before="",
    )
    assert lines == ["True True"]
    assert "could not bring scopes to somebody else's spans (RuntimeError)" in said
    assert "could not apply a scope (AttributeError)" in said


@pytest.mark.behaviour("B020")
def test_a_forked_child_has_them_too():
    """Before its own telemetry wakes, after that, and not when that has stopped."""
    lines, said = run("""
        telewright.adopt("all")
        with kiln.round_(1):
            child = os.fork()
            if not child:
                theirs()
                with kiln.round_(2), kiln.heat():
                    theirs()
                telewright.stop()
                theirs()
                print([said for _, said in seen()], provider.added, flush=True)
                os._exit(0)
            os.waitpid(child, 0)
            theirs()
        print(seen())
    """)
    assert lines == [
        "[{'kiln.round': 1}, {'kiln.round': 2}, {'kiln.round': 2}, {}] 2",
        "[('theirs', {'kiln.round': 1})]",
    ]
    assert "could not" not in said
