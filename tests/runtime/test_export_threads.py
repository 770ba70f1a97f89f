"""The threads that export: when they send, what they answer, and what is in the books after it."""

from __future__ import annotations

import asyncio
import ctypes
import logging
import threading
import time

import pytest

from telewright import _guard, _worker
from telewright._batcher import Batcher
from telewright._books import Ledger
from telewright._reader import Periodic
from telewright._settings import Batching

NEVER = 1e6
"""Seconds after which no test waits for anything."""


def soon():
    """Return a deadline that a working thread does not need."""
    return time.monotonic() + 30


class Sink:
    """Takes what is sent, and says what it is told to say."""

    def __init__(self):
        self.batches = []
        self.dropped = {}
        self.error = None
        self.closed = []
        self.sent = threading.Event()
        self.open = threading.Event()
        self.open.set()

    def send(self, batch):
        """Take a batch, once the way is open."""
        self.sent.set()
        assert self.open.wait(30)
        if self.error is not None:
            raise self.error
        self.batches.append(list(batch))
        return self.dropped

    def close(self):
        """Note which thread let go."""
        self.closed.append(threading.current_thread().name)


@pytest.fixture
def sink():
    """Return where batches go, and let nobody wait for it in the end."""
    made = Sink()
    yield made
    made.open.set()


def batcher(sink, **batching):
    """Return a batcher into *sink*, and its books."""
    ledger = Ledger()
    given = {"delay": NEVER, "queue": 100, "size": 100, **batching}
    return Batcher("test", sink.send, sink.close, ledger, Batching(**given)), ledger


def put(made, ledger, *items):
    """Make and queue *items*."""
    for item in items:
        ledger.make()
        made.put(item)


def test_a_full_batch_is_sent_unasked_and_a_part_is_not(sink):
    """As soon as there is a batch it goes; what is less waits for its time, or to be asked for."""
    made, ledger = batcher(sink, size=3)
    put(made, ledger, 1, 2)
    assert not sink.sent.wait(0.2)
    put(made, ledger, 3)
    assert sink.sent.wait(30)
    put(made, ledger, 4)
    assert made.wait(made.ask(), soon())
    made.close()
    assert sink.batches == [[1, 2, 3], [4]]
    assert ledger.read().exported == 4


def test_what_waits_is_sent_when_its_time_has_come(sink):
    """Nobody asks, and the batch is not full."""
    made, ledger = batcher(sink, delay=0.01)
    put(made, ledger, 1)
    assert sink.sent.wait(30)
    made.close()


def test_batches_have_their_size_and_their_order(sink):
    """What queues up behind a slow receiver leaves in batches, the oldest first."""
    made, ledger = batcher(sink, size=2)
    sink.open.clear()
    put(made, ledger, *range(7))
    ticket = made.ask()
    sink.open.set()
    assert made.wait(ticket, soon())
    made.close()
    assert [len(one) for one in sink.batches] == [2, 2, 2, 1]
    assert [item for one in sink.batches for item in one] == list(range(7))


def test_the_queue_is_as_long_as_it_may_be(sink):
    """One item more is dropped and counted, until what is open at the end may come too."""
    made, ledger = batcher(sink, queue=2)
    put(made, ledger, 1, 2, 3)
    assert ledger.read().dropped == {"queue_full": 1}
    made.widen()
    put(made, ledger, 4)
    assert made.wait(made.ask(), soon())
    made.close()
    assert sink.batches == [[1, 2, 4]]


def test_an_answer_is_about_what_was_asked_for(sink):
    """What was lost before the question is no answer to it; what is lost after it is."""
    made, ledger = batcher(sink)
    assert made.wait(made.ask(), soon())
    sink.dropped = {"refused": 1}
    put(made, ledger, 1, 2)
    assert made.wait(made.ask(), soon()) is False
    sink.dropped = {}
    put(made, ledger, 3)
    assert made.wait(made.ask(), soon())
    made.close()
    book = ledger.read()
    assert (book.made, book.exported, book.dropped) == (3, 2, {"refused": 1})


def test_a_deadline_that_has_passed_is_an_answer(sink):
    """Nothing is waited for; later the same question has another answer."""
    made, ledger = batcher(sink)
    sink.open.clear()
    put(made, ledger, 1)
    ticket = made.ask()
    assert made.wait(ticket, time.monotonic() - 1) is False
    sink.open.set()
    assert made.wait(ticket, soon())
    made.close()


