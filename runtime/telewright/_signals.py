"""SIGTERM, for who asks for it: what there is leaves, and then the signal does what it did before.

The work is done on a thread, and the main thread waits for it no longer than it may: a handler runs
in the middle of whatever the main thread was doing, which may hold a lock of OpenTelemetry's.
"""

from __future__ import annotations

import os
from signal import SIG_DFL, SIG_IGN, SIGTERM, getsignal, signal
from threading import Thread, current_thread, main_thread
from time import monotonic

from telewright import _control, _start
from telewright._guard import failed, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Final

_PATIENCE: Final = 3.0
"""Seconds that the signal waits for telemetry."""

_BEFORE: Final[list[Callable[[int, FrameType | None], object] | int]] = []
"""What the signal did before."""

_LATER: Final[list[int]] = []
"""A signal that came while telemetry was ending, and has its turn when it has ended."""


def install() -> None:
    """Handle the signal, unless the process ignores it or something outside of Python has it."""
    if current_thread() is not main_thread():
        say("SIGTERM is left as it is: telemetry started on a thread, and only the main one may")
        return
    before = getsignal(SIGTERM)
    if before is _on_signal:
        return
    if before is None or before is SIG_IGN:
        say("SIGTERM is left as it is: the process ignores it, or handles it outside of Python")
        return
    _BEFORE[:] = [before]
    signal(SIGTERM, _on_signal)


def restore() -> None:
    """Leave the signal to what had it before, and to that what came meanwhile."""
    try:
        if _BEFORE and current_thread() is main_thread() and getsignal(SIGTERM) is _on_signal:
            signal(SIGTERM, _BEFORE[0])
            _BEFORE.clear()
        while _LATER:
            os.kill(os.getpid(), _LATER.pop())
    except Exception:
        failed("give a signal back")


def _on_signal(number: int, frame: FrameType | None) -> None:
    """Export what has ended, and what is open too if the process is about to end."""
    before = _BEFORE[0] if _BEFORE else SIG_DFL
    if _is_ending(frame):
        _LATER.append(number)
        return
    if callable(before):  # how the process ends, and when, is for it to say
        _within_patience(lambda: _start.flush(_PATIENCE))
        before(number, frame)
        return
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
