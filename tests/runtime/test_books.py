"""The books: made is exported plus dropped, whatever happens, and answers keep their deadline."""

from __future__ import annotations

import threading
import time

import pytest
from opentelemetry import trace
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.sdk.trace.sampling import Decision, Sampler, SamplingResult

import telewright
from telewright import _sampler, _start
from telewright._batcher import Batcher
from telewright._books import Ledger
from telewright._settings import Batching
from tests.runtime.export_threads import threads, throw
from tests.runtime.sample import kiln
from tests.runtime.sample.kiln import Stage


def balanced(book):
    """Say whether all that was made is accounted for."""
    return book.made == book.exported + sum(book.dropped.values())


def work(count):
    """Record *count* spans, and as many metrics."""
    for number in range(count):
        with kiln.fire(Stage.COOL, batch=f"b{number}", kind="k"):
            pass


def test_books_agree_with_the_receiver_span_by_span(receiver):
    """Under eight threads, checked by span id against who received them."""
    made = []

    def record():
        for _ in range(300):
            with kiln.heat() as span:
                made.append(f"{span._otel.get_span_context().span_id:016x}")

    telewright.start("kiln.firing")
    threads = [threading.Thread(target=record) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert telewright.stop()
    books = telewright.stats()
    assert sorted(span.span_id.hex() for span in receiver.spans) == sorted(made)
    assert books.made == books.exported == len(made) == 2400


def test_a_queue_that_is_full_drops_and_says_so(monkeypatch, receiver):
    """The application never waits for the network: what is too much is counted."""
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "10")
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "5")
    receiver.delay = 0.3
    telewright.start("kiln.firing", metrics=False)
    work(100)
    telewright.stop()
    books = telewright.stats()
    assert books.made == 100
    assert books.dropped["queue_full"] > 50
    assert balanced(books)
    assert len(receiver.spans) == books.exported


@pytest.mark.parametrize("status", [400, 404, 500])
def test_what_a_receiver_refuses_is_dropped(receiver, status):
    """A flush that did not deliver says so, and the books know how much that was."""
    receiver.status = status
    telewright.start("kiln.firing")
    work(3)
    assert telewright.flush() is False
    assert telewright.stop() is False
    books = telewright.stats()
    assert (books.made, books.exported, books.dropped) == (3, 0, {"export_failed": 3})
    assert balanced(books.points)
    assert books.points.exported == 0


def test_what_a_receiver_takes_but_does_not_keep_is_dropped(receiver, caplog):
    """OTLP's partial success: the request arrived, and some of what is in it was rejected."""
    answer = ExportTraceServiceResponse()
    answer.partial_success.rejected_spans = 2
    answer.partial_success.error_message = "older than an hour"
    with telewright.start("kiln.firing", metrics=False):
        for _ in range(3):
            kiln.heat().__enter__().__exit__(None, None, None)
        receiver.answer = answer.SerializeToString()
        assert not telewright.flush()
        receiver.answer = b""
        kiln.heat().__enter__().__exit__(None, None, None)
        assert telewright.flush()
    books = telewright.stats()
    assert (books.made, books.exported, books.dropped) == (4, 2, {"rejected": 2})
    assert "a receiver rejected 2 items: older than an hour" in caplog.text


@pytest.mark.parametrize("answer", [b"{}", b"\x00\xff", b"ok" * 99])
def test_an_answer_that_says_nothing_means_that_it_arrived(receiver, answer):
    """Whatever is in it: the status stands."""
    receiver.answer = answer
    with telewright.start("kiln.firing", metrics=False), kiln.heat():
        pass
    assert (telewright.stats().exported, telewright.stats().dropped) == (1, {})


def test_a_receiver_that_hangs_does_not_hang_us(receiver):
    """Flush and stop end by their deadline and say the truth; what is in the air is dropped."""
    receiver.delay = 20
    telewright.start("kiln.firing")
    work(3)
    begun = time.monotonic()
    assert telewright.flush(0.3) is False
    assert telewright.stop(0.5) is False
    assert time.monotonic() - begun < 5
    books = telewright.stats()
    assert (books.made, books.exported) == (3, 0)
    assert books.dropped == {"deadline": 3}
    assert balanced(books.points)


