"""A thread in the background that works in rounds, and outlives what is raised or thrown there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from threading import Condition, RLock, Thread
from time import monotonic

from telewright._guard import failed
from telewright._quiet import quiet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

_APART: Final = 1.0
"""Seconds from one thread that is begun in another's place to the next, and from the second failure
in a row to the next round."""


class Worker(ABC):
    """Works on a daemon thread, round after round, until there will be no more.

    A round that fails costs what it had in its hands. Should the thread end nevertheless, the next
    `wake` begins another, if that did not just happen.

    Args:
        name: What the thread is called.
        close: Called once, on the thread, after the last round.
    """

    def __init__(self, name: str, close: Callable[[], object]) -> None:
        self._name: Final = f"telewright-{name}"
        self._close: Final = close
        self._lock: Final = RLock()
        """Taken as it is: what is thrown while a condition is entered would leave it locked."""
        self._changed: Final = Condition(self._lock)
        self._failures = 0
        self._again = 0.0
        self._dead = False

    @abstractmethod
    def _work(self) -> bool:
        """Work for one round; say whether there will be more."""

    @abstractmethod
    def _give_up(self) -> object:
        """Account for what a round had in its hands when it failed; there may be nothing."""

    def _begin(self) -> None:
        self._thread = Thread(target=self._run, name=self._name, daemon=True)
        self._thread.start()

    def _wake(self, *, last: bool = False) -> None:
        """Have it look whether there is something to do; called with the lock.

        The *last* time, a thread is begun even if one just was, for somebody has to close.
        """
        now = monotonic()
        if self._dead and (last or now >= self._again):
            self._again = now + _APART
            self._revive()
        self._changed.notify_all()

    def _revive(self) -> None:
        self._give_up()
        self._dead = False
        try:
            self._begin()
        except RuntimeError:  # there are too many threads, or the interpreter ends
            self._dead = True
            failed("begin an export thread")

    def _is_gone(self) -> bool:
        """Say whether nobody works any more, nor can be had to; called with the lock."""
        if self._dead:
            self._wake()
        return self._dead

    def _run(self) -> None:
        over = False
        try:
            while not over:
                over = self._works_on()
        finally:  # whatever ended it, nobody must wait for it
            with self._lock:
                self._dead = not over
                self._give_up()
                self._changed.notify_all()
        try:
            with quiet():
                self._close()
        except Exception:
            failed("close an exporter")

    def _works_on(self) -> bool:
        """Work until there is nothing more to do, or a round fails; say which."""
        try:
            while self._work():
                self._failures = 0
        except BaseException:  # somebody wants the thread to end
            with self._lock:
                self._give_up()
                self._changed.notify_all()
            self._failures += 1
            with quiet():
                failed("run an export thread")
            if self._failures > 1:
                with self._lock:
                    self._changed.wait(_APART)
            return False
        return True
