"""Long work of a thread in the background, in pieces that an event loop hardly notices.

Python lets a thread run for five milliseconds before it gives way to one that waits, and an event
loop waits again each time it wakes. So threads of ours give way by themselves, more often.
"""

from __future__ import annotations

from time import perf_counter_ns, sleep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final, TypeVar

    Item = TypeVar("Item")

_RUN: Final = 300_000
"""Nanoseconds of work before a pause."""

_PAUSE: Final = 0.00005
"""Seconds of a pause: enough for a thread that waits to take over."""


def paced(items: Iterable[Item]) -> Iterator[Item]:
    """Yield *items*, with a pause whenever what is done with them has taken a while."""
    begun = perf_counter_ns()
    for item in items:
        yield item
        if perf_counter_ns() - begun > _RUN:
            sleep(_PAUSE)
            begun = perf_counter_ns()


class Paced(list["Item"]):
    """A list that is paced by whoever goes through it, as encoders of OpenTelemetry do."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Item]:
        """Return an iterator that pauses."""
        return paced(super().__iter__())
