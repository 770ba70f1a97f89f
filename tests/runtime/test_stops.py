"""Stops that something comes in between of: what they say is true, and the books balance."""

from __future__ import annotations

import signal
import threading

import pytest

import telewright
from telewright import _guard, _start
from telewright._accounts import Account
from telewright._ids import SystemIds
from telewright._processor import QueueProcessor
from tests.runtime.export_threads import threads
from tests.runtime.interpreter import run
from tests.runtime.sample import kiln

TIERS = pytest.mark.parametrize("fast", [False, True], ids=["standard", "fast"])


def while_flushing(monkeypatch, first):
    """Do *first* when telemetry, which runs, is flushed next; after that go on flushing."""
    pipeline = _start.STATE.pipeline
    flush, waiting = pipeline.flush, [first]

    def flushing(deadline):
        if waiting:
            waiting.pop()()
        return flush(deadline)

    monkeypatch.setattr(pipeline, "flush", flushing)


def balanced(book):
    """Say whether all that was made is accounted for."""
    return book.made == book.exported + sum(book.dropped.values())


@TIERS
def test_a_span_that_starts_as_telemetry_stops_was_not_made(receiver, monkeypatch, fast):
    """Its gate was open when its block began: it is not exported, and nothing was lost."""
    begun, may_go_on, generate = threading.Event(), threading.Event(), SystemIds.generate_span_id

    def slowly(self):
        if threading.current_thread() is thread:
            begun.set()
            assert may_go_on.wait(30)
        return generate(self)

    def work():
        with kiln.heat():
            pass

    thread = threading.Thread(target=work)

    def goes_on():
        may_go_on.set()
        thread.join(30)

    monkeypatch.setattr(SystemIds, "generate_span_id", slowly)
    telewright.start("kiln.firing", metrics=False, fast=fast)
    with kiln.write():
        pass
    thread.start()
    assert begun.wait(30)
    while_flushing(monkeypatch, goes_on)
    assert telewright.stop()
    books = telewright.stats()
    assert (books.made, books.exported, books.dropped) == (1, 1, {})
    assert [span.name for span in receiver.spans] == ["kiln.write"]


def test_a_span_that_ends_as_telemetry_stops_is_exported(receiver, monkeypatch):
    """It was on its way to the queue when that was emptied; there is time enough for it."""
    telewright.start("kiln.firing", metrics=False)
    ending, may_go_on, on_end = threading.Event(), threading.Event(), QueueProcessor.on_end
    thread = threading.Thread(target=lambda: kiln.heat().open().close())

    def slowly(self, span):
        ending.set()
        assert may_go_on.wait(30)
        on_end(self, span)

    monkeypatch.setattr(QueueProcessor, "on_end", slowly)
    thread.start()
    assert ending.wait(30)
    flush, pipeline = _start.STATE.pipeline.flush, _start.STATE.pipeline

    def flushing(deadline):
        arrived = flush(deadline)
        may_go_on.set()
        thread.join(30)
        return arrived

    monkeypatch.setattr(pipeline, "flush", flushing)
    assert telewright.stop()
    books = telewright.stats()
    assert (books.made, books.exported, books.dropped) == (1, 1, {})
    assert receiver.span("kiln.heat")


def test_stop_says_so_if_only_the_last_batch_arrived(receiver, monkeypatch):
    """What was on its way to the queue arrives, after what was queued had not."""
    telewright.start("kiln.firing", metrics=False)
    pipeline = _start.STATE.pipeline
    flush, asked = pipeline.flush, []

    def flushing(deadline):
        asked.append(deadline)
        return flush(deadline) and len(asked) > 1

    monkeypatch.setattr(pipeline, "flush", flushing)
    monkeypatch.setattr(pipeline._batchers[0], "owes", lambda: len(asked) == 1)
    with kiln.heat():
        pass
    assert telewright.stop() is False
    assert receiver.span("kiln.heat")


@pytest.mark.usefixtures("receiver")
@pytest.mark.parametrize("where", ["telewright._gates.shut", "telewright._start.unshare"])
def test_a_stop_that_is_interrupted_at_once_exports_all_the_same(where, receiver, monkeypatch):
    """Ctrl-C comes before anything was flushed: it leaves when that is done, and a start works."""
    telewright.start("kiln.firing")
    with kiln.heat():
        pass
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):

        def interrupted(**_):
            raise KeyboardInterrupt

        patch.setattr(where, interrupted)
        telewright.stop()
    assert receiver.span("kiln.heat")
    assert telewright.start("kiln.firing").on


