"""Spans that say that they have begun, so that a trace of weeks is seen before it ends.

A span is exported when it ends, and once. What says that it has begun is therefore another one: a
child of no length. It leaves once its span has been open for a second, or when a flush finds it
open; what has ended by then is exported as itself, and needs no herald.
"""

from __future__ import annotations

import sys
from time import sleep

from telewright._guard import LOCK, failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from telewright._variants import Announced

STARTED: Final = "nemo.span.started"
"""The name of the span that says so, and of its attribute: the name of the one that began."""

_PATIENCE: Final = 1.0
"""Seconds that a span is open before it is announced."""


_AHEAD: Final[list[Announced]] = []
"""What has started and is not announced yet."""


def remember(span: Announced) -> None:
    """Announce *span* in a while, if it is open then."""
    from threading import Thread

    with LOCK:
        _AHEAD[:] = [one for one in _AHEAD if one.is_here()]
        _AHEAD.append(span)
        if len(_AHEAD) > 1:
            return  # somebody waits already
    Thread(target=_wait, name="telewright-announcements", daemon=True).start()


def _wait() -> None:
    sleep(_PATIENCE)
    running = sys.modules.get("telewright._start")
    if announce() and running is not None:
        running.hasten()


def announce() -> bool:
    """Announce what is open and was not announced; return whether there was anything."""
    with LOCK:
        due = _AHEAD.copy()
        _AHEAD.clear()
    said = False
    for span in due:
        try:
            said |= span.herald()
        except Exception:
            failed("announce a span")
    return said
