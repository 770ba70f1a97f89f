"""Processors that others add to our provider: they are flushed and shut down with it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from threading import Event, Thread

import pytest
from opentelemetry import trace
from opentelemetry.instrumentation.utils import is_instrumentation_enabled
from opentelemetry.sdk.trace import SpanProcessor
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import telewright
from telewright import _guard, _start
from tests.runtime.export_threads import threads
from tests.runtime.sample import kiln

ROOT = Path(__file__).resolve().parents[2]
NEVER = 1e9
"""Milliseconds after which a batch leaves unasked."""


class Memory(InMemorySpanExporter):
    """Remembers what arrived, and whether it was shut down."""

    over = False

    def shutdown(self):
        """Note it."""
        self.over = True

    @property
    def names(self):
        """Return what the spans are called that arrived."""
        return [span.name for span in self.get_finished_spans()]


class Told(SpanProcessor):
    """Answers as it is told, by a value or an error; notes what it was asked, and how."""

    def __init__(self, answer):
        self.answer = answer
        self.asked = []

    def _note(self, what):
        self.asked.append((what, is_instrumentation_enabled()))
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    def force_flush(self, timeout_millis=30_000):
        """Answer; there is no time that is none."""
        assert timeout_millis > 0
        return self._note("flush")

    def shutdown(self):
        """Answer that, too."""
        self._note("shutdown")


class Stuck(SpanProcessor):
    """Never answers, until the test is over."""

    def __init__(self):
        self.free = Event()

    def force_flush(self, timeout_millis=30_000):  # noqa: ARG002 - the SDK's signature
        """Wait."""
        return self.free.wait(60)

    def shutdown(self):
        """Wait as well."""
        self.free.wait(60)


class StuckAtTheEnd(Stuck):
    """Flushes, and then hangs when it is shut down."""

    def force_flush(self, timeout_millis=30_000):  # noqa: ARG002 - the SDK's signature
        """Have nothing to do."""
        return True


class Watcher(SpanProcessor):
    """Looks at spans while they are open, for which the fast tier falls back."""

    def on_start(self, span, parent_context=None):
        """Look."""


@pytest.fixture(params=["standard", "fast", "fallen back", "unfit"])
def started(request, receiver, monkeypatch):
    """Start telemetry in a tier, and return what adds processors to its provider."""
    if request.param == "unfit":
        monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_on")
    telewright.start("all", metrics=False, fast=request.param != "standard", strict=True)
    provider = trace.get_tracer_provider()
    if request.param == "fallen back":
        provider.add_span_processor(Watcher())
    yield provider.add_span_processor
    telewright.stop(1)
    assert {span.name for span in receiver.spans} == {"kiln.heat"}


def test_a_batch_processor_is_flushed_and_shut_down(started):
    """By the provider's flush, by ours, and at the end with what was open then."""
    memory = Memory()
    started(BatchSpanProcessor(memory, schedule_delay_millis=NEVER))
    with kiln.heat():
        pass
    assert trace.get_tracer_provider().force_flush()
    assert len(memory.names) == 1
    with kiln.heat():
        pass
    assert telewright.flush()
    assert len(memory.names) == 2
    open_ = kiln.heat().open()
    assert telewright.stop()
    assert memory.names == ["kiln.heat"] * 3
    assert memory.over
    open_.close()


@pytest.mark.parametrize(("answer", "well"), [(None, True), (True, True), (False, False)])
def test_what_it_answers_is_the_truth(started, answer, well):
    """It is asked where nothing is recorded of what it does; nothing said is well."""
    told = Told(answer)
    started(told)
    with kiln.heat():
        pass
    assert trace.get_tracer_provider().force_flush() is well
    assert telewright.flush() is well
    assert telewright.stop() is well
    assert told.asked == [("flush", False)] * 3 + [("shutdown", False)]


