"""Threads in the background give way while they work, so that an event loop does not wait."""

from __future__ import annotations

import itertools
import threading
from time import monotonic

import pytest
from opentelemetry._logs import LogRecord
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import telewright
from telewright import _pace, _registries
from telewright._guard_export import ExportGuard
from telewright._open_spans import SlowWatch, ages
from telewright._pace import Paced, paced
from tests.runtime.sample import groups, kiln

MICROSECOND = 1_000


MILLISECOND = 1_000 * MICROSECOND


class Clock:
    """Moves on by as much each time it is read, and writes down the pauses."""

    def __init__(self, step):
        self.step = step
        self.now = 0
        self.pauses = 0
        self.ran = 0
        self.lasts = lambda: 0
        """How long the next pause is."""
        self.others_run = True
        """Whether it is for threads of this process that a pause lasts."""

    def read(self):
        """Return the nanoseconds that it stands at."""
        self.now += self.step
        return self.now

    def read_processor(self):
        """Return the nanoseconds that the process ran."""
        return self.ran

    def sleep(self, seconds):
        """Pause, for as long as the test says."""
        assert 0 < seconds < 0.001
        self.pauses += 1
        lasts = self.lasts()
        self.now += lasts
        self.ran += lasts if self.others_run else 0


@pytest.fixture
def clock(monkeypatch):
    """A clock by which whatever is done with one item takes 100 µs, unless a test says more."""
    made = Clock(100 * MICROSECOND)
    monkeypatch.setattr(_pace, "perf_counter_ns", made.read)
    monkeypatch.setattr(_pace, "process_time_ns", made.read_processor)
    monkeypatch.setattr(_pace, "sleep", made.sleep)
    monkeypatch.setattr(_pace, "_TAKEN", [0, 0])
    return made


def spans(count):
    """Return *count* ended spans of the SDK."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    for number in range(count):
        with provider.get_tracer("telewright.kiln").start_as_current_span(f"kiln.{number}"):
            pass
    return list(exporter.get_finished_spans())


def opened(count):
    """Return *count* of them as our queue has them: with the name and the time of their start."""
    return [(span, span.name, monotonic()) for span in spans(count)]


def test_items_come_as_they_are(clock):
    """All of them, in their order, with pauses where there was much to do."""
    assert list(paced(range(40))) == list(range(40))
    assert 10 <= clock.pauses <= 20


def test_little_work_has_no_pause(clock):
    """The control: what takes no time is not interrupted."""
    clock.step = 10
    assert len(list(paced(range(1000)))) == 1000
    assert not clock.pauses


def test_beside_threads_that_compute_there_are_fewer_pauses(clock):
    """Each of theirs takes its turn in every pause; they get no more than a share of the time."""
    clock.lasts = lambda: 20 * MILLISECOND
    for _ in range(10):
        assert list(paced(range(100))) == list(range(100))
    assert 20 <= clock.pauses <= 30
    clock.lasts = lambda: 8 * MILLISECOND
    before = clock.pauses
    assert len(list(paced(range(1000)))) == 1000
    assert 40 <= clock.pauses - before <= 60


def test_one_long_pause_changes_nothing(clock):
    """An event loop runs for long now and then, and waits again."""
    lengths = itertools.cycle([20 * MILLISECOND, 0])
    clock.lasts = lambda: next(lengths)
    assert len(list(paced(range(1000)))) == 1000
    assert clock.pauses >= 200


def test_pauses_that_another_process_makes_long_change_nothing(clock):
    """On a busy machine they are, while nobody here is in the way."""
    clock.lasts, clock.others_run = lambda: 20 * MILLISECOND, False
    assert len(list(paced(range(1000)))) == 1000
    assert clock.pauses >= 200


def test_there_is_no_pause_while_somebody_waits(clock, receiver):
    """Who flushes asks for the work itself; once it is over there are pauses again."""
    with telewright.start("kiln.firing", metrics=False):
        for _ in range(100):
            with kiln.heat():
                pass
        assert telewright.flush()
        assert len(receiver.spans) == 100
        assert not clock.pauses
        assert len(list(paced(range(40)))) == 40
        assert clock.pauses >= 10


def test_a_wait_is_over_at_its_deadline(clock):
    """A child that is forked while its parent waits does not hurry for ever."""

    def work(_owner, _deadline):
        assert len(list(paced(range(40)))) == 40
        return True

    assert _pace.awaited(work)(None, monotonic() + 60)
    assert not clock.pauses
    assert _pace.awaited(work)(None, monotonic() - 1)
    assert clock.pauses >= 10


def test_what_leaves_is_judged_and_encoded_in_pieces(clock):
    """Neither the guard nor OpenTelemetry's own encoder keeps the interpreter for a whole batch."""
    judged = ExportGuard().spans(spans(40))
    after_guard = clock.pauses
    assert after_guard >= 10
    encoded = encode_spans(judged)
    assert clock.pauses >= after_guard + 10
    assert encoded == encode_spans(list.copy(judged))


def records(count):
    """Return *count* log records of the SDK."""
    exporter, provider = InMemoryLogRecordExporter(), LoggerProvider(shutdown_on_exit=False)
    provider.add_log_record_processor(SimpleLogRecordProcessor(exporter))
    for number in range(count):
        provider.get_logger("kiln").emit(LogRecord(body=f"fired {number}"))
    return list(exporter.get_finished_logs())


def points(count):
    """Return what the SDK has of a counter with *count* series."""
    reader = InMemoryMetricReader()
    provider = MeterProvider([reader], shutdown_on_exit=False)
    counter = provider.get_meter("kiln").create_counter("kiln.faults")
    for number in range(count):
        counter.add(1, {"kiln.town": f"t{number}"})
    return reader.get_metrics_data()


@pytest.mark.parametrize(
    ("judge", "given"), [(ExportGuard.logs, records), (ExportGuard.metrics, points)]
)
def test_log_records_and_points_are_judged_in_pieces(clock, judge, given):
    """As spans are."""
    judge(ExportGuard(), given(40))
    assert clock.pauses >= 10


def test_slow_spans_are_looked_for_in_pieces(clock, monkeypatch):
    """However many are open, of which none is slow."""
    declared = {"spans": {"kiln.heat": {"slow_after": 0.1}}}
    monkeypatch.setitem(_registries._DATA, "kiln", declared)
    made, looks, looked_again = opened(40), [], threading.Event()

    def open_spans():
        looks.append(clock.pauses)
        if len(looks) > 1:
            looked_again.set()
        return made

    watch = SlowWatch(open_spans)
    watch.add(groups.REGISTRY)
    assert looked_again.wait(30)
    watch.close()
    assert looks[1] >= looks[0] + 10


def test_open_spans_are_counted_in_pieces(clock):
    """Their ages are computed so as well."""
    assert sum(age.count for age in ages(opened(40)).values()) == 40
    assert clock.pauses >= 10


def test_a_paced_list_is_a_list():
    """It equals one, and can be counted and indexed."""
    made = Paced([1, 2, 3])
    assert made == [1, 2, 3]
    assert (len(made), made[1], made[1:]) == (3, 2, [2, 3])