class PreemptedError(Exception):
    """What the application's handler of a signal raises."""


@pytest.mark.parametrize("fast", [False, True], ids=["standard", "fast"])
@pytest.mark.parametrize("ask", [telewright.flush, telewright.stop])
def test_what_a_handler_of_the_application_raises_while_it_waits_leaves(ask, fast, receiver):
    """As the same object, and at once; a stop has ended telemetry, and the books agree."""
    raised = PreemptedError()

    def handle(_number, _frame):
        raise raised

    before = signal.signal(signal.SIGALRM, handle)
    try:
        telewright.start("kiln.firing", metrics=False, fast=fast)
        receiver.delay = 5
        with kiln.heat():
            pass
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(PreemptedError) as caught:
            ask(4.0)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert caught.value is raised
    assert (raised.__cause__, raised.__context__) == (None, None)
    receiver.delay = 0
    assert kiln.GATE.on is (ask is telewright.flush)
    telewright.stop(0.5)
    books = telewright.stats()
    assert books.made == 1 == books.exported + sum(books.dropped.values())
    assert telewright.start("kiln.firing", strict=True).on


def test_stop_says_so_if_something_never_ended(receiver, monkeypatch):
    """What cannot be ended, since too many are open to be remembered, is not said to be there."""
    monkeypatch.setattr("telewright._processor.MOST_OPEN", 1)
    telewright.start("kiln.firing", metrics=False)
    spans = [kiln.heat().open() for _ in range(3)]
    assert telewright.stop() is False
    for span in spans:
        span.close()
    books = telewright.stats()
    assert (books.made, books.exported, books.dropped) == (3, 1, {"unended": 2})
    assert len(receiver.spans) == 1


@pytest.mark.parametrize(("timeout", "arrives"), [(5.0, True), (0.0, False)])
def test_a_stop_inside_a_stop_says_the_truth(receiver, monkeypatch, timeout, arrives):
    """A signal's handler asks for it while its thread stops: neither waits for the other."""
    telewright.start("kiln.firing", metrics=False)
    with kiln.heat():
        pass
    said = []

    def handler(*_):
        said.append((telewright.stop(timeout), telewright.start("all").on))

    before = signal.signal(signal.SIGUSR1, handler)
    try:
        while_flushing(monkeypatch, lambda: signal.raise_signal(signal.SIGUSR1))
        assert telewright.stop()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert said == [(arrives, False)]
    assert telewright.stats().exported == 1
    assert receiver.span("kiln.heat")
    assert not kiln.GATE.on


@pytest.mark.usefixtures("receiver")
def test_who_selects_does_not_wait_for_a_stop(monkeypatch):
    """Another thread stops, and takes its time: there is nothing to select any more."""
    telewright.start("kiln.firing", metrics=False)
    stopping, may_go_on = threading.Event(), threading.Event()

    def waits():
        stopping.set()
        assert may_go_on.wait(30)

    while_flushing(monkeypatch, waits)
    stops = threading.Thread(target=telewright.stop)
    stops.start()
    assert stopping.wait(30)
    assert telewright.select("all,tpyo") == frozenset()
    assert stops.is_alive()
    may_go_on.set()
    stops.join(30)
    assert not kiln.GATE.on


@pytest.mark.usefixtures("receiver")
def test_the_end_of_a_block_stops_what_it_began_and_nothing_else():
    """What its telemetry was replaced by goes on."""
    with telewright.start("kiln.firing", metrics=False):
        telewright.stop()
        telewright.start("kiln.pot", metrics=False)
    with kiln.pot(potter="ann") as pot:
        assert pot.on
    with telewright.start("kiln.pot", metrics=False):
        pass
    with kiln.pot(potter="ann") as pot:
        assert pot.on


def test_a_stop_that_is_interrupted_settles_what_it_can(receiver, monkeypatch):
    """Ctrl-C leaves as itself; threads end, the books balance, and telemetry can start again."""
    earlier = threads()

    def interrupted():
        raise KeyboardInterrupt

    telewright.start("kiln.firing")
    with kiln.heat():
        pass
    while_flushing(monkeypatch, interrupted)
    with pytest.raises(KeyboardInterrupt):
        telewright.stop()
    for thread in threads() - earlier:
        thread.join(30)
    assert not threads() - earlier
    assert balanced(telewright.stats())
    with telewright.start("kiln.firing"), kiln.write():
        pass
    assert receiver.span("kiln.write")


