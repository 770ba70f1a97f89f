"""How a process ends, and what is exported of it then."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

import telewright
from tests.runtime.receiver import values

ROOT = Path(__file__).resolve().parents[2]

BODY = """
    import os, signal, sys, time
    import telewright
    from tests.runtime.sample import kiln
    {before}
    telewright.start("kiln.firing", metrics=False{arguments})
    open_ = kiln.write().open()
    with kiln.heat():
        pass
    {after}
    os.kill(os.getpid(), signal.SIGTERM)
    for _ in range(30):
        time.sleep(0.01)
    {end}
"""


def run(*, before="", arguments=", sigterm=True", after="", end="", **environment):
    """Run a program that is sent SIGTERM while one span is open and one has ended."""
    code = textwrap.dedent(BODY).format(before=before, arguments=arguments, after=after, end=end)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout.split(), done.stderr


def names(receiver):
    """Return the names of what was received, and which of it is truncated."""
    return [
        (span.name, "nemo.span.truncated" in values(span.attributes)) for span in receiver.spans
    ]


@pytest.mark.parametrize(
    ("arguments", "environment"), [(", sigterm=True", {}), ("", {"TELEWRIGHT_SIGTERM": "1"})]
)
def test_what_there_is_leaves_and_then_the_signal_kills(receiver, arguments, environment):
    """Ended spans, and open ones as truncated; the process still ends by the signal."""
    code, _, _ = run(arguments=arguments, **environment)
    assert code == -signal.SIGTERM
    assert names(receiver) == [("kiln.heat", False), ("kiln.write", True)]


def test_unasked_the_signal_is_left_alone(receiver):
    """Control: by default nothing handles it, and nothing leaves."""
    code, _, _ = run(arguments="")
    assert code == -signal.SIGTERM
    assert not receiver.spans


def test_a_handler_of_the_application_decides(receiver):
    """It runs after what has ended is exported; what it leaves open may still end as it should."""
    code, said, _ = run(
        before="signal.signal(signal.SIGTERM, lambda number, frame: print(number, "
        "telewright.stats().exported))",
        end="open_.close(); sys.exit(3)",
    )
    assert (code, said) == (3, ["15", "1"])
    assert names(receiver) == [("kiln.heat", False), ("kiln.write", False)]


def test_a_handler_that_exits_ends_telemetry_as_any_exit_does(receiver):
    """SystemExit unwinds the program, and at its end the rest is exported."""
    code, _, _ = run(before="signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(7))")
    assert code == 7
    assert names(receiver) == [("kiln.heat", False), ("kiln.write", True)]


def test_a_process_that_ignores_it_goes_on(receiver):
    """SIG_IGN stays, one line says so, and nothing is truncated for a signal that kills nobody."""
    code, said, log = run(
        before="signal.signal(signal.SIGTERM, signal.SIG_IGN)", end="open_.close(); print('on')"
    )
    assert (code, said) == (0, ["on"])
    assert "SIGTERM is left as it is" in log
    assert names(receiver) == [("kiln.heat", False), ("kiln.write", False)]


def test_a_receiver_that_hangs_delays_no_death(receiver):
    """The signal waits for telemetry for so long and no longer."""
    receiver.delay = 30
    code, _, _ = run(before="from telewright import _signals; _signals._PATIENCE = 0.2")
    assert code == -signal.SIGTERM


def test_a_signal_while_telemetry_ends_has_its_turn_afterwards(receiver):
    """What `stop` was exporting arrives, and then the process ends by the signal."""
    code, said, _ = run(
        before="from telewright._pipeline import Pipeline; stop = Pipeline.stop\n"
        "def slow(self, deadline, reason):\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    print('went on', flush=True)\n"
        "    return stop(self, deadline, reason)\n"
        "Pipeline.stop = slow",
        after="telewright.stop(); print('never')",
    )
    assert (code, said) == (-signal.SIGTERM, ["went", "on"])
    assert names(receiver) == [("kiln.heat", False), ("kiln.write", True)]


def test_a_lock_that_the_main_thread_holds_delays_no_death(receiver):
    """The handler interrupts what holds a lock of a span: it gives up, and the process ends."""
    code, _, _ = run(
        before="from telewright import _signals; _signals._PATIENCE = 0.2",
        after="open_._otel._lock.acquire()",
    )
    assert code == -signal.SIGTERM
    assert len(receiver.spans) < 2


CHAINED = """
before = signal.getsignal(signal.SIGTERM)
def chained(number, frame):
    print("asked", flush=True)
    before(number, frame)
