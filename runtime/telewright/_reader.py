"""Collecting metrics now and then, on a thread that answers by its deadline."""

from __future__ import annotations

from contextvars import Context
from time import monotonic

from telewright._guard import failed
from telewright._worker import Worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from telewright._books import Ledger


class Periodic(Worker):
    """Calls *collect* every *interval* seconds and when asked, on a daemon thread of its own.

    Args:
        collect: Returns what to send and how many points that is.
        send: Exports that and returns how much of it was dropped, by reason.
        close: Lets go of the exporter; called once, on the thread, after the last round.
        ledger: Where every point is accounted for.
        interval: Seconds from one round to the next.
    """

    def __init__(
        self,
        collect: Callable[[], tuple[Any, int]],
        send: Callable[[Any], Mapping[str, int]],
        close: Callable[[], object],
        ledger: Ledger,
        interval: float,
    ) -> None:
        super().__init__("metrics", close)
        self._collect: Final = collect
        self._send: Final = send
        self._ledger: Final = ledger
        self._interval: Final = interval
        self._asked = 0
        self._answering = 0
        self._answered = 0
        self._well = True
        self._closed = False
        self._in_the_air = 0
        self._begin()

    def ask(self) -> int:
        """Have metrics collected and exported now, and return what `wait` waits for."""
        with self._lock:
            self._asked += 1
            self._wake()
            return self._asked

    def wait(self, ticket: int, deadline: float) -> bool:
        """Wait until *deadline*, and say whether all that was asked for arrived."""
        with self._lock:
            while self._answered < ticket and not self._closed:
                left = deadline - monotonic()
                if left <= 0 or self._is_gone():
                    break
                self._changed.wait(left)
            return self._answered >= ticket and self._well

    def close(self) -> bool:
        """Collect no more, and settle the books; say whether nothing was on its way."""
        with self._lock:
            self._closed = True
            self._wake(last=True)
        return not self._ledger.settle("deadline")

    def _work(self) -> bool:
        with self._lock:
            if self._asked == self._answered and not self._closed:
                self._changed.wait(self._interval)
            if self._closed:
                return False
            self._answering = self._asked
        self._answer(well=self._once())
        return True

    def _answer(self, *, well: bool) -> None:
        with self._lock:
            self._answered, self._well = self._answering, well
            self._changed.notify_all()

    def _once(self) -> bool:
        try:
            # Callbacks are the application's, and are recorded as in the SDK; exporting is not.
            data, count = Context().run(self._collect)
        except Exception:
            failed("collect metrics")
            return False
        if data is None:
            return True
        with self._lock:
            if self._closed:  # what was collected too late is not counted, and does not leave
                return False
            self._in_the_air = count
            self._ledger.make(count)
        try:
            dropped = self._send(data)
        except Exception:
            failed("export")
            dropped = {"export_error": count}
        return self._settle(dropped)

    def _give_up(self) -> None:
        """Drop what a round had in its hands when it failed, and say so to who asked for it."""
        self._settle({"export_error": self._in_the_air})
        if self._answered < self._answering:
            self._answer(well=False)

    def _settle(self, dropped: Mapping[str, int]) -> bool:
        """Account for what was in the air; say whether all of it arrived."""
        count, self._in_the_air = self._in_the_air, 0
        lost = sum(dropped.values())
        self._ledger.export(count - lost)
        for reason, number in dropped.items():
            self._ledger.drop(reason, number)
        return not lost