def test_nobody_listening_ends_by_the_deadline(monkeypatch):
    """A refused connection, which the exporter tries again and again, is given up in time."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    telewright.start("kiln.firing")
    work(3)
    begun = time.monotonic()
    assert telewright.stop(1.0) is False
    assert time.monotonic() - begun < 5
    books = telewright.stats()
    assert books.made == 3
    assert books.exported == 0
    assert balanced(books)


@pytest.mark.behaviour("B077", "B078")
def test_spans_that_are_open_at_the_end_are_exported_truncated(receiver):
    """The innermost first, marked, with the reason, and not as an error."""
    telewright.start("kiln.firing")
    outer = kiln.heat()
    inner = kiln.write()
    with outer, inner:
        with kiln.fire(Stage.COOL, batch="b", kind="k"):
            pass
        assert telewright.stop()
        inner.set(lines=3)
    names = [span.name for span in receiver.spans]
    assert names == ["kiln.fire.cool", "kiln.write", "kiln.heat"]
    for name in names[1:]:
        span = receiver.span(name)
        assert [pair.key for pair in span.attributes] == ["nemo.span.truncated"]
        assert [event.name for event in span.events] == ["nemo.span.truncated"]
        assert span.status.code == 0
    assert not receiver.span("kiln.fire.cool").events
    books = telewright.stats()
    assert (books.made, books.exported) == (3, 3)


@pytest.mark.behaviour("B078")
def test_flush_never_ends_a_live_span(receiver):
    """What is open stays open, and is exported once it ends."""
    telewright.start("kiln.firing")
    with kiln.heat():
        assert telewright.flush()
        assert not receiver.spans
    telewright.stop()
    assert not receiver.span("kiln.heat").events


@pytest.mark.behaviour("B079")
def test_spans_after_the_stop_are_nobodys(receiver):
    """A tracer that was kept keeps nothing, and the books stay as they are."""
    telewright.start("kiln.firing")
    kept = kiln.GATE.tracer
    telewright.stop()
    span = kept.start_span("late")
    span.end()
    assert telewright.stats().made == 0
    assert not receiver.spans


def test_a_span_that_is_not_sampled_is_not_made(monkeypatch, receiver):
    """OTEL_TRACES_SAMPLER is honoured, and an unsampled span is in no book."""
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_off")
    with telewright.start("kiln.firing"), kiln.heat() as span:
        assert not span.on
    assert telewright.stats().made == 0
    assert not receiver.spans


@pytest.mark.parametrize("fast", [False, True])
def test_a_span_that_is_only_recorded_is_counted_and_not_exported(monkeypatch, receiver, fast):
    """A sampler may want a span recorded and not exported; the books say why it is not there."""

    class Recorder(Sampler):
        def should_sample(self, *_, **__):
            return SamplingResult(Decision.RECORD_ONLY)

        def get_description(self):
            return "Recorder"

    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "recorder")
    monkeypatch.setattr(_sampler, "sampler", Recorder)  # as the SDK finds one that is installed
    with telewright.start("kiln.firing", fast=fast), kiln.heat() as span:
        assert span.on
    books = telewright.stats()
    assert (books.made, books.exported, books.dropped) == (1, 0, {"not_sampled": 1})
    assert not receiver.spans


def test_one_span_that_cannot_be_encoded_costs_that_span(receiver):
    """What somebody else put on a span is cleaned, or left out, before the encoder sees it."""
    telewright.start("kiln.firing")
    with trace.get_tracer("theirs").start_as_current_span("theirs") as span:
        span.set_attribute("big", 2**70)
        span.set_attribute("half", "\ud800x")
        span.set_attribute("good", 1)
        span.set_attribute("map", {"a": 1})
    with kiln.heat():
        pass
    assert telewright.stop()
    books = telewright.stats()
    assert books.made == books.exported == len(receiver.spans) == 2
    assert sorted(pair.key for pair in receiver.span("theirs").attributes) == ["good", "half"]


def test_an_exporter_that_raises_is_counted(receiver, monkeypatch):
    """The thread lives on, and so does the next batch."""
    telewright.start("kiln.firing", metrics=False)
    batcher = _start.STATE.pipeline._batchers[0]
    send = batcher._send

    def broken(_batch):
        raise MemoryError

    monkeypatch.setattr(batcher, "_send", broken)
    work(2)
    assert telewright.flush() is False
    monkeypatch.setattr(batcher, "_send", send)
    work(1)
    assert telewright.stop()
    books = telewright.stats()
    assert (books.made, books.exported, books.dropped) == (3, 1, {"export_error": 2})
    assert len(receiver.spans) == 1


def test_an_export_thread_that_is_killed_lives_on(receiver):
    """Whatever is thrown at it while it waits: what is made after it arrives."""
    before = threads()
    telewright.start("kiln.firing")
    work(2)
    assert telewright.flush(5)
    for thread in threads() - before:
        throw(thread)
    work(1)
    assert telewright.stop(5)
    books = telewright.stats()
    assert (books.made, books.exported) == (3, 3)
    assert books.points.made == books.points.exported > 0
    assert len(receiver.spans) == 3


def test_the_export_threads_are_daemons(receiver):
    """A process never waits for them; and they end when telemetry does."""
    before = threads()
    telewright.start("kiln.firing")
    ours = threads() - before
    assert len(ours) == 2
    assert all(thread.daemon for thread in ours)
    telewright.stop()
    for thread in ours:
        thread.join(5)
    assert not any(thread.is_alive() for thread in ours)
    assert not receiver.spans


def test_a_handler_that_records_while_the_queue_is_held_does_not_hang():
    """A signal handler or a finalizer runs in the thread that holds the lock."""
    ledger = Ledger()
    batcher = Batcher("test", lambda _batch: {}, lambda: None, ledger, Batching())
    done = threading.Event()

    def handler():
        with batcher._changed, ledger.lock:
            ledger.make()
            batcher.put("item")
        done.set()

    threading.Thread(target=handler, daemon=True).start()
    assert done.wait(5)
    assert batcher.wait(batcher.ask(), time.monotonic() + 5)
    batcher.close()
    assert (ledger.read().made, ledger.read().exported) == (1, 1)
