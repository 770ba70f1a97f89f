"""Calls over gRPC: a fork waits, for a moment, until none of them is under way.

gRPC's core makes itself ready for a fork, and does not while a thread is inside it. Then one child
in thirty is killed by what it left behind, whether or not that child uses gRPC.
"""

from __future__ import annotations

from os import register_at_fork
from threading import Condition, RLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

PATIENCE: Final = [0.1]
"""Seconds that a fork waits at most; a receiver may take its time."""


class Calls:
    """How many calls are under way, and how many forks."""

    def __init__(self) -> None:
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget what another process does."""
        self._changed = Condition(RLock())
        self._under_way = 0
        self._forks = 0

    def __enter__(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: not self._forks, 1.0)
            self._under_way += 1

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._under_way = max(0, self._under_way - 1)  # a child forgot what it was forked in
            self._changed.notify_all()

    def pause(self) -> None:
        """Begin none before `go_on`, and wait until those under way are over."""
        with self._changed:
            self._forks += 1
            self._changed.wait_for(lambda: not self._under_way, PATIENCE[0])

    def go_on(self) -> None:
        """Let those begin that waited."""
        with self._changed:
            self._forks -= 1
            self._changed.notify_all()


CALLS: Final = Calls()
"""Those of this process."""

register_at_fork(before=CALLS.pause, after_in_parent=CALLS.go_on, after_in_child=CALLS.begin_anew)