signal.signal(signal.SIGTERM, chained)
"""
AGAIN = """
telewright.stop()
telewright.start("kiln.firing", metrics=False, sigterm=True)
"""
GRANDCHILD = """
if os.fork():
    os.wait()
    os._exit(0)
child = os.fork()
if child:
    print(os.waitpid(child, 0)[1], flush=True)
    os._exit(0)
"""


@pytest.mark.parametrize(
    ("between", "expected"),
    [
        ("", (-signal.SIGTERM, ["asked"])),
        (AGAIN, (-signal.SIGTERM, ["asked"])),
        (AGAIN + AGAIN, (-signal.SIGTERM, ["asked"])),
        (GRANDCHILD, (0, ["asked", "15"])),
    ],
    ids=["once", "again", "thrice", "forked"],
)
def test_a_handler_that_calls_what_was_there_is_called_once(receiver, between, expected):
    """However often telemetry starts below it: what it calls does not lead back to it."""
    code, said, log = run(
        after=CHAINED + between + "mine = kiln.heat().open()",
        PYTHONWARNINGS="ignore::DeprecationWarning",  # newer Pythons tell of threads at a fork
    )
    assert (code, said) == expected
    assert ("kiln.heat", True) in names(receiver)
    assert not log


@pytest.mark.usefixtures("receiver")
def test_only_the_main_thread_installs_it(caplog):
    """Started on another thread, telemetry runs without it, and one line says so."""
    before = signal.getsignal(signal.SIGTERM)
    started = []

    def start():
        started.append(telewright.start("kiln.firing", sigterm=True).on)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert started == [True]
    assert signal.getsignal(signal.SIGTERM) is before
    assert "only the main one may" in caplog.text


def test_a_forked_child_ends_by_it_too(receiver):
    """A child inherits the handler: its own spans leave, and none of its parent's twice."""
    code, said, _ = run(
        after="child = os.fork()\n"
        "if child:\n"
        "    time.sleep(0.1)\n"
        "    while telewright.stats().made < 1: time.sleep(0.01)\n"
        "    print(os.waitpid(child, 0)[1])\n"
        "    open_.close(); telewright.stop(); os._exit(0)\n"
        "mine = kiln.heat().open()",
    )
    assert (code, said) == (0, ["15"])
    assert sorted(names(receiver)) == [
        ("kiln.heat", False),
        ("kiln.heat", True),
        ("kiln.write", False),
    ]


@pytest.mark.parametrize(
    ("end", "expected"),
    [
        ("sys.exit(3)", 3),
        ("raise ValueError", 1),
        ("os.kill(os.getpid(), signal.SIGINT)", -signal.SIGINT),
    ],
)
def test_other_ends_export_what_is_open(receiver, end, expected):
    """`sys.exit`, an exception that nobody caught, an interrupt: truncated, and nothing is lost."""
    code, _, _ = run(after=f"time.sleep(0); {end}")
    assert code == expected
    assert names(receiver) == [("kiln.heat", False), ("kiln.write", True)]


ELSEWHERE = """
import threading
def elsewhere():
    time.sleep(0.3)
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
threading.Thread(target=elsewhere, daemon=True).start()
"""
WAITING = """
import multiprocessing
multiprocessing.get_context("fork").Semaphore(0).acquire()  # and nothing interrupts this
"""
FORKED = """
ready, tell = os.pipe()
child = os.fork()
if not child:
    os.write(tell, b".")
    time.sleep(30)
os.read(ready, 1)  # until then Python forgets what signals a child was sent
os.kill(child, signal.SIGTERM)
os.waitpid(child, 0)
time.sleep(0.3)
print("alive", flush=True)
"""


