"""The fast tier of metrics: one cell for each series, which is added to in place.

A cell holds what one interval brought and what was before it. Collected, both become the data point
that the SDK would have made of the same measurements.

The statements that change a cell stand together without a call between them, which is where the
interpreter lets another thread in. Where threads run at once, `LockedSum` and `LockedHistogram` do
the same under a lock.

Whoever keeps the verb of a cell has it for good. A cell that is shut, since telemetry has ended or
this is a forked child, holds nothing that a value could be added to; the family is asked then, as
it is about the first value of an interval, and knows where values go by now.
"""

from __future__ import annotations

from bisect import bisect_left
from threading import RLock
from time import time_ns

from opentelemetry.sdk.metrics import Exemplar  # noqa: TID251 - started processes only
from opentelemetry.sdk.metrics.export import (  # noqa: TID251 - started processes only
    HistogramDataPoint,
    NumberDataPoint,
)
from opentelemetry.trace import Span

from telewright import _late as late
from telewright._fast_span import FastSpan
from telewright._guard import failed, lost
from telewright._values import Unfit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, ClassVar, Final, TypeAlias

    from telewright._fast_family import Family

    Kept: TypeAlias = tuple[Any, ...]
    """What an exemplar is made of: value, when, current span, and labels its series has not."""

_INFINITE: Final = float("inf")
_KEY: Final = late.SPAN_KEY
_current: Final = late.get_current


class Cell:
    """One series of an instrument.

    Attributes:
        key: What the family knows it by.
        attributes: What tells it from the others.
        active: Whether it may hold something that was not collected.
        start: When it was first recorded in.
        take: Takes a value, whatever it is.
    """

    __slots__ = (
        "__weakref__",
        "_family",
        "_fit",
        "_kind",
        "_least",
        "_most",
        "active",
        "attributes",
        "key",
        "start",
    )

    forgettable: ClassVar[bool] = True
    """Whether it says so when it is recorded in again after a while."""

    take: Callable[..., None]

    def __init__(self, family: Family, key: object, attributes: Mapping[str, Any]) -> None:
        self._family = family
        self.key = key
        self.attributes = attributes
        self._kind, self._least, self._most, self._fit = family.accepts

    def join(self, family: Family) -> bool:
        """Be a series of *family* from now on, if it is that of none or of one that is over."""
        if self._family is not family and not self._family.over:
            return False
        self._family = family
        return True

    def _fitted(self, value: object) -> float | None:
        """Return *value*, which is not as it should be, as it may be recorded."""
        try:
            fit = self._fit(value)
        except Unfit as unfit:
            lost(unfit.reason)
            return None
        except Exception:
            failed("record a metric")
            return None
        if fit >= self._least:
            return fit
        lost("negative")
        return None

    def open(self) -> None:
        """Be ready to be added to."""
        raise NotImplementedError

    def shut(self) -> None:
        """Hold nothing, and have whoever brings a value ask the family."""
        self.active = False
        self.start = 0

    def disown(self) -> None:
        """Do so in a forked child, whatever the parent's threads were at."""
        self.shut()

    def note(self, attributes: Mapping[str, Any]) -> None:
        """Keep what the series does not say of what was taken just now."""

    def collect(self, now: int) -> Any:  # noqa: ANN401 - a data point of its own kind
        """Return what there is, and begin anew."""
        raise NotImplementedError


class SumCell(Cell):
    """A series of a counter."""

    __slots__ = ("_before", "_seen", "_value")

    def __init__(self, family: Family, key: object, attributes: Mapping[str, Any]) -> None:
        super().__init__(family, key, attributes)
        self.shut()

    def shut(self) -> None:
        """Hold nothing, and have whoever brings a value ask the family."""
        super().shut()
        self._value: Any = None  # None until something was recorded in the interval
        self._before: float = 0  # a whole number, as long as all are
        self._seen: Kept | None = None

    def take(self, value: float = 1) -> None:
        """Add an amount, if it is one."""
        if type(value) is not self._kind or not self._least <= value <= self._most:
            fit = self._fitted(value)
            if fit is None:
                return
            value = fit
        context = _current()
        if _KEY in context:
            self._see(value, context[_KEY])
        try:
            self._value += value
        except TypeError:
            self._seen = None  # it is seen again, perhaps by another
            self._family.begin(self).take(value)

    def _see(self, value: float, span: object) -> None:
        if self._family.exemplars and kept(span):
            self._seen = (value, time_ns(), span)

    def note(self, attributes: Mapping[str, Any]) -> None:
        """Keep what the series does not say of what was taken just now."""
        self._seen = noted(self._seen, attributes)

    def open(self) -> None:
        """Be ready to be added to."""
        if self._value is None:
            self._value = 0

    def collect(self, now: int) -> NumberDataPoint | None:
        """Return what there is, and begin anew."""
        family = self._family
        value, seen = self._taken(None if family.delta else 0)
        if value is None:
            return None
        start = self.start
        if family.delta:
            start = family.collected or start
        else:
            self._before = value = value + self._before
        return NumberDataPoint(
            attributes=self.attributes,
            start_time_unix_nano=start,
            time_unix_nano=now,
            value=value,
            exemplars=[] if seen is None else [exemplar(seen, self.attributes)],
        )

    def _taken(self, fresh: int | None) -> tuple[Any, Kept | None]:
        if self._value is None:
            return None, None
        value, self._value = self._value, fresh
        seen, self._seen = self._seen, None
        return value, seen


