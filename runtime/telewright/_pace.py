"""Long work of a thread in the background, in pieces that an event loop hardly notices.

Python lets a thread run for five milliseconds before it gives way to one that waits, and an event
loop waits again each time it wakes. So threads of ours give way by themselves, more often.

Beside threads that compute, that would be the end of our work: each of them takes its five
milliseconds whenever we give way. So where pauses are long, and the threads of this process ran all
the while, there is more work between them; and none is made while somebody waits for a flush.
"""

from __future__ import annotations

from functools import wraps
from time import monotonic, perf_counter_ns, process_time_ns, sleep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Final, TypeVar

    Item = TypeVar("Item")
    Owner = TypeVar("Owner")

_RUN: Final = 300_000
"""Nanoseconds of work before a pause."""

_LONGEST_RUN: Final = 4_000_000
"""The same where pauses are long: less than what Python lets a thread run."""

_PART: Final = 4
"""The part of a long pause's time that is worked before the next."""

_PAUSE: Final = 0.00005
"""Seconds of a pause: enough for a thread that waits to take over."""

_TAKEN: Final = [0, 0]
"""Nanoseconds that other threads of this process ran in the last two pauses, of any thread.

Two, since an event loop now and then runs for long as well, but then waits again.
"""

_AWAITED: Final[list[float]] = []
"""Until when somebody waits. What a forked child inherits of that ends by itself."""


def paced(items: Iterable[Item]) -> Iterator[Item]:
    """Yield *items*, with a pause whenever what is done with them has taken a while."""
    begun = perf_counter_ns()
    for item in items:
        yield item
        worked = perf_counter_ns() - begun
        if worked > _RUN and worked > min(min(_TAKEN) // _PART, _LONGEST_RUN) and not _is_awaited():
            _pause()
            begun = perf_counter_ns()


def _pause() -> None:
    begun, ran = perf_counter_ns(), process_time_ns()
    sleep(_PAUSE)
    taken = min(perf_counter_ns() - begun, process_time_ns() - ran)
    _TAKEN[:] = _TAKEN[1], taken


def _is_awaited() -> bool:
    return max(_AWAITED, default=0.0) > monotonic()


def awaited(work: Callable[[Owner, float], bool]) -> Callable[[Owner, float], bool]:
    """Have no pauses while *work* waits, until the deadline that it is given."""

    @wraps(work)
    def waits(owner: Owner, deadline: float) -> bool:
        _AWAITED.append(deadline)
        try:
            return work(owner, deadline)
        finally:
            _AWAITED.remove(deadline)

    return waits


class Paced(list["Item"]):
    """A list that is paced by whoever goes through it, as encoders of OpenTelemetry do."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Item]:
        """Return an iterator that pauses."""
        return paced(super().__iter__())
