"""The books: what was made, what was exported, and what was dropped, and why."""

from __future__ import annotations

import sys
from _thread import RLock
from dataclasses import dataclass

from telewright._guard import LOCK, VALUES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_REDACTED: Final = frozenset(
    {"content", "drop", "hashed", "masked", "personal", "redacted", "undeclared"}
)


THREADS_RUN_AT_ONCE: Final = not getattr(sys, "_is_gil_enabled", lambda: True)()
"""Whether nothing else keeps two threads from adding to one number at once."""


@dataclass(frozen=True, slots=True)
class Book:
    """One signal's figures; after `stop`, *made* is *exported* plus all that was *dropped*."""

    made: int
    exported: int
    dropped: dict[str, int]


@dataclass(frozen=True, slots=True)
class Stats:
    """What telemetry did in this process.

    *made*, *exported* and *dropped* (by reason) count spans; *points* and *logs* are the same
    figures of metric points, one each time a series is exported, and of log records. *redacted*
    counts values that were hashed, masked or left out because they were sensitive or undeclared;
    *values* counts every value that could not go as it was, by reason. *unclosed* names processes
    of the run that never closed their books, where these have a folder.
    """

    made: int
    exported: int
    dropped: dict[str, int]
    redacted: int
    points: Book
    logs: Book
    values: dict[str, int]
    unclosed: tuple[str, ...] = ()


class Ledger:
    """The running figures of one signal.

    *made* is public, for who counts often: its *lock* is held for additions and nothing else, and
    need not be where threads take turns (see `THREADS_RUN_AT_ONCE`).
    """

    __slots__ = ("_closed", "_dropped", "_exported", "lock", "made")

    def __init__(self) -> None:
        self.lock = RLock()
        self.made = 0
        self._exported = 0
        self._dropped: Final[dict[str, int]] = {}
        self._closed = False

    def make(self, number: int = 1) -> None:
        """Count what was made."""
        with self.lock:
            if not self._closed:
                self.made += number

    def export(self, number: int) -> None:
        """Count what was exported."""
        with self.lock:
            if not self._closed:
                self._exported += number

    def drop(self, reason: str, number: int = 1) -> None:
        """Count what was dropped."""
        with self.lock:
            if number > 0 and not self._closed:
                self._dropped[reason] = self._dropped.get(reason, 0) + number

    def settle(self, reason: str) -> int:
        """Close the books: what is still in the air is dropped. Return how much that was.

        From now on nothing may be made.
        """
        with self.lock:
            rest = self.owed()
            self.drop(reason, rest)
            self._closed = True
            return rest

    def owed(self) -> int:
        """Return how much was made, and neither exported nor dropped."""
        with self.lock:
            return self.made - self._exported - sum(self._dropped.values())

    def read(self) -> Book:
        """Return the figures of now."""
        with self.lock:
            return Book(self.made, self._exported, dict(self._dropped))


class Books:
    """The ledgers of one process, from one start to the next."""

    __slots__ = ("_before", "logs", "points", "spans")

    def __init__(self) -> None:
        with LOCK:
            self._before: Final = dict(VALUES)
        self.spans: Final = Ledger()
        self.points: Final = Ledger()
        self.logs: Final = Ledger()

    def disown(self) -> None:
        """Have nobody wait, in a forked child, for a thread of the parent's that was counting."""
        for ledger in (self.spans, self.points, self.logs):
            ledger.lock = RLock()

    def read(self) -> Stats:
        """Return the figures of now."""
        values, spans = self._values(), self.spans.read()
        return Stats(
            spans.made,
            spans.exported,
            spans.dropped,
            sum(number for reason, number in values.items() if reason in _REDACTED),
            self.points.read(),
            self.logs.read(),
            values,
        )

    def _values(self) -> dict[str, int]:
        """Return how many values could not go as they were since these books were opened."""
        with LOCK:
            risen = {reason: VALUES[reason] - self._before.get(reason, 0) for reason in VALUES}
        return {reason: number for reason, number in risen.items() if number > 0}
