"""A bounded queue and the thread that empties it, whose every answer keeps its deadline.

The SDK's own batch processor cannot say what became of a span, and its flush waits as long as the
exporter does; hence this one. Nothing but list operations happens under its lock.
"""

from __future__ import annotations

from collections import deque
from itertools import repeat, starmap
from time import monotonic

from telewright._guard import failed
from telewright._waiting import wait
from telewright._worker import Worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final, TypeAlias

    from telewright._books import Ledger
    from telewright._settings import Batching

    Ticket: TypeAlias = tuple[int, int]


class Batcher(Worker):
    """Collects items and hands them to *send* in batches, on a daemon thread of its own.

    Args:
        name: What the thread is called.
        send: Exports a batch and returns how much of it was dropped, by reason.
        close: Lets go of the exporter; called once, on the thread, after the last batch.
        ledger: Where every item is accounted for.
        batching: Sizes and delay.
    """

    def __init__(
        self,
        name: str,
        send: Callable[[list[Any]], Mapping[str, int]],
        close: Callable[[], object],
        ledger: Ledger,
        batching: Batching,
    ) -> None:
        super().__init__(name, close)
        self._send: Final = send
        self._ledger: Final = ledger
        self._batching: Final = batching
        self._queue: Final[deque[Any]] = deque()
        self._most: Final = batching.queue
        self._size: Final = batching.size
        self._called = False
        self._resolved = 0
        self._lost = 0
        self._busy: list[Any] | None = None
        self._wanted = 0
        self._closing = False
        self._closed = False
        self._begin()

    def put(self, item: object) -> None:
        """Queue *item*, which was made before; never waits. A full queue drops it.

        Takes no lock, since appending is atomic: what slips in after `close` is settled by the
        ledger, which counted it when it was made.
        """
        queue = self._queue
        if len(queue) >= self._most and not self._closing:
            self._ledger.drop("queue_full")
            if self._dead:
                self._call()
        elif not self._closed:
            queue.append(item)
            if len(queue) >= self._size and not self._called:
                self._called = True
                self._call()

    def _call(self) -> None:
        with self._lock:
            self._wake()

    def ask(self) -> Ticket:
        """Have what is queued exported now, and return what `wait` waits for."""
        with self._lock:
            self._wanted = self._resolved + len(self._busy or ()) + len(self._queue)
            self._wake()
            return self._wanted, self._lost

    def wait(self, ticket: Ticket, deadline: float) -> bool:
        """Wait until *deadline*, and say whether all that was asked for arrived."""
        target, lost = ticket
        with self._lock:
            while self._resolved < target and not self._closed:
                left = deadline - monotonic()
                if left <= 0 or self._is_gone():
                    break
                wait(self._changed.wait, left)
            return self._resolved >= target and self._lost == lost

    def widen(self) -> None:
        """Take what comes whatever the limit; for the spans that are open at the end."""
        self._closing = True

    def owes(self) -> bool:
        """Say whether there is something that was made, and of which nothing became yet."""
        return self._ledger.owed() > 0

    def close(self) -> bool:
        """Take no more, and drop what is left; say whether that was nothing."""
        with self._lock:
            self._closed = True
            left = len(self._queue) + len(self._busy or ())
            self._queue.clear()
            self._busy = None
            self._wake(last=True)
        self._ledger.drop("deadline", left)
        return not self._ledger.settle("unended") + left

    def _give_up(self) -> None:
        """Drop what a round had in its hands when it failed."""
        self._called = False
        batch = self._busy
        if batch is not None:
            self._settle(batch, {"export_error": len(batch)})

    def _work(self) -> bool:
        """Wait for a batch and send it; return False once there will be none."""
        with self._lock:
            if not self._ready():
                self._changed.wait(self._batching.delay)
            if self._closed:
                return False
            self._called = False
            count = min(len(self._queue), self._size)
            batch: list[Any] = []
            self._busy = batch
            # In one step, so that an item is in the queue or in the batch, whatever happens.
            batch.extend(starmap(self._queue.popleft, repeat((), count)))
            if not batch:
                self._wanted = self._resolved  # whatever a round that failed lost
        if batch:
            self._settle(batch, self._attempt(batch))
        return True

    def _ready(self) -> bool:
        full = len(self._queue) >= self._size
        return self._closed or full or self._resolved < self._wanted

    def _attempt(self, batch: list[Any]) -> Mapping[str, int]:
        try:
            return self._send(batch)
        except Exception:
            failed("export")
            return {"export_error": len(batch)}

    def _settle(self, batch: list[Any], dropped: Mapping[str, int]) -> None:
        with self._lock:
            if self._busy is batch:  # else `close` has given it up, and counted it
                self._busy = None
                lost = sum(dropped.values())
                self._resolved += len(batch)
                self._lost += lost
                self._ledger.export(len(batch) - lost)
                for reason, number in dropped.items():
                    self._ledger.drop(reason, number)
            self._changed.notify_all()
