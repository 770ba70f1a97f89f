"""From the samples of pages to the points of one instrument."""

from __future__ import annotations

from itertools import islice
from math import inf
from time import monotonic
from typing import NamedTuple

from telewright._guard import LOCK, lost
from telewright._observable import DIRECT, ObservableGauge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Final

    from telewright._observable import Observable, Point
    from telewright._scrape_fetch import Sample
    from telewright._source import Source

    Value = str | int | float | bool
    Labels = tuple[tuple[str, Value], ...]
    Said = tuple[tuple[str, str], ...]

_MOST_SERIES: Final = 8_192
"""Series of all pages whose totals one instrument adds up; as many that have gone it remembers."""


class _Seen(NamedTuple):
    """What was last read from one page."""

    when: float
    values: dict[Labels, float]
    totals: dict[Said, float]


class Reading:
    """What was last read for one instrument; called at each export, and empty if that is old.

    A value stands as it is on the page, but for sums: what they have risen by is added up. A total
    that fell, since who keeps it began anew, counts nothing until it has been read again. Where a
    page or a series has gone and comes back, its total is compared with that of then, unless so
    many others have gone since that it is taken for a new one. A number that the instrument cannot
    hold, scaled or added up, is left out by itself.
    """

    def __init__(self, instrument: Observable, source: Source) -> None:
        self.source: Final = source
        self._integer: Final = instrument.integer
        self._rises: Final = instrument.grows or source.window is not None
        self._adds: Final = self._rises or not isinstance(instrument, ObservableGauge)
        self._below: Final = 2.0**63 if instrument.integer else inf
        self._lasting: Final = 3 * source.every
        self._pages: Final[dict[str, _Seen]] = {}
        self._living = 0
        self._gone: Final[dict[tuple[str, Said], float]] = {}
        self._sums: Final[dict[Labels, float]] = {}

    def __call__(self) -> list[Point]:
        """Return the points of now."""
        now = monotonic()
        merged: dict[Labels, float] = {}
        with LOCK:
            for seen in self._pages.values():
                if now - seen.when <= self._lasting:
                    self._merge(merged, seen.values)
        fit = {labels: value for labels, value in merged.items() if abs(value) < self._below}
        if len(fit) < len(merged):  # each was fit, their sum is not
            lost("page_line", len(merged) - len(fit))
        return [
            (round(value) if self._integer else value, dict(labels))
            for labels, value in fit.items()
        ]

    def _merge(self, merged: dict[Labels, float], values: Mapping[Labels, float]) -> None:
        for labels, value in values.items():
            if self._rises:
                merged[labels] = self._sums.get(labels, 0.0)
            elif self._adds:
                merged[labels] = merged.get(labels, 0.0) + value
            else:
                merged[labels] = value

    def begin_window(self) -> None:
        """Begin sums at zero, if they are of a window."""
        if self.source.window is not None:
            with LOCK:
                self._sums.clear()

    def take(self, url: str, given: Mapping[str, Value], found: Iterable[Sample]) -> None:
        """Take what was found on the page *url*, whose finder says *given* of it."""
        with LOCK:
            before = self._pages.get(url)
            seen = _Seen(monotonic(), {}, {})
            for said, number in found:
                labels = self._labels(given, said)
                value = number * self.source.scale
                if not abs(value) < self._below:
                    lost("page_line")
                elif self._rises:
                    series = tuple(sorted(said.items()))
                    if self._rise(url, series, value, labels, before=before, seen=seen):
                        seen.values[labels] = value
                elif self._adds:
                    seen.values[labels] = seen.values.get(labels, 0.0) + value
                else:
                    seen.values[labels] = value
            self._pages[url] = seen
            if before is not None:
                self._leave(url, before.totals.keys() - seen.totals.keys(), before)
            _keep_last(self._sums, 2 * _MOST_SERIES)

    def _labels(self, given: Mapping[str, Value], said: Mapping[str, str]) -> Labels:
        source = self.source
        made = {**source.attributes, **given}
        made |= {key: said[name] for name, key in source.labels.items() if name in said}
        return tuple(sorted((key, value) for key, value in made.items() if key in source.keys))

    def _rise(  # noqa: PLR0913 - what there is to know of a line
        self,
        url: str,
        series: Said,
        value: float,
        labels: Labels,
        *,
        before: _Seen | None,
        seen: _Seen,
    ) -> bool:
        """Add what *series* has risen by, and say whether it is to be reported."""
        last = seen.totals.get(series)  # a line that is there twice
        if last is None and before is not None:
            last = before.totals.get(series)
        if last is None:
            if self._living >= _MOST_SERIES:
                lost("series_limit")
                return False
            self._living += 1
            last = self._gone.pop((url, series), None)
        seen.totals[series] = value
        if last is None:  # what was counted before a window began is not of it
            risen = 0.0 if self.source.window is not None and before is None else value
        elif value < last:
            lost("total_fell")
            return False
        else:
            risen = value - last
        total = self._sums.pop(labels, 0.0)
        if not (fit := abs(total + risen) < self._below):
            lost("page_line")
        self._sums[labels] = total + risen if fit else total
        return fit

    def keep(self, urls: Iterable[str]) -> None:
        """Forget the values of pages that are no more among *urls*; they may come back."""
        listed = set(urls)
        with LOCK:
            for url in self._pages.keys() - listed:
                seen = self._pages.pop(url)
                self._leave(url, seen.totals, seen)

    def _leave(self, url: str, gone: Iterable[Said], seen: _Seen) -> None:
        """Remember the totals of series that are no more, those that went last."""
        for series in gone:
            self._gone[url, series] = seen.totals[series]
            self._living -= 1
        _keep_last(self._gone, _MOST_SERIES)


DIRECT.append(Reading)


def _keep_last(kept: dict[Any, float], most: int) -> None:
    for key in list(islice(kept, max(len(kept) - most, 0))):
        del kept[key]
