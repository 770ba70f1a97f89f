"""What totals that are read have risen by: a sum of ours, which never falls."""

from __future__ import annotations

from itertools import islice

from telewright import _late as late
from telewright._guard import LOCK, lost
from telewright._series import key_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable
    from typing import Any, Final

    from opentelemetry.metrics import Observation

    from telewright._instrument import Attributes

    Reading = tuple[int, Attributes, float]
    """Which source said it, of which series, and how much."""

_MOST_REMEMBERED: Final = 8192
"""Series of all sources whose last total one instrument remembers."""

_NOBODY: Final = 0
"""The source of what sources that are read no more have said."""


class Rises:
    """The sums of one instrument.

    Each source's total is held against its own last one, so that several may speak of one series,
    and one of them may be silent for a while. A total that fell counts nothing until it is read
    again. Whoever speaks of a series whose source is read no more goes on where that ended.

    The sums are of one run of telemetry in one process. The totals outlive it, so that no rise is
    exported by two.
    """

    def __init__(self) -> None:
        self._totals: Final[dict[tuple[int, object], float]] = {}
        self._sums: Final[dict[object, float]] = {}
        self._known: Final[set[int]] = set()
        """The sources that have answered."""
        self._inherited: Final[set[int]] = set()
        """Those that were there before a fork, and have not: their first totals are no rise."""

    def begin(self) -> None:
        """Begin the sums at zero; of sources that go on, with what they rise by from here on."""
        with LOCK:
            self._sums.clear()
            for said in [said for said in self._totals if said[0] == _NOBODY]:
                del self._totals[said]

    def inherit(self, sources: Iterable[int]) -> None:
        """Take what is said of *sources* so far for the parent's, in a child that was forked."""
        with LOCK:
            self._inherited.update(set(sources) - self._known)

    def told(
        self,
        readings: Iterable[Reading],
        admit: Callable[[Attributes], Attributes],
        read: Callable[[], Container[int]],
        answered: Iterable[int],
    ) -> list[Observation]:
        """Return what is to be exported after *readings*, of the series that *admit* lets in.

        Sources that are not among those that are *read* have been forgotten meanwhile; those that
        *answered* may have said nothing.
        """
        now: dict[tuple[int, object], tuple[Attributes, float]] = {}
        told: dict[object, Observation] = {}
        with LOCK:
            here = read()
            for source, labels, value in readings:
                said: tuple[int, object] = source if source in here else _NOBODY, key_of(labels)
                now[said] = labels, now[said][1] + value if said in now else value
            known = self._totals
            for place, said in enumerate(sorted(now, key=lambda said: said not in known)):
                if place >= _MOST_REMEMBERED:
                    lost("series_limit")
                    continue
                labels, value = now[said]
                admitted = admit(labels)
                series = said[1] if admitted is labels else key_of(admitted)
                if self._rise(said, series, value):
                    told[series] = late.Observation(self._sums[series], admitted)
            _keep_last(known)
            _keep_last(self._sums)
            self._inherited.difference_update(answered)
            self._known.update(one for one in answered if one in here)
        return list(told.values())

    def _rise(self, said: tuple[int, object], series: object, value: float) -> bool:
        """Add what a total has risen by, and say whether it has not fallen."""
        before = self._totals.pop(said, None)
        if before is None:
            before = self._totals.pop((_NOBODY, said[1]), None)
        if before is None and said[0] in self._inherited:
            before = value
        self._totals[said] = value
        total = self._sums.pop(series, 0)
        if before is None:
            total += value
        elif value >= before:  # in this order a sum that is the total itself stays exactly that
            total = max(total, value + (total - before))
        else:
            lost("total_fell")
        self._sums[series] = total
        return before is None or value >= before

    def leave(self, source: int) -> None:
        """Take it that *source* is read no more."""
        with LOCK:
            for said in [said for said in self._totals if said[0] == source]:
                value = self._totals.pop(said)
                nobody = _NOBODY, said[1]
                self._totals[nobody] = self._totals.get(nobody, 0) + value
            self._known.discard(source)
            self._inherited.discard(source)


def _keep_last(kept: dict[Any, float]) -> None:
    for key in list(islice(kept, max(len(kept) - _MOST_REMEMBERED, 0))):
        del kept[key]
