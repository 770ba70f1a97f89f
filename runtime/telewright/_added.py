"""A processor that somebody adds to our provider of spans, and that therefore ends with it.

It may take as long as it likes, for which nobody waits longer than they said. Its thread is begun
with it, since none can be begun any more when the interpreter ends.
"""

from __future__ import annotations

from time import monotonic

from telewright._asked import Asked
from telewright._guard import failed
from telewright._quiet import quiet
from telewright._waiting import wait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from opentelemetry.sdk.trace import SpanProcessor  # noqa: TID251 - types only

    from telewright._asked import Round


class Added(Asked):
    """Flushes *processor* when asked, and shuts it down in the end."""

    def __init__(self, processor: SpanProcessor) -> None:
        super().__init__("added", self._shut_down)
        self._processor: Final = processor
        self._deadline = 0.0
        self._revive()

    def ask_until(self, deadline: float) -> Round:
        """Have it flushed by *deadline*, and return what `wait` waits for."""
        with self._lock:
            asked = self._next.asked
            self._deadline = max(deadline, self._deadline) if asked else deadline
            return self.ask()

    def is_over(self, deadline: float) -> bool:
        """Wait until *deadline* for it to be shut down, after `close`; say if it is."""
        if not self._dead:
            wait(self._thread.join, max(deadline - monotonic(), 0.0))
        return not (self._dead or self._thread.is_alive())

    def _once(self) -> bool:
        left = max(int((self._deadline - monotonic()) * 1000), 1)
        try:
            with quiet():
                return self._processor.force_flush(left) is not False
        except Exception:
            failed("flush a processor of somebody else's")
            return False

    def _shut_down(self) -> None:
        self._processor.shutdown()
