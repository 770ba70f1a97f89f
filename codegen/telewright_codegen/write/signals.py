"""Signals wait while files are between two states, and are looked for between files."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Generator

_INTERRUPTS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Held(NamedTuple):
    """Signals that wait because we said so; those that the caller blocked are not ours."""

    signals: frozenset[signal.Signals]

    def give_way(self) -> None:
        """Let those in that came: what handles one decides, which may be to raise.

        Raises:
            KeyboardInterrupt: If one came that ends the process, which it does when it may.
        """
        came = self.signals & signal.sigpending()
        if not came:
            return
        if any(signal.getsignal(one) is signal.SIG_DFL for one in came):
            raise KeyboardInterrupt
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, came)
        finally:
            signal.pthread_sigmask(signal.SIG_BLOCK, came)


@contextmanager
def uninterrupted() -> Generator[Held]:
    """Let signals wait for the end of the block."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    held = Held(frozenset(one for one in _INTERRUPTS if one not in before))
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, held.signals)  # raises what came just before
        yield held
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
