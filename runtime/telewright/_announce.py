"""Spans that say that they have begun, so that a trace of weeks is seen before it ends.

A span is exported when it ends, and once. What says that it has begun is therefore another one: a
child of no length. It leaves once its span has been open for a second, or when a flush finds it
open; what has ended by then is exported as itself, and needs no herald.
"""

from __future__ import annotations

import sys
from time import sleep, time_ns

from telewright._guard import LOCK, failed
from telewright._span import PROCESS, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from opentelemetry.context import Context
    from opentelemetry.trace import Link

STARTED: Final = "nemo.span.started"
"""The name of the span that says so, and of its attribute: the name of the one that began."""

_PATIENCE: Final = 1.0
"""Seconds that a span is open before it is announced."""


class Announced(Span):
    """A span that is announced when it has started, and not ended at once."""

    __slots__ = ()

    def _start(self, context: Context, links: Sequence[Link] | None = None) -> None:
        super()._start(context, links)
        if self.on:
            try:
                _remember(self)
            except Exception:
                failed("announce a span")

    def herald(self) -> bool:
        """Say that the span has begun, if it is open; return whether that was said."""
        begun = self._otel
        if begun is None or not self._is_here() or getattr(begun, "over", False):
            return False
        if not begun.get_span_context().trace_flags & 1:  # not sampled
            return False
        from telewright._past import dated

        now = getattr(begun, "start_time", None) or time_ns()
        bucket = self._gate.registry.bucket
        said = {key: value for key, value in self._attributes.items() if key != bucket}
        marker = Span(dated(self._gate, now, now), STARTED, {**said, STARTED: self._name})
        marker._start(self._context)
        if marker._otel is None:
            return False
        marker._otel.end()
        return True

    def _is_here(self) -> bool:
        """Say whether it was started in this process, whose telemetry goes on."""
        return self._gate.on and self._home is PROCESS[0]


_AHEAD: Final[list[Announced]] = []
"""What has started and is not announced yet."""


def _remember(span: Announced) -> None:
    from threading import Thread

    with LOCK:
        _AHEAD[:] = [one for one in _AHEAD if one._is_here()]  # pyright: ignore[reportPrivateUsage] - its own module
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
