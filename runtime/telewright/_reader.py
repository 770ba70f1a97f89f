"""Collecting metrics now and then, on a thread that answers by its deadline."""

from __future__ import annotations

from threading import Condition, RLock, Thread
from time import monotonic

from telewright._guard import failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from telewright._books import Ledger


class Periodic:
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
        self._collect: Final = collect
        self._send: Final = send
        self._close: Final = close
        self._ledger: Final = ledger
        self._interval: Final = interval
        self._changed: Final = Condition(RLock())
        self._asked = 0
        self._answered = 0
        self._well = True
        self._closed = False
        self._dead = False
        self._thread: Final = Thread(target=self._run, name="telewright-metrics", daemon=True)
        self._thread.start()

    def ask(self) -> int:
        """Have metrics collected and exported now, and return what `wait` waits for."""
        with self._changed:
            self._asked += 1
            self._changed.notify_all()
            return self._asked

    def wait(self, ticket: int, deadline: float) -> bool:
        """Wait until *deadline*, and say whether all that was asked for arrived."""
        with self._changed:
            while self._answered < ticket and not self._closed:
                left = deadline - monotonic()
                if left <= 0 or self._dead:
                    break
                self._changed.wait(left)
            return self._answered >= ticket and self._well

    def close(self) -> None:
        """Collect no more, and settle the books."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._ledger.settle("deadline")

    def _run(self) -> None:
        try:
            while self._round():
                pass
        except BaseException:  # whatever ended the thread, `flush` must not wait for it
            failed("run an export thread")
        finally:
            with self._changed:
                self._dead = True
                self._changed.notify_all()
            try:
                self._close()
            except Exception:
                failed("close an exporter")

    def _round(self) -> bool:
        with self._changed:
            if self._asked == self._answered and not self._closed:
                self._changed.wait(self._interval)
            if self._closed:
                return False
            target = self._asked
        well = self._once()
        with self._changed:
            self._answered, self._well = target, well
            self._changed.notify_all()
        return True

    def _once(self) -> bool:
        try:
            data, count = self._collect()
        except Exception:
            failed("collect metrics")
            return False
        if data is None:
            return True
        self._ledger.make(count)
        try:
            dropped = self._send(data)
        except Exception:
            failed("export")
            dropped = {"export_error": count}
        lost = sum(dropped.values())
        self._ledger.export(count - lost)
        for reason, number in dropped.items():
            self._ledger.drop(reason, number)
        return not lost
