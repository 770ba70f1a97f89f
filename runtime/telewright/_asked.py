"""Work that somebody asks for and waits for, on a thread that answers by a deadline."""

from __future__ import annotations

from abc import abstractmethod
from time import monotonic

from telewright._waiting import wait
from telewright._worker import Worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Round:
    """A round of work, to come or begun, which everybody shares who asks for it."""

    __slots__ = ("asked", "well")

    def __init__(self) -> None:
        self.asked = False
        self.well: bool | None = None
        """Whether it went well; None until that is known."""


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
        self._interval = interval
        self._next = Round()
        self._now = Round()
        self._closed = False

    @abstractmethod
    def _once(self) -> bool:
        """Do what is asked for, and say whether it went well."""

    def ask(self) -> Round:
        """Have it done now, and return what `wait` waits for: the round that begins after this."""
        with self._lock:
            self._next.asked = True
            self._wake()
            return self._next

    def wait(self, asked: Round, deadline: float) -> bool:
        """Wait until *deadline*, and say whether what was *asked* for went well."""
        with self._lock:
            while asked.well is None and not self._closed:
                left = deadline - monotonic()
                if left <= 0 or self._is_gone():
                    break
                wait(self._changed.wait, left)
            return bool(asked.well)

    def rest(self) -> None:
        """Begin no round any more that nobody asks for."""
        with self._lock:
            self._interval = None
            self._changed.notify_all()

    def close(self) -> bool:
        """Work no more, and say whether nothing is lost by that."""
        with self._lock:
            self._closed = True
            self._wake(last=True)
        return True

    def _work(self) -> bool:
        with self._lock:
            if not self._next.asked and not self._closed:
                self._changed.wait(self._interval)
            if self._closed:
                return False
            if self._interval is None and not self._next.asked:
                return True
            self._now = self._next
            self._next = Round()
        self._answer(well=self._once())
        return True

    def _answer(self, *, well: bool) -> None:
        with self._lock:
            self._now.well = well
            self._changed.notify_all()

    def _give_up(self) -> None:
        """Say to who asked that a round failed."""
        if self._now.well is None:
            self._answer(well=False)
