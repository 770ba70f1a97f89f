"""Taking back, when telemetry ends, what was put where others would still find it."""

from __future__ import annotations

import sys
from threading import TIMEOUT_MAX, Thread
from time import monotonic

from telewright._guard import failed
from telewright._scanning import EXCEPTION_TEXT, PROFILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from telewright._accounts import Account
    from telewright._books import Books

_FOR_A_FILE: Final = 0.5
"""Seconds that a small file is waited for at least."""


def until(timeout: float) -> float:
    """Return when *timeout* seconds are over; what is no number of seconds is over at once."""
    try:
        seconds = float(min(max(timeout, 0.0), TIMEOUT_MAX))
        return monotonic() + (seconds if seconds == seconds else 0.0)  # noqa: PLR0124 - no number
    except Exception:
        failed("read a timeout")
        return monotonic()


def tighten() -> None:
    """Take back what let more out; what lets less out stays, for what is still on its way."""
    EXCEPTION_TEXT[0] = False
    if PROFILE[0] == "off":
        PROFILE[0] = "default"


def take_guard_away() -> None:
    """Take our guard from before the exporters of others."""
    placed = sys.modules.get("telewright._adopt_guard")
    if placed is not None:
        placed.remove()


def stop_reading_pages() -> None:
    """Ask no Prometheus page any more."""
    scrape = sys.modules.get("telewright._scrape")
    if scrape is not None:
        scrape.SCRAPER.close()


def give_signals_back() -> None:
    """Have SIGTERM do what it did before."""
    signals = sys.modules.get("telewright._signals")
    if signals is not None:
        signals.restore()


def stop_reading_books() -> None:
    """Export no metrics about telemetry any more."""
    own = sys.modules.get("telewright._self_metrics")
    if own is not None:
        own.remove()


def close_account(account: Account | None, books: Books, deadline: float) -> None:
    """Close the account of this process; a folder that hangs is waited for no longer."""
    if account is None:
        return
    stats = books.read()
    thread = Thread(target=account.close, args=(stats,), name="telewright-account", daemon=True)
    try:
        thread.start()
    except RuntimeError:  # the interpreter ends, and starts no thread any more
        account.close(stats)
    else:
        thread.join(max(deadline - monotonic(), _FOR_A_FILE))
