"""The threads that export: when they send, what they answer, and what is in the books after it."""

from __future__ import annotations

import time
from threading import Thread

from telewright._books import Ledger
from tests.runtime.export_threads import NEVER, Collected, batcher, periodic, put, soon


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


def test_what_is_queued_behind_a_batch_takes_no_lock(sink):
    """Once the thread knows that there is a batch, no item waits for whoever has its lock."""
    made, ledger = batcher(sink, size=2)
    sink.open.clear()
    put(made, ledger, 1, 2)
    assert sink.sent.wait(30)
    put(made, ledger, 3, 4)
    putting = Thread(target=put, args=(made, ledger, 5, 6, 7), daemon=True)
    with made._lock:
        putting.start()
        putting.join(30)
        assert not putting.is_alive()
    sink.open.set()
    assert made.wait(made.ask(), soon())
    made.close()
    assert sink.batches == [[1, 2], [3, 4], [5, 6], [7]]


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
    ledger.make()
    ledger.export(1)
    ledger.drop("a")
    book = ledger.read()
    assert (book.made, book.exported, book.dropped) == (5, 2, {"a": 1, "rest": 2})


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


def test_an_answer_is_of_the_round_that_was_asked_for(sink):
    """Two who ask one after the other, and look later, each learn what became of theirs."""
    made, _ = periodic(Collected(("a", 1), ("b", 2), ("c", 1)), sink)
    first = made.ask()
    assert made.wait(first, soon())
    sink.dropped = {"refused": 2}
    second = made.ask()
    assert made.wait(second, soon()) is False
    assert made.wait(first, soon())
    sink.dropped = {}
    assert made.wait(made.ask(), soon())
    assert made.wait(second, soon()) is False
    made.close()


def test_a_reader_that_is_closed_answers_at_once(sink):
    """What was asked for and did not happen did not arrive."""
    made, _ = periodic(Collected(), sink)
    made.close()
    made._thread.join(30)
    assert made.wait(made.ask(), time.monotonic() + NEVER) is False
