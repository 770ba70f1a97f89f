"""Export threads that are thrown at, fail or are gone: what it costs, and who goes on."""

from __future__ import annotations

import asyncio
import logging
import threading
import time

import pytest

from telewright import _guard, _worker
from tests.runtime.export_threads import NEVER, Collected, batcher, periodic, put, soon, throw


class Fatal(logging.Handler):
    """Ends the thread that tells of a failure, as a handler that exits does."""

    def emit(self, record):
        """Exit, where an export thread complains."""
        if record.threadName.startswith("telewright-") and "could not" in record.getMessage():
            raise SystemExit


@pytest.fixture
def fatal():
    """Have no thread outlive a failure that it tells of."""
    handler = Fatal()
    logger = logging.getLogger("telewright")
    logger.addHandler(handler)
    yield
    logger.removeHandler(handler)


def ends_threads(test):
    """Have export threads of a test end when they fail, and nobody complain of that."""
    silent = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
    return pytest.mark.usefixtures("fatal")(silent(test))


THROWN = [SystemExit, KeyboardInterrupt, asyncio.CancelledError, GeneratorExit]


@pytest.mark.parametrize("kind", THROWN)
def test_whatever_an_exporter_raises_costs_the_batch(sink, kind):
    """It is counted, who asked is told, and the thread goes on with what comes next."""
    made, ledger = batcher(sink)
    sink.error = kind()
    put(made, ledger, 1, 2)
    assert made.wait(made.ask(), soon()) is False
    sink.error = None
    put(made, ledger, 3)
    assert made.wait(made.ask(), soon())
    made.close()
    book = ledger.read()
    assert (book.made, book.exported, book.dropped) == (3, 1, {"export_error": 2})
    assert _guard.FAILURES == {"run an export thread": 1}


@pytest.mark.parametrize("kind", [OSError, *THROWN])
def test_whatever_a_round_fails_by_costs_that_round(sink, kind, monkeypatch):
    """Collected or sent: it is counted, who asked is told, and the next round is well."""
    monkeypatch.setattr(_worker, "_APART", 0.01)
    made, ledger = periodic(Collected(kind(), ("a", 2), ("b", 1)), sink)
    assert made.wait(made.ask(), soon()) is False
    sink.error = kind()
    assert made.wait(made.ask(), soon()) is False
    sink.error = None
    assert made.wait(made.ask(), soon())
    made.close()
    book = ledger.read()
    assert (book.made, book.exported, book.dropped) == (3, 1, {"export_error": 2})


def test_a_thread_that_is_to_end_goes_on(sink):
    """What is thrown at it while it waits costs nothing: the same thread sends what it should."""
    made, ledger = batcher(sink)
    thread = made._thread
    for number in range(3):
        throw(thread)
        put(made, ledger, number)
        assert made.wait(made.ask(), soon())
    made.close()
    assert made._thread is thread
    assert sink.batches == [[0], [1], [2]]
    assert ledger.read().exported == 3
    assert _guard.FAILURES == {"run an export thread": 3}


def test_what_is_thrown_while_it_sends_costs_the_batch(sink):
    """Whether that arrived nobody knows, so it counts as dropped; what is queued is sent."""
    made, ledger = batcher(sink, size=2)
    sink.open.clear()
    put(made, ledger, 1, 2, 3)
    ticket = made.ask()
    assert sink.sent.wait(30)
    throw(made._thread)
    sink.open.set()
    assert made.wait(ticket, soon()) is False
    made.close()
    book = ledger.read()
    assert (book.made, book.exported, book.dropped) == (3, 1, {"export_error": 2})


def test_what_is_thrown_while_metrics_are_sent_costs_the_round(sink):
    """As it does for a batch: who asked is told, and the thread goes on."""
    made, ledger = periodic(Collected(("a", 2), ("b", 1)), sink)
    thread = made._thread
    sink.open.clear()
    ticket = made.ask()
    assert sink.sent.wait(30)
    throw(thread)
    sink.open.set()
    assert made.wait(ticket, soon()) is False
    assert made.wait(made.ask(), soon())
    made.close()
    assert made._thread is thread
    book = ledger.read()
    assert (book.made, book.exported, book.dropped) == (3, 1, {"export_error": 2})


def test_a_thread_that_fails_and_fails_lives_on(sink, monkeypatch):
    """Each failure costs what it costs, and after a while there is another round."""
    monkeypatch.setattr(_worker, "_APART", 0.01)
    made, ledger = batcher(sink)
    work, failures = made._work, iter([SystemExit(), MemoryError(), KeyboardInterrupt()])

    def fails():
        error = next(failures, None)
        if error is not None:
            raise error
        return work()

    made._work = fails
    throw(made._thread)
    put(made, ledger, 1)
    assert made.wait(made.ask(), soon())
    made.close()
    assert _guard.FAILURES == {"run an export thread": 4}
    assert ledger.read().exported == 1


def test_a_thread_that_fails_and_fails_does_not_spin(sink, monkeypatch):
    """From the second failure in a row on it waits, until there is something new or time passed."""
    monkeypatch.setattr(_worker, "_APART", NEVER)
    made, ledger = batcher(sink)
    third, rounds, work = threading.Event(), [], made._work

    def fails():
        rounds.append(1)
        if len(rounds) == 3:
            third.set()
        raise MemoryError

    made._work = fails
    throw(made._thread)
    put(made, ledger, 1)
    ticket = made.ask()
    assert not third.wait(0.2)
    made._work = work
    while not made.wait(ticket, time.monotonic() + 0.01):
        made.ask()
    made.close()
    assert ledger.read().exported == 1