def test_what_it_raises_costs_the_answer(started):
    """Ours arrives, and so does what others process; nobody is raised at."""
    memory, told = Memory(), Told(ValueError())
    started(told)
    started(BatchSpanProcessor(memory, schedule_delay_millis=NEVER))
    with kiln.heat():
        pass
    assert telewright.flush() is False
    assert memory.names == ["kiln.heat"]
    assert telewright.stop() is False
    assert [what for what, _ in told.asked] == ["flush", "flush", "shutdown"]
    assert memory.over
    assert _guard.FAILURES["flush a processor of somebody else's"] == 2
    assert telewright.stats().made == telewright.stats().exported == 1


@pytest.mark.parametrize("kind", [Stuck, StuckAtTheEnd])
def test_one_that_never_answers_holds_nobody_up(started, kind):
    """Each answer comes by its deadline, and is no; another processor is not kept from its own."""
    memory, stuck = Memory(), kind()
    started(stuck)
    started(BatchSpanProcessor(memory, schedule_delay_millis=NEVER))
    with kiln.heat():
        pass
    flushes = kind is StuckAtTheEnd
    assert telewright.flush(30 if flushes else 0.5) is flushes
    assert trace.get_tracer_provider().force_flush(30_000 if flushes else 500) is flushes
    assert memory.names == ["kiln.heat"]
    assert telewright.stop(0.5) is False
    stuck.free.set()
    assert telewright.stats().made == telewright.stats().exported == 1


PROGRAM = """
import telewright
from opentelemetry import trace
from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter
from tests.runtime.export_threads import threads
from tests.runtime.sample import kiln

class Console(ConsoleSpanExporter):
    def shutdown(self):
        print("over")

telewright.start("all", exporter="file", path=PATH, metrics=False, strict=True)
console = Console(formatter=lambda span: span.name + "\\n")
trace.get_tracer_provider().add_span_processor(BatchSpanProcessor(console))
with kiln.heat():
    pass
"""


def test_a_process_that_ends_without_a_stop_exports_there_too(tmp_path):
    """Whether or not a thread can be begun by then."""
    said = subprocess.run(
        [sys.executable, "-c", f"PATH = {str(tmp_path / 'out.jsonl')!r}" + PROGRAM],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (said.returncode, said.stderr) == (0, "")
    assert said.stdout.splitlines() == ["kiln.heat", "over"]


@pytest.mark.usefixtures("receiver")
def test_what_is_added_as_telemetry_stops_is_shut_down(monkeypatch):
    """It comes too late to be waited for, and nothing of it stays."""
    telewright.start("all", metrics=False)
    provider, late = trace.get_tracer_provider(), Told(None)
    queue = _start.STATE.pipeline._queue
    finish = queue.finish

    def finishing():
        finish()
        provider.add_span_processor(late)

    monkeypatch.setattr(queue, "finish", finishing)
    earlier = threads()
    assert telewright.stop()
    for thread in threads() - earlier:
        thread.join(30)
    assert not threads() - earlier
    assert [what for what, _ in late.asked] == ["shutdown"]


def test_who_waits_shortly_cuts_nobody_off(started):
    """Of two that flush at once each has the time that it gave."""
    begun, told = Event(), []

    class Slow(SpanProcessor):
        def force_flush(self, timeout_millis=30_000):
            told.append(timeout_millis)
            begun.set()
            return free.wait(60)

    free = Event()
    started(Slow())
    answers = []
    flushes = [Thread(target=lambda: answers.append(telewright.flush(60))) for _ in range(2)]
    flushes[0].start()
    assert begun.wait(30)  # the next round is for both who ask now
    flushes[1].start()
    while not _start.STATE.pipeline._queue._others[-1]._next.asked:
        pass
    assert telewright.flush(0.01) is False
    free.set()
    for one in flushes:
        one.join(60)
    assert answers == [True, True]
    assert all(left > 10_000 for left in told)
    with kiln.heat():
        pass
