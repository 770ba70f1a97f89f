"""Work that somebody asks for and waits for, on a thread that answers by a deadline."""

from __future__ import annotations

from abc import abstractmethod
from time import monotonic

from telewright._worker import Worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final


class Asked(Worker):
    """Works when it is asked to, and every *interval* seconds, on a daemon thread of its own.

    Args:
        name: What the thread is called.
        close: Called once, on the thread, after the last round.
        interval: Seconds from one round to the next; None if there is one only when asked for.
    """

    def __init__(
        self, name: str, close: Callable[[], object], interval: float | None = None
    ) -> None:
        super().__init__(name, close)
        self._interval: Final = interval
        self._asked = 0
        self._answering = 0
        self._answered = 0
        self._well = True
        self._closed = False

    @abstractmethod
    def _once(self) -> bool:
        """Do what is asked for, and say whether it went well."""

    def ask(self) -> int:
        """Have it done now, and return what `wait` waits for."""
        with self._lock:
            self._asked += 1
            self._wake()
            return self._asked

    def wait(self, ticket: int, deadline: float) -> bool:
        """Wait until *deadline*, and say whether what was asked for went well."""
        with self._lock:
            while self._answered < ticket and not self._closed:
                left = deadline - monotonic()
                if left <= 0 or self._is_gone():
                    break
                self._changed.wait(left)
            return self._answered >= ticket and self._well

    def close(self) -> bool:
        """Work no more, and say whether nothing is lost by that."""
        with self._lock:
            self._closed = True
            self._wake(last=True)
        return True

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

    def _give_up(self) -> None:
        """Say to who asked that a round failed."""
        if self._answered < self._answering:
            self._answer(well=False)
