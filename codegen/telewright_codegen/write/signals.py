"""Signals wait while files are between two states, and are looked for between files."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator

_INTERRUPTS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextmanager
def uninterrupted() -> Generator[None]:
    """Let signals wait for the end of the block."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)  # raises what came just before
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def interruptible() -> Generator[None]:
    """Let signals that wait, and others, in: for a block that may take for ever."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPTS)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def give_way() -> None:
    """Raise KeyboardInterrupt if a signal waits, which then comes when it may."""
    if not signal.sigpending().isdisjoint(_INTERRUPTS):
        raise KeyboardInterrupt
