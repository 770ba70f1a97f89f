"""Reading instruments from pages that other programs keep, on a thread that nobody waits for."""

from __future__ import annotations

from functools import partial
from itertools import islice
from threading import Condition, Thread
from time import monotonic

from telewright._aside import Late, begin
from telewright._guard import failed, lost, say
from telewright._observable import Observable
from telewright._quiet import quiet
from telewright._scrape_fetch import TIMEOUT, Unreadable, fetch, samples
from telewright._scrape_read import Reading
from telewright._values import clean
from telewright.pages import FINDERS, NoPages, Page

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from telewright._instrument import Instrument
    from telewright.pages import Finder, Found

    Readings = dict[Observable, Reading]

_MOST_PAGES: Final = 4_096
_LONGEST_WAIT: Final = 300.0
"""Seconds after which a page that cannot be read is tried again, at the latest."""
_PATIENCE: Final = 6
"""How often nothing may be found before that is said: what has pages may start after us."""


class _Place:
    """What one name, or one address, leads to; and what happened there."""

    def __init__(self, name: str) -> None:
        self.name: Final = name
        self.readings: Readings = {}
        self.due = 0.0
        self.empty = 0
        self.told: set[str] = set()
        self.failures: dict[str, tuple[int, float]] = {}
        """Pages that could not be read: how often in a row, and when to try again."""
        self.visited: dict[str, float] = {}
        """When a page was last tried."""

    def order(self, page: Page) -> tuple[bool, float]:
        """Put what was not tried for long first, and what fails last."""
        return page.url in self.failures, self.visited.get(page.url, 0.0)

    @property
    def every(self) -> float:
        """Seconds between two rounds."""
        return min((reading.source.every for reading in self.readings.values()), default=10.0)

    def pages(self) -> list[Page]:
        """Return the pages of now, or those of an earlier round that were not found in time.

        Raises:
            Late: If what finds them takes longer than a page may.
        """
        finder = self.name if "/" in self.name else FINDERS.get(self.name, ())
        if type(finder) in {str, list, tuple}:
            return _listed(finder)
        finding = begin(("find pages", id(finder)), partial(_listed, finder))
        return finding.result(min(TIMEOUT, self.every))

    def tell(self, kind: str, problem: str) -> None:
        """Say what is wrong, once of its kind."""
        first = kind not in self.told
        self.told.add(kind)
        names = ", ".join(sorted(instrument.name for instrument in self.readings))
        say(f"{names}: {problem}", first=first)


class Scraper:
    """Reads what it is given, each page now and then, while this process may write it."""

    def __init__(self) -> None:
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._changed = Condition()
        self._places: dict[str, _Place] = {}
        self._thread: Thread | None = None

    def add(self, instrument: Instrument) -> None:
        """Read *instrument* from where its spec says."""
        if not isinstance(instrument, Observable) or instrument.source is None:
            return
        source = instrument.source
        with self._changed:
            place = self._places.setdefault(source.page, _Place(source.page))
            if instrument not in place.readings:
                reading = Reading(instrument, source)
                place.readings = {**place.readings, instrument: reading}
                place.due = 0.0
                instrument.observe(reading)
            if self._thread is None:
                self._thread = Thread(
                    target=self._run, args=(self._places,), name="telewright-pages", daemon=True
                )
                self._thread.start()
            self._changed.notify_all()

    def close(self) -> None:
        """Read nothing more. What is on its way is not waited for, and is not taken."""
        with self._changed:
            places, self._places, self._thread = self._places, {}, None
            self._changed.notify_all()
        _forget(places)

    def abandon(self) -> None:
        """Forget all in a forked child, which has neither the thread nor, perhaps, the lock."""
        places = self._places
        self._begin_anew()
        _forget(places)

    def _run(self, places: dict[str, _Place]) -> None:
        try:
            while places is self._places:
                with quiet():
                    wait = self._round(places)
                with self._changed:
                    if places is self._places and wait > 0:
                        self._changed.wait(wait)
        except BaseException:
            failed("read pages")

    def _round(self, places: dict[str, _Place]) -> float:
        """Visit what is due, and return how long nothing will be."""
        for place in list(places.values()):
            if place.due > monotonic():
                continue
            place.due = monotonic() + place.every
            try:
                pages = place.pages()
            except NoPages as reason:
                place.tell("none", str(reason))
                continue
            except Late:
                place.tell("late", f"what finds {place.name!r} takes long; others go on")
                continue
            except BaseException:  # of a finder, which is somebody else's; the thread is ours
                failed("find pages")
                continue
            try:
                self._visit(place, pages, places)
            except ImportError:
                place.due = float("inf")
                place.tell(
                    "parser",
                    "prometheus_client is not installed: pip install 'telewright[prometheus]'",
                )
            except Exception:
                failed("read pages")
        due = min((place.due for place in list(places.values())), default=0.0)
        return min(max(due - monotonic(), 0.0), _LONGEST_WAIT)

    def _visit(self, place: _Place, pages: list[Page], places: dict[str, _Place]) -> None:
        urls = {page.url for page in pages}
        for reading in place.readings.values():
            reading.keep(urls)
        place.failures = {url: one for url, one in place.failures.items() if url in urls}
        place.empty = 0 if pages else place.empty + 1
        if place.empty == _PATIENCE:
            place.tell("none", f"there is no page called {place.name!r} to read from")
        place.visited = {url: when for url, when in place.visited.items() if url in urls}
        for page in sorted(pages, key=place.order):
            if places is not self._places:
                return
            tries, again = place.failures.get(page.url, (0, 0.0))
            now = monotonic()
            if again > now or now > place.due:  # there is no time left: first in the next round
                continue
            place.visited[page.url] = now
            try:
                self._read(page, place, min(TIMEOUT, place.every), places)
            except Unreadable as problem:
                lost("page_unreadable")
                wait = min(place.every * 2 ** min(tries + 1, 16), _LONGEST_WAIT)
                place.failures[page.url] = (tries + 1, monotonic() + wait)
                place.tell("page", f"{page.url} cannot be read: {problem}; it is tried again")
            except ImportError:
                raise
            except Exception:  # what its finder says of it is somebody else's
                failed("read a page")
            else:
                place.failures.pop(page.url, None)

    def _read(self, page: Page, place: _Place, timeout: float, places: dict[str, _Place]) -> None:
        readings = dict(place.readings)
        text = fetch(page.url, timeout)
        found = samples(text, {one.source.series for one in readings.values()})
        given = {
            key: value
            for key, value in clean(page.attributes).items()
            if isinstance(value, (str, int, float))
        }
        if places is not self._places:
            return
        for instrument, reading in readings.items():
            series = found[reading.source.series]
            reading.take(page.url, given, series)
            if not series:
                place.tell(instrument.name, f"{page.url} has no series {reading.source.series!r}")


def _listed(finder: Finder | Iterable[Found] | str) -> list[Page]:
    found = finder() if callable(finder) else finder
    listed: Iterable[Found] = [found] if isinstance(found, str) else found
    pages = [one if isinstance(one, Page) else Page(one) for one in islice(listed, _MOST_PAGES)]
    fit = [page for page in pages if type(page.url) is str]
    if len(fit) < len(pages):
        lost("page_unreadable", len(pages) - len(fit))
    return fit


def _forget(places: dict[str, _Place]) -> None:
    for place in places.values():
        for instrument, reading in place.readings.items():
            instrument.forget(reading)


SCRAPER: Final = Scraper()
"""The one of this process."""