@ends_threads
def test_a_thread_that_is_gone_is_replaced_when_it_is_asked(sink):
    """What it had is counted, who waited is told at once, and another one sends the rest."""
    made, ledger = batcher(sink)
    first = made._thread
    sink.error = OSError()
    put(made, ledger, 1, 2)
    ticket = made.ask()
    assert made.wait(ticket, time.monotonic() + NEVER) is False
    first.join(30)
    assert ledger.read().dropped == {"export_error": 2}
    assert sink.closed == []
    sink.error = None
    put(made, ledger, 3)
    assert made.wait(made.ask(), soon())
    assert made._thread is not first
    made.close()
    made._thread.join(30)
    assert sink.closed == ["telewright-test"]
    book = ledger.read()
    assert (book.made, book.exported, book.dropped) == (3, 1, {"export_error": 2})


@ends_threads
@pytest.mark.parametrize("full", [False, True])
def test_a_thread_that_is_gone_is_replaced_when_there_is_a_batch(sink, full):
    """Nobody asks: a full batch is enough, and so is one item too many for a full queue."""
    made, ledger = batcher(sink, size=2, queue=2)
    first = made._thread
    sink.open.clear()
    put(made, ledger, 1, 2)
    assert sink.sent.wait(30)
    put(made, ledger, *([3, 4] if full else ()))
    sink.error = OSError()
    sink.open.set()
    first.join(30)
    sink.error = None
    put(made, ledger, *([5] if full else [3, 4]))
    assert made._thread is not first
    assert made.wait((4, 2), soon())
    made.close()
    book = ledger.read()
    lost = {"export_error": 2, **({"queue_full": 1} if full else {})}
    assert (book.exported, book.dropped) == (2, lost)
    assert sink.batches == [[3, 4]]


@ends_threads
def test_threads_are_not_replaced_again_and_again(sink, monkeypatch):
    """One a second at most, however much is made meanwhile; closing begins the last."""
    monkeypatch.setattr(_worker, "monotonic", lambda: 1000.0)
    made, ledger = batcher(sink, size=2, queue=10)
    threads = {made._thread}
    sink.error = OSError()
    for number in range(300):
        put(made, ledger, number)
        threads.add(made._thread)
        made.ask()
        threads.add(made._thread)
        made._thread.join(30)
    assert len(threads) == 2
    made.close()
    made._thread.join(30)
    assert made._thread not in threads
    assert sink.closed == ["telewright-test"]
    book = ledger.read()
    assert (book.made, book.exported) == (300, 0)
    assert set(book.dropped) == {"export_error", "queue_full", "deadline"}
    assert book.made == sum(book.dropped.values())


@ends_threads
def test_a_reader_that_is_gone_is_replaced_when_it_is_asked(sink):
    """Its round is counted and answered, and the next one is another thread's."""
    made, ledger = periodic(Collected(("a", 2), ("b", 1)), sink)
    first = made._thread
    sink.error = OSError()
    assert made.wait(made.ask(), time.monotonic() + NEVER) is False
    first.join(30)
    sink.error = None
    assert made.wait(made.ask(), soon())
    made.close()
    made._thread.join(30)
    assert made._thread is not first
    assert sink.closed == ["telewright-metrics"]
    book = ledger.read()
    assert (book.made, book.exported, book.dropped) == (3, 1, {"export_error": 2})


@ends_threads
def test_a_reader_that_is_gone_is_replaced_to_close(sink, monkeypatch):
    """Even if one just was: somebody has to let go of the exporter."""
    monkeypatch.setattr(_worker, "monotonic", lambda: 1000.0)
    made, _ = periodic(Collected(("a", 2), ("b", 1)), sink)
    sink.error = OSError()
    for _ in range(2):  # the second time it is gone it was replaced this very second
        made.ask()
        made._thread.join(30)
    assert sink.closed == []
    made.close()
    made._thread.join(30)
    assert sink.closed == ["telewright-metrics"]


def test_only_the_second_failure_in_a_row_is_followed_by_a_pause(sink, monkeypatch):
    """What fails once goes on at once; what fails again and again does not spin."""
    monkeypatch.setattr(_worker, "_APART", 60)
    collect = Collected(SystemExit(), (None, 0), SystemExit(), SystemExit(), (None, 0))
    made, _ = periodic(collect, sink, interval=0.01)
    for _ in range(4):
        assert collect.rounds.acquire(timeout=30)
    assert not collect.rounds.acquire(timeout=0.3)
    made.close()
    made._thread.join(30)
    assert not made._thread.is_alive()


@ends_threads
def test_where_no_thread_can_begin_nobody_waits(sink, monkeypatch):
    """It is told, questions are answered at once, and the books are settled."""
    made, ledger = batcher(sink)
    sink.error = OSError()
    put(made, ledger, 1)
    assert made.wait(made.ask(), time.monotonic() + NEVER) is False
    made._thread.join(30)

    def fails(_thread):
        raise RuntimeError

    monkeypatch.setattr(threading.Thread, "start", fails)
    put(made, ledger, 2)
    assert made.wait(made.ask(), time.monotonic() + NEVER) is False
    made.close()
    assert ledger.read().dropped == {"export_error": 1, "deadline": 1}
    assert _guard.FAILURES["begin an export thread"] == 2