def test_what_is_collected_too_late_does_not_leave(receiver, tmp_path):
    """A source takes longer than the stop: no line is written after that, and none is counted."""
    file, asked, may_go_on = tmp_path / "out.jsonl", threading.Event(), threading.Event()
    earlier = threads()

    def slow():
        asked.set()
        assert may_go_on.wait(30)
        return [kiln.gas_used.point(3, burner="a")]

    kiln.gas_used.observe(slow)
    try:
        telewright.start("none", exporter="file", path=file)
        asked.clear()
        assert telewright.stop(0.01) is False
        assert asked.wait(30)
        may_go_on.set()
        for thread in threads() - earlier:
            thread.join(30)
        points = telewright.stats().points
        assert (points.made, balanced(points)) == (0, True)
        assert not file.exists() or not file.read_text()
    finally:
        kiln.gas_used.forget(slow)
    assert not receiver.metrics


class Odd:
    """A number of seconds that cannot be compared."""

    def __gt__(self, other):
        raise ValueError("sk-proj-" + "a1B2" * 12)

    __lt__ = __gt__


@pytest.mark.usefixtures("receiver")
def test_what_let_more_out_ends_with_what_it_was_said_for(monkeypatch, caplog):
    """With redaction off a secret may be logged while telemetry runs so, and after that no more."""
    monkeypatch.setenv("TELEWRIGHT_REDACTION", "off")
    with telewright.start("none"):
        telewright.flush(Odd())
    assert "a1B2" in caplog.text
    caplog.clear()
    _guard.FAILURES.clear()
    telewright.stop(Odd())
    assert "could not read a timeout (ValueError)" in caplog.text
    assert "a1B2" not in caplog.text


def test_a_folder_of_accounts_that_hangs_holds_no_stop_up(tmp_path, monkeypatch, receiver):
    """The account is closed on a thread of its own, which is not waited for longer than that."""
    free = threading.Event()
    monkeypatch.setattr(Account, "close", lambda *_: free.wait(60))
    telewright.start("kiln.firing", books=tmp_path)
    with kiln.heat():
        pass
    stops = threading.Thread(target=telewright.stop, args=(3,))
    stops.start()
    stops.join(30)
    assert not stops.is_alive()
    free.set()
    assert receiver.span("kiln.heat")


@pytest.mark.usefixtures("receiver")
@pytest.mark.parametrize("ask", [telewright.flush, telewright.stop])
def test_a_mistake_of_ours_is_not_said_to_be_success(monkeypatch, ask):
    """Whatever fails while telemetry is flushed costs what it costs, and reaches nobody."""
    telewright.start("kiln.firing", metrics=False)
    with kiln.heat():
        pass

    def fails():
        raise LookupError

    while_flushing(monkeypatch, fails)
    assert ask() is False
    telewright.stop()
    assert balanced(telewright.stats())


def test_a_stop_that_waits_for_a_start_in_vain_has_nothing_to_tell():
    """Another thread was about to start telemetry, and nothing came of it: nothing was lost."""
    code = """
        import threading
        import telewright
        from telewright import _exporters

        begun, may_go_on, said = threading.Event(), threading.Event(), []

        def fails(_settings):
            begun.set()
            assert may_go_on.wait(30)
            raise ValueError

        _exporters.spans = fails
        threads = [
            threading.Thread(target=telewright.start),
            threading.Thread(target=lambda: said.append(telewright.stop(30))),
        ]
        threads[0].start()
        assert begun.wait(30)
        threads[1].start()
        may_go_on.set()
        for thread in threads:
            thread.join(30)
        print(said)
    """
    done = run(code)
    assert done.stdout.split() == ["[True]"], done.stderr


@TIERS
def test_what_is_open_at_the_end_has_room(receiver, monkeypatch, fast):
    """However small the queue is: all that is open then is exported."""
    monkeypatch.setenv("OTEL_BSP_MAX_QUEUE_SIZE", "2")
    monkeypatch.setenv("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "2")
    telewright.start("kiln.firing", metrics=False, fast=fast)
    spans = [kiln.heat().open() for _ in range(500)]
    assert telewright.stop()
    for span in spans:
        span.close()
    assert len(receiver.spans) == telewright.stats().exported == 500