def test_closing_gives_up_what_is_queued_and_what_is_in_the_air(sink):
    """Both are counted once; what arrives all the same, or is put later, changes no book."""
    made, ledger = batcher(sink, size=2)
    sink.open.clear()
    put(made, ledger, 1, 2)
    assert sink.sent.wait(30)
    put(made, ledger, 3)
    made.close()
    assert (ledger.read().exported, ledger.read().dropped) == (0, {"deadline": 3})
    sink.open.set()
    made.put(4)
    made._thread.join(30)
    assert not made._thread.is_alive()
    assert sink.closed == ["telewright-test"]
    assert (ledger.read().exported, ledger.read().dropped) == (0, {"deadline": 3})
    assert sink.batches == [[1, 2]]


def test_what_was_made_and_never_put_is_settled(sink):
    """An item that was open when the books were closed is in them."""
    made, ledger = batcher(sink)
    ledger.make(2)
    made.close()
    assert ledger.read().dropped == {"unended": 2}


def test_closed_books_stay_closed():
    """Each figure is of what was said before; the rest is dropped for the reason that is given."""
    ledger = Ledger()
    ledger.make(5)
    ledger.export(2)
    ledger.drop("a")
    ledger.drop("a", 0)
    ledger.drop("b", -1)
    assert ledger.settle("rest") == 2
    ledger.export(1)
    ledger.drop("a")
    book = ledger.read()
    assert (book.made, book.exported, book.dropped) == (5, 2, {"a": 1, "rest": 2})


class Collected:
    """What a reader collects, one after the other; nothing once that is over."""

    def __init__(self, *found):
        self.found = list(found)
        self.rounds = threading.Semaphore(0)

    def __call__(self):
        """Return what comes next, or raise it."""
        self.rounds.release()
        following = self.found.pop(0) if self.found else (None, 0)
        if isinstance(following, BaseException):
            raise following
        return following


def periodic(collect, sink, interval=NEVER):
    """Return a reader of *collect* into *sink*, and its books."""
    ledger = Ledger()
    return Periodic(collect, sink.send, sink.close, ledger, interval), ledger


def test_metrics_are_collected_now_and_then(sink):
    """Nobody asks, and round follows round."""
    collect = Collected(("a", 1), ("b", 2))
    made, ledger = periodic(collect, sink, interval=0.01)
    for _ in range(4):
        assert collect.rounds.acquire(timeout=30)
    made.close()
    assert sink.batches == [["a"], ["b"]]
    assert ledger.read().exported == 3


def test_who_asks_gets_one_round_and_its_answer(sink):
    """A round without points is well; one whose points were refused is not, and the next is."""
    collect = Collected((None, 0), ("a", 4), ("b", 2))
    made, ledger = periodic(collect, sink)
    assert made.wait(made.ask(), soon())
    assert (ledger.read().made, sink.batches) == (0, [])
    sink.dropped = {"refused": 3}
    assert made.wait(made.ask(), soon()) is False
    sink.dropped = {}
    assert made.wait(made.ask(), soon())
    made.close()
    made._thread.join(30)
    book = ledger.read()
    assert (book.made, book.exported, book.dropped) == (6, 3, {"refused": 3})
    assert sink.closed == ["telewright-metrics"]
    assert collect.found == []


def test_a_round_that_fails_costs_that_round(sink):
    """Whether it cannot be collected or cannot be sent: it is counted, and the next goes well."""
    made, ledger = periodic(Collected(OSError(), ("a", 2), ("b", 1)), sink)
    assert made.wait(made.ask(), soon()) is False
    sink.error = OSError()
    assert made.wait(made.ask(), soon()) is False
    sink.error = None
    assert made.wait(made.ask(), soon())
    made.close()
    book = ledger.read()
    assert (book.made, book.exported, book.dropped) == (3, 1, {"export_error": 2})
    assert _guard.FAILURES["collect metrics"] == 1


def test_a_reader_that_is_closed_answers_at_once(sink):
    """What was asked for and did not happen did not arrive."""
    made, _ = periodic(Collected(), sink)
    made.close()
    made._thread.join(30)
    assert made.wait(made.ask(), time.monotonic() + NEVER) is False


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


def throw(thread):
    """Throw SystemExit at a thread, which it meets when it wakes up."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit)
    )


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


@pytest.mark.parametrize("kind", THROWN)
def test_whatever_collecting_raises_costs_the_round(sink, kind, monkeypatch):
    """Collected or sent: who asked is told, and the next round is well."""
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
