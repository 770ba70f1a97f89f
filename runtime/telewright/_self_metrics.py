"""The books and the open spans as metrics of the process, read whenever metrics are exported."""

from __future__ import annotations

from telewright import _start
from telewright._books import Book
from telewright.self import books, open_spans
from telewright.self.books import Signal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Final

    from telewright._observable import Point
    from telewright._open_spans import Age

_AGES: Final[list[Callable[[], dict[str, Age]]]] = []
"""What knows the open spans of now, while anything does."""

_NOW: Final[dict[str, Age]] = {}
_READ_BY: Final[set[str]] = set()
"""Which instruments have been told of what was open then."""


def install(ages: Callable[[], dict[str, Age]] | None) -> None:
    """Have these metrics read from now on; *ages* returns what is open, by name of span."""
    _AGES[:] = [] if ages is None else [ages]
    _READ_BY.clear()
    for instrument, source in _SOURCES:
        instrument.forget(source)
        instrument.observe(source)


def remove() -> None:
    """Have them read no more."""
    _AGES.clear()
    for instrument, source in _SOURCES:
        instrument.forget(source)


def _by_signal() -> Iterator[tuple[Signal, Book]]:
    stats = _start.STATE.books.read()
    yield Signal.SPANS, Book(stats.made, stats.exported, stats.dropped)
    yield Signal.POINTS, stats.points
    yield Signal.LOGS, stats.logs


def _made() -> Iterator[Point]:
    return (books.items_made.point(book.made, signal=signal) for signal, book in _by_signal())


def _exported() -> Iterator[Point]:
    return (
        books.items_exported.point(book.exported, signal=signal) for signal, book in _by_signal()
    )


def _dropped() -> Iterator[Point]:
    return (
        books.items_dropped.point(number, signal=signal, reason=reason)
        for signal, book in _by_signal()
        for reason, number in book.dropped.items()
    )


def _changed() -> Iterator[Point]:
    values = _start.STATE.books.read().values
    return (books.values_changed.point(number, reason=reason) for reason, number in values.items())


def _redacted() -> Iterator[Point]:
    yield books.values_redacted.point(_start.STATE.books.read().redacted)


def _open(reader: str) -> Iterable[tuple[str, Age]]:
    """Return what is open, for one of the instruments; all of them are told of one moment."""
    if not _READ_BY or reader in _READ_BY:
        _READ_BY.clear()
        _NOW.clear()
        for ages in _AGES:
            _NOW.update(ages())
    _READ_BY.add(reader)
    return list(_NOW.items())


def _count() -> Iterator[Point]:
    return (open_spans.count.point(age.count, span_name=name) for name, age in _open("count"))


def _oldest() -> Iterator[Point]:
    return (open_spans.oldest.point(age.oldest, span_name=name) for name, age in _open("oldest"))


def _held() -> Iterator[Point]:
    return (open_spans.longest_held.point(age.held, span_name=name) for name, age in _open("held"))


_SOURCES: Final = (
    (books.items_made, _made),
    (books.items_exported, _exported),
    (books.items_dropped, _dropped),
    (books.values_changed, _changed),
    (books.values_redacted, _redacted),
    (open_spans.count, _count),
    (open_spans.oldest, _oldest),
    (open_spans.longest_held, _held),
)
