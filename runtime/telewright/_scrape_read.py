"""From the samples of pages to the points of one instrument."""

from __future__ import annotations

from time import monotonic

from telewright._guard import LOCK, lost
from telewright._observable import ObservableGauge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Final

    from telewright._observable import Observable, Point
    from telewright._scrape_fetch import Sample
    from telewright._source import Source

    Value = str | int | float | bool
    Labels = tuple[tuple[str, Value], ...]
    Series = tuple[str, Labels]

_MOST_SERIES: Final = 8_192
"""Series of all pages whose last total one instrument remembers."""


class Reading:
    """What was last read for one instrument; called at each export, and empty if that is old.

    A value stands as it is on the page, but for sums: what they have risen by is added up. A total
    that fell, since who keeps it began anew, counts nothing until it has been read again.
    """

    def __init__(self, instrument: Observable, source: Source) -> None:
        self.source: Final = source
        self._integer: Final = instrument.integer
        self._rises: Final = instrument.grows or source.window is not None
        self._adds: Final = self._rises or not isinstance(instrument, ObservableGauge)
        self._lasting: Final = 3 * source.every
        self._pages: dict[str, tuple[float, dict[Labels, float]]] = {}
        self._last: Final[dict[Series, float]] = {}
        self._totals: Final[dict[Labels, float]] = {}

    def __call__(self) -> list[Point]:
        """Return the points of now."""
        now = monotonic()
        merged: dict[Labels, float] = {}
        with LOCK:
            for when, values in self._pages.values():
                if now - when <= self._lasting:
                    self._merge(merged, values)
        return [
            (round(value) if self._integer else value, dict(labels))
            for labels, value in merged.items()
        ]

    def _merge(self, merged: dict[Labels, float], values: Mapping[Labels, float]) -> None:
        for labels, value in values.items():
            if self._rises:
                merged[labels] = self._totals.get(labels, 0.0)
            elif self._adds:
                merged[labels] = merged.get(labels, 0.0) + value
            else:
                merged[labels] = value

    def begin_window(self) -> None:
        """Begin sums at zero, if they are of a window."""
        if self.source.window is not None:
            with LOCK:
                self._totals.clear()

    def take(self, url: str, given: Mapping[str, Value], found: Iterable[Sample]) -> None:
        """Take what was found on the page *url*, whose finder says *given* of it."""
        with LOCK:
            known = url in self._pages
            values: dict[Labels, float] = {}
            for said, number in found:
                labels = self._labels(given, said)
                value = number * self.source.scale
                if self._rises:
                    if self._rise((url, tuple(sorted(said.items()))), labels, value, known=known):
                        values[labels] = value
                elif self._adds:
                    values[labels] = values.get(labels, 0.0) + value
                else:
                    values[labels] = value
            self._pages[url] = (monotonic(), values)

    def _labels(self, given: Mapping[str, Value], said: Mapping[str, str]) -> Labels:
        source = self.source
        made = {**source.attributes, **given}
        made |= {key: said[name] for name, key in source.labels.items() if name in said}
        return tuple(sorted((key, value) for key, value in made.items() if key in source.keys))

    def _rise(self, series: Series, labels: Labels, value: float, *, known: bool) -> bool:
        """Add what *series* has risen by, and say whether it is to be reported."""
        before = self._last.get(series)
        if before is None and len(self._last) >= _MOST_SERIES:
            lost("series_limit")
            return False
        self._last[series] = value
        if before is None:  # what was counted before a window began is not of it
            risen = 0.0 if self.source.window is not None and not known else value
        elif value < before:
            lost("total_fell")
            return False
        else:
            risen = value - before
        self._totals[labels] = self._totals.get(labels, 0.0) + risen
        return True

    def keep(self, urls: Iterable[str]) -> None:
        """Forget the values of pages that are no more among *urls*; they may come back."""
        listed = set(urls)
        with LOCK:
            for url in self._pages.keys() - listed:
                del self._pages[url]