class HistogramCell(Cell):
    """A series of a histogram."""

    __slots__ = ("_before", "_counts", "_high", "_low", "_seen", "_total", "_within")

    def __init__(self, family: Family, key: object, attributes: Mapping[str, Any]) -> None:
        super().__init__(family, key, attributes)
        self._within = family.boundaries
        self.shut()

    def shut(self) -> None:
        """Hold nothing, and have whoever brings a value ask the family."""
        super().shut()
        self._counts: Any = None  # as above
        self._total: float = 0
        self._low = _INFINITE
        self._high = -_INFINITE
        self._seen: dict[int, Kept] = {}
        self._before: tuple[list[int], float, float, float] = (
            [0] * (len(self._within) + 1),
            0,
            _INFINITE,
            -_INFINITE,
        )

    def take(self, value: float) -> None:
        """Record a value, if it is one."""
        if type(value) is not self._kind or not self._least <= value <= self._most:
            fit = self._fitted(value)
            if fit is None:
                return
            value = fit
        place = bisect_left(self._within, value)
        context = _current()
        if _KEY in context:
            self._see(place, value, context[_KEY])
        try:
            self._counts[place] += 1
        except TypeError:
            self._seen = {}  # as above
            self._family.begin(self).take(value)
            return
        self._total += value
        if value < self._low:  # noqa: PLR1730 - a call would let another thread in
            self._low = value
        if value > self._high:  # noqa: PLR1730 - the same
            self._high = value

    def _see(self, place: int, value: float, span: object) -> None:
        if self._family.exemplars and kept(span):
            self._seen[place] = (value, time_ns(), span)

    def note(self, attributes: Mapping[str, Any]) -> None:
        """Keep what the series does not say of what was taken just now."""
        seen = self._seen
        for place, one in seen.copy().items():
            seen[place] = noted(one, attributes)

    def open(self) -> None:
        """Be ready to be added to."""
        fresh = [0] * (len(self._within) + 1)
        if self._counts is None:
            self._counts = fresh

    def collect(self, now: int) -> HistogramDataPoint | None:
        """Return what there is, and begin anew."""
        family = self._family
        taken = self._taken(None if family.delta else [0] * (len(self._within) + 1))
        if taken is None:
            return None
        counts, total, low, high, seen = taken
        start = self.start
        if family.delta:
            start = family.collected or start
        else:
            before = self._before
            counts = [one + other for one, other in zip(counts, before[0], strict=True)]
            total, low, high = total + before[1], min(low, before[2]), max(high, before[3])
            self._before = counts, total, low, high
        count = sum(counts)
        if not count:
            return None  # somebody is about to record the first value
        return HistogramDataPoint(
            attributes=self.attributes,
            start_time_unix_nano=start,
            time_unix_nano=now,
            count=count,
            sum=total,
            bucket_counts=tuple(counts),
            explicit_bounds=self._within,
            min=low,
            max=high,
            exemplars=[exemplar(seen[place], self.attributes) for place in sorted(seen)],
        )

    def _taken(
        self, fresh: list[int] | None
    ) -> tuple[list[int], float, float, float, dict[int, Kept]] | None:
        if self._counts is None:
            return None
        new: dict[int, Kept] = {}
        counts, self._counts = self._counts, fresh
        total, self._total = self._total, 0
        low, self._low = self._low, _INFINITE
        high, self._high = self._high, -_INFINITE
        seen, self._seen = self._seen, new
        return counts, total, low, high, seen


class LockedSum(SumCell):
    """The same where threads run at once."""

    __slots__ = ("_lock",)

    def __init__(self, family: Family, key: object, attributes: Mapping[str, Any]) -> None:
        self._lock = RLock()
        super().__init__(family, key, attributes)

    def shut(self) -> None:
        """Hold nothing, and have whoever brings a value ask the family."""
        with self._lock:
            super().shut()

    def disown(self) -> None:
        """Do so in a forked child, whatever the parent's threads were at."""
        self._lock = RLock()
        self.shut()

    def take(self, value: float = 1) -> None:
        """Add an amount, if it is one."""
        with self._lock:
            super().take(value)

    def _taken(self, fresh: int | None) -> tuple[Any, Kept | None]:
        with self._lock:
            return super()._taken(fresh)


class LockedHistogram(HistogramCell):
    """The same where threads run at once."""

    __slots__ = ("_lock",)

    def __init__(self, family: Family, key: object, attributes: Mapping[str, Any]) -> None:
        self._lock = RLock()
        super().__init__(family, key, attributes)

    def shut(self) -> None:
        """Hold nothing, and have whoever brings a value ask the family."""
        with self._lock:
            super().shut()

    def disown(self) -> None:
        """Do so in a forked child, whatever the parent's threads were at."""
        self._lock = RLock()
        self.shut()

    def take(self, value: float) -> None:
        """Record a value, if it is one."""
        with self._lock:
            super().take(value)

    def _taken(
        self, fresh: list[int] | None
    ) -> tuple[list[int], float, float, float, dict[int, Kept]] | None:
        with self._lock:
            return super()._taken(fresh)


def kept(span: object) -> bool:
    """Say whether *span* is sampled, so that an exemplar may name it."""
    if type(span) is FastSpan:
        return True
    return isinstance(span, Span) and span.get_span_context().trace_flags.sampled


def noted(seen: Kept | None, attributes: Mapping[str, Any]) -> Any:  # noqa: ANN401 - as given
    """Return *seen*, with *attributes* if it was seen in this span and says nothing of them."""
    _, _, span, *said = seen or (None, None, None)
    if seen is None or said or span is not _current().get(_KEY):
        return seen
    return (*seen, {**attributes})


def exemplar(seen: Kept, attributes: Mapping[str, Any]) -> Exemplar:
    """Return the SDK's form of what was kept; its series has all its attributes, as a rule."""
    value, when, span, *said = seen
    context = span.get_span_context()
    further: dict[str, Any] | None = said[0] if said else {} if attributes else None
    return Exemplar(further, value, when, context.span_id, context.trace_id)
