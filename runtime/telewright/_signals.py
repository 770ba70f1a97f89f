"""SIGTERM, for who asks for it: what there is leaves, and then the signal does what it did before.

The work is done on a thread, and the main thread waits for it no longer than it may: a handler runs
in the middle of whatever the main thread was doing, which may hold a lock of OpenTelemetry's.
"""

from __future__ import annotations

import os
from signal import SIG_DFL, SIG_IGN, SIGTERM, getsignal, pthread_kill, set_wakeup_fd, signal
from threading import Thread, current_thread, main_thread
from time import monotonic, sleep

from telewright import _control, _start
from telewright._guard import failed, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Final

_PATIENCE: Final = 3.0
"""Seconds that the signal waits for telemetry."""

_ASKED: Final = [False]
"""Whether telemetry that runs asked for this; a handler that is left does what was done before."""

_LATER: Final[list[int]] = []
"""A signal that came while telemetry was ending, and has its turn when it has ended."""

_HANDLED: Final[list[float]] = [0.0]
"""When the signal was handled last, by the monotonic clock."""

_WRITERS: Final[list[int]] = []
"""The descriptor that signals are written to at once, and another of the same pipe."""

_PAUSE: Final = 0.05
"""Seconds that the main thread has for a signal before it is woken."""


def install() -> None:
    """Handle the signal, unless the process ignores it or something outside of Python has it."""
    before = getsignal(SIGTERM)
    ours = isinstance(before, _Handler)
    if current_thread() is not main_thread():
        _ASKED[0] = ours
        if not ours:
            say(
                "SIGTERM is left as it is: telemetry started on a thread, and only the main one may"
            )
        return
    if not ours:
        if before is None or before is SIG_IGN:
            say("SIGTERM is left as it is: the process ignores it, or handles it outside of Python")
            return
        signal(SIGTERM, _Handler(before))
    _ASKED[0] = True
    if not _WRITERS:
        _watch()


def prepare() -> None:
    """Have a handler where there is none, which does nothing more until telemetry runs."""
    signal(SIGTERM, _Handler(getsignal(SIGTERM) or SIG_DFL))
    _ASKED[0] = False


def _watch() -> None:
    """Have a thread see to it that the main thread notices a signal.

    One that comes just before the main thread begins to wait, for a lock or the next task of a
    pool, or that interrupts another thread, would be handled when that wait ends: never. What is
    written to a descriptor at once wakes the watcher, which interrupts the main thread.
    """
    try:
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        others = set_wakeup_fd(writer, warn_on_full_buffer=False)
        if others == -1:
            _WRITERS[:] = [writer, os.dup(writer)]
            Thread(target=_wake, args=(reader,), name="telewright-signals", daemon=True).start()
            return
        set_wakeup_fd(others)  # an event loop's, which is woken by it
        os.close(reader)
        os.close(writer)
    except Exception:
        failed("watch for signals")


def _wake(reader: int) -> None:
    main = main_thread().ident or 0
    with open(reader, "rb", buffering=0) as signals:
        while numbers := signals.read(64):
            if SIGTERM not in numbers:
                continue
            seen = monotonic() - 1.0
            sleep(_PAUSE)
            while _HANDLED[0] < seen and _WRITERS and isinstance(getsignal(SIGTERM), _Handler):
                pthread_kill(main, SIGTERM)
                sleep(_PAUSE)


def _watch_no_more() -> None:
    if _WRITERS:
        ours = set_wakeup_fd(-1)
        if ours not in {-1, _WRITERS[0]}:
            set_wakeup_fd(ours)
        while _WRITERS:
            os.close(_WRITERS.pop())


def _before_fork() -> None:
    """Lead the descriptor nowhere: what a child is sent must not wake the process it came from."""
    try:
        if _WRITERS:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, _WRITERS[0], inheritable=False)
            os.close(nowhere)
    except Exception:
        failed("fork")


def _in_parent() -> None:
    try:
        if _WRITERS:
            os.dup2(_WRITERS[1], _WRITERS[0], inheritable=False)
    except Exception:
        failed("watch for signals after a fork")


def _in_child() -> None:
    """Watch no more; a child does when its own telemetry opens."""
    try:
        _watch_no_more()
    except Exception:
        failed("begin anew in a child")


os.register_at_fork(before=_before_fork, after_in_parent=_in_parent, after_in_child=_in_child)


def restore() -> None:
    """Leave the signal to what had it before, and to that what came meanwhile.

    Only the main thread may take the handler away; on another one it is left for the next time.
    """
    try:
        _ASKED[0] = False
        if current_thread() is main_thread():
            ours = getsignal(SIGTERM)
            if isinstance(ours, _Handler):
                signal(SIGTERM, ours.before)
            _watch_no_more()
        while _LATER:
            os.kill(os.getpid(), _LATER.pop())
    except Exception:
        failed("give a signal back")


class _Handler:
    """One handler that was installed, and what the signal did before it.

    Each has its own: what an application installs above one may lead back to it, and is what the
    next one finds.
    """

    __slots__ = ("before",)

    def __init__(self, before: Callable[[int, FrameType | None], object] | int) -> None:
        self.before: Final = before

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Export what has ended, and what is open too if the process is about to end."""
        _HANDLED[0] = monotonic()
        if _is_ending(frame):
            _LATER.append(number)
            return
        if callable(self.before):  # how the process ends, and when, is for it to say
            if _ASKED[0]:
                _within_patience(lambda: _start.flush(_PATIENCE))
            self.before(number, frame)
            return
        if _ASKED[0]:
            _within_patience(_end)
        signal(number, SIG_DFL)
        os.kill(os.getpid(), number)


def _is_ending(frame: FrameType | None) -> bool:
    """Say whether the main thread is ending telemetry; then that goes on, and does the rest."""
    while frame is not None:
        if frame.f_code is _start.end.__code__:
            return True
        frame = frame.f_back
    return False


def _end() -> None:
    deadline = monotonic() + _PATIENCE
    starting = _control.STARTING[0]
    if starting.acquire(timeout=_PATIENCE):
        try:
            _start.end(deadline - monotonic())
        finally:
            starting.release()


def _within_patience(work: Callable[[], object]) -> None:
    try:
        thread = Thread(target=work, name="telewright-sigterm", daemon=True)
        thread.start()
        thread.join(_PATIENCE + 0.5)
    except Exception:
        failed("end before a signal does")
