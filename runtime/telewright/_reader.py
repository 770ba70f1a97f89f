"""Collecting metrics now and then, on a thread that answers by its deadline."""

from __future__ import annotations

from telewright._asked import Asked
from telewright._guard import failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from telewright._books import Ledger


class Periodic(Asked):
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
        super().__init__("metrics", close, interval)
        self._collect: Final = collect
        self._send: Final = send
        self._ledger: Final = ledger
        self._in_the_air = 0
        self._begin()

    def close(self) -> bool:
        """Collect no more, and settle the books; say whether nothing was on its way."""
        return super().close() and not self._ledger.settle("deadline")

    def _once(self) -> bool:
        try:
            data, count = self._collect()
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
        super()._give_up()

    def _settle(self, dropped: Mapping[str, int]) -> bool:
        """Account for what was in the air; say whether all of it arrived."""
        count, self._in_the_air = self._in_the_air, 0
        lost = sum(dropped.values())
        self._ledger.export(count - lost)
        for reason, number in dropped.items():
            self._ledger.drop(reason, number)
        return not lost
