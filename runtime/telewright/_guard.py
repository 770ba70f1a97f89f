"""Telemetry never raises into the application: failures end here, counted and told once."""

from __future__ import annotations

import sys
from _thread import RLock
from os import register_at_fork

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

LOCK: Final = RLock()
"""The one lock of the core, held for moments and never across a fork.

Reentrant, since a finalizer or a signal handler that records may interrupt the thread that
holds it.
"""

register_at_fork(before=LOCK.acquire, after_in_parent=LOCK.release, after_in_child=LOCK.release)

FAILURES: Final[dict[str, int]] = {}
"""How often each part of the telemetry failed in this process."""

VALUES: Final[dict[str, int]] = {}
"""How many values were left out or changed on their way into telemetry, by reason."""


def failed(what: str) -> None:
    """Count the exception being handled; log the first of its kind, the rest for debugging only."""
    with LOCK:
        count = FAILURES[what] = FAILURES.get(what, 0) + 1
    error = sys.exc_info()[1]
    say(f"could not {what} ({type(error).__name__})", first=count == 1, traceback=True)


def lost(reason: str, number: int = 1) -> None:
    """Count values that could not go as they were."""
    with LOCK:
        VALUES[reason] = VALUES.get(reason, 0) + number


def say(message: str, *, first: bool = True, traceback: bool = False) -> None:
    """Log one line, as a warning if it is the *first* of its kind; a broken handler is ignored."""
    try:
        import logging

        level = logging.WARNING if first else logging.DEBUG
        logger = logging.getLogger("telewright")
        if logger.isEnabledFor(level):
            logger.log(level, "%s", _fit(message, traceback=traceback and first))
    except Exception:  # the application's handler; there is nobody left to tell
        return


def _fit(message: str, *, traceback: bool) -> str:
    """Return *message* as it may be shown, with the stack of what is handled if that is asked for.

    Our messages quote names, settings and exceptions, so they are scanned like anything exported.
    """
    from telewright._redact_stack import without_source
    from telewright._scanning import scan_text

    if traceback:
        from traceback import format_exc

        message = f"{message}\n{without_source(format_exc())}"
    return scan_text(message.rstrip("\n"), "message")


def is_for_the_application(error: BaseException) -> bool:
    """Say whether *error* is to end the process, and not just what telemetry had called."""
    from threading import current_thread, main_thread

    return not isinstance(error, Exception) and current_thread() is main_thread()


def describe(error: BaseException) -> str:
    """Return ``Type: message``, or the type alone where the message cannot be had."""
    name = type(error).__name__
    message = said_by(error)
    return name if message == name else f"{name}: {message}"


def said_by(error: BaseException) -> str:
    """Return the message of *error*, or its type where that cannot be had."""
    try:
        return str(error)
    except Exception:  # any __str__ may be hostile
        return type(error).__name__
