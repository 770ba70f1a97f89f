"""What of the handling of SIGTERM is there when telemetry has stopped: as good as nothing."""

from __future__ import annotations

import signal
import threading

import pytest

import telewright
from telewright import _signals
from tests.runtime.test_signals import names, run


def test_it_is_given_back_at_the_stop(receiver):
    """The handler is there while telemetry runs, and what was there before, afterwards."""
    before = signal.getsignal(signal.SIGTERM)
    with telewright.start("kiln.firing", sigterm=True):
        ours = signal.getsignal(signal.SIGTERM)
        assert isinstance(ours, _signals._Handler)
        telewright.start("kiln.firing", sigterm=True)
        assert signal.getsignal(signal.SIGTERM) is ours
    assert signal.getsignal(signal.SIGTERM) is before
    assert not receiver.spans


def test_a_handler_that_came_later_stays(receiver):
    """What the application installed on top is not undone."""

    def theirs(_number, _frame):
        """Do nothing."""

    before = signal.getsignal(signal.SIGTERM)
    try:
        with telewright.start("kiln.firing", sigterm=True):
            signal.signal(signal.SIGTERM, theirs)
        assert signal.getsignal(signal.SIGTERM) is theirs
    finally:
        signal.signal(signal.SIGTERM, before)
    assert not receiver.spans


@pytest.mark.parametrize("ignored", [False, True], ids=["ours", "ignored"])
def test_after_the_stop_nothing_watches(ignored):
    """Neither a descriptor nor a thread stays behind, whoever has the signal by then."""
    before = signal.getsignal(signal.SIGTERM)
    telewright.start("kiln.firing", exporter="none", sigterm=True)
    assert _signals._WRITERS
    watcher = [one for one in threading.enumerate() if one.name == "telewright-signals"]
    if ignored:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    telewright.stop()
    assert signal.signal(signal.SIGTERM, before) == (signal.SIG_IGN if ignored else before)
    assert signal.set_wakeup_fd(-1) == -1
    assert not _signals._WRITERS
    for thread in watcher:
        thread.join(5)
        assert not thread.is_alive()


ON_A_THREAD = """
open_.close()
stop = threading.Thread(target=telewright.stop)
stop.start()
stop.join()
telewright.start("kiln.firing", metrics=False)
print(signal.getsignal(signal.SIGTERM) == signal.SIG_DFL)
"""
LEFT = """
stop = threading.Thread(target=telewright.stop)
stop.start()
stop.join()
start = threading.Thread(target=telewright.start, args=("kiln.firing",))
start.start()
start.join()
mine = kiln.heat().open()
"""


def test_what_a_stop_on_a_thread_leaves_is_taken_away_by_the_next_start(receiver):
    """Only the main thread may; telemetry that did not ask for the signal has none of it."""
    code, said, _ = run(before="import threading", after=ON_A_THREAD)
    assert (code, said) == (-signal.SIGTERM, ["True"])
    assert names(receiver) == [("kiln.heat", False), ("kiln.write", False)]


def test_what_a_stop_on_a_thread_leaves_does_what_was_done_before(receiver):
    """Even while other telemetry runs, which did not ask for the signal and loses what is open."""
    code, _, _ = run(before="import threading", after=LEFT)
    assert code == -signal.SIGTERM
    assert names(receiver) == [("kiln.heat", False), ("kiln.write", True)]


def test_a_stop_that_is_interrupted_at_the_last_gives_it_back_too(receiver, monkeypatch):
    """Whatever of the end cannot be done, who had the signal before has it again."""

    def interrupted(*_):
        raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGTERM)
    telewright.start("kiln.firing", sigterm=True)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr("telewright._closing.close_account", interrupted)
        telewright.stop()
    assert signal.getsignal(signal.SIGTERM) is before
    assert not _signals._WRITERS
    assert not receiver.spans