CHILDLESS = """
child = os.fork()
if not child:
    os._exit(0)
os.waitpid(child, 0)
"""
CHILD = """
child = os.fork()
if child:
    print(os.waitpid(child, 0)[1])
    os._exit(0)
mine = kiln.heat().open()
"""


@pytest.mark.parametrize("before", ["", CHILDLESS], ids=["alone", "forked"])
def test_a_signal_that_the_main_thread_does_not_notice_ends_the_process_too(receiver, before):
    """It waits for a semaphore, as workers of a pool do, while another thread is interrupted."""
    code, _, _ = run(after=before + ELSEWHERE + WAITING)
    assert code == -signal.SIGTERM
    assert names(receiver) == [("kiln.heat", False), ("kiln.write", True)]


def test_a_forked_child_notices_a_signal_as_its_parent_does(receiver):
    """It watches for its own as soon as it has telemetry of its own."""
    code, said, _ = run(after=CHILD + ELSEWHERE + WAITING)
    assert (code, said) == (0, ["15"])
    assert names(receiver) == [("kiln.heat", True)]


def test_a_handler_of_the_application_runs_once_for_each_signal(receiver):
    """What goes on after it is not interrupted by it again, by whatever way it came."""
    code, said, _ = run(
        before="signal.signal(signal.SIGTERM, lambda *_: print('asked', flush=True))",
        after=ELSEWHERE + "time.sleep(1)",
        end="telewright.stop()",
    )
    assert (code, said) == (0, ["asked", "asked"])
    assert ("kiln.heat", False) in names(receiver)


@pytest.mark.usefixtures("receiver")
def test_a_forked_child_leaves_the_signals_of_its_parent_alone():
    """One that is killed wakes nobody in the process it was forked from."""
    code, said, _ = run(after=FORKED)
    assert (code, said) == (-signal.SIGTERM, ["alive"])


EARLY = """
signal.signal(signal.SIGUSR1, lambda *_: None)
os.register_at_fork(after_in_child=lambda: os.kill(os.getpid(), signal.SIGUSR1))
from telewright import _signals  # which therefore begins later in a child
readers = []
_signals._wake = readers.append
"""
WOKEN = """
import select
def woken():
    return bool(select.select(readers, [], [], 0)[0])
child = os.fork()
if not child:
    os._exit(0)
os.waitpid(child, 0)
print(woken())
os.kill(os.getpid(), signal.SIGUSR1)
print(woken(), flush=True)
"""


@pytest.mark.usefixtures("receiver")
def test_a_signal_that_a_child_is_sent_at_once_does_not_reach_its_parent():
    """Not even before the child has begun anew; its own, the control, does."""
    code, said, _ = run(before=EARLY, after=WOKEN)
    assert (code, said) == (-signal.SIGTERM, ["False", "True"])


@pytest.mark.parametrize("first", ["loop", "telemetry"])
def test_an_event_loop_notices_its_signals_all_the_same(first):
    """Whichever of both came first, while telemetry runs and when it has ended."""

    def start():
        telewright.start("kiln.firing", exporter="none", sigterm=True)

    async def main():
        loop, seen = asyncio.get_running_loop(), asyncio.Event()
        if first == "telemetry":
            start()
        loop.add_signal_handler(signal.SIGUSR1, seen.set)
        if first == "loop":
            start()
        for after in (telewright.stop, bool):
            os.kill(os.getpid(), signal.SIGUSR1)
            await asyncio.wait_for(seen.wait(), 30)
            seen.clear()
            after()
        loop.remove_signal_handler(signal.SIGUSR1)

    asyncio.run(main())
    assert signal.set_wakeup_fd(-1) == -1
