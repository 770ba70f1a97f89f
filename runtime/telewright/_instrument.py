"""The instruments that generated modules subclass: each gives its verb a typed signature."""

from __future__ import annotations

from telewright import _late as late
from telewright._enum import OTHER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import ClassVar, Final, TypeAlias, TypeVar
    from weakref import WeakSet

    from opentelemetry.metrics import Meter
    from opentelemetry.util.types import AttributeValue

    from telewright._bound import Bound, BoundCounter, BoundGauge, BoundHistogram
    from telewright._group import Registry
    from telewright._series import Series

    AnyBound = TypeVar("AnyBound", bound=Bound)

    Attributes: TypeAlias = Mapping[str, AttributeValue]

_GREATEST_INT: Final = 2**63 - 1
_GREATEST_FLOAT: Final = 1.7976931348623157e308
_PER: Final = {"s": 1e9, "ms": 1e6, "us": 1e3, "ns": 1.0}


def _limited(most: int, overflow: str) -> Series:
    from telewright._series import Series

    return Series(most, overflow)


def ignore(value: float, attributes: Attributes) -> None:
    """Stand in for an instrument that does not exist in this process."""


class Instrument:
    """A declared instrument; OpenTelemetry's is made when metrics start to export."""

    __slots__ = (
        "_bound",
        "_fit",
        "_members",
        "_series",
        "brief",
        "integer",
        "name",
        "send",
        "unit",
        "writer",
    )

    grows: ClassVar[bool] = False
    """Whether it takes no negative number."""

    send: Callable[[float, Attributes], None]
    """What takes a value that is fit: OpenTelemetry's instrument, or nothing."""

    def __init__(  # noqa: PLR0913 - what a spec may say of an instrument
        self,
        registry: Registry,
        name: str,
        *,
        unit: str,
        brief: str,
        writer: str | None = None,
        max_series: int | None = None,
        overflow: str = OTHER,
        integer: bool = False,
        members: bool = False,
    ) -> None:
        self.name: Final = name
        self.unit: Final = unit
        self.brief: Final = brief
        self.writer: Final = writer
        self.integer: Final = integer
        kind, most = (int, _GREATEST_INT) if integer else (float, _GREATEST_FLOAT)
        self._fit: Final = (kind, kind() if self.grows else -most, most)
        self._members: Final = members
        self._series: Final = None if max_series is None else _limited(max_series, overflow)
        self.send = ignore
        self._bound: WeakSet[Bound] | None = None
        registry.instruments.append(self)
        if registry.joins is not None:
            registry.joins(self)

    def forget_series(self) -> None:
        """Forget which series there were."""
        if self._series is not None:
            self._series.clear()
        for bound in tuple(self._bound or ()):
            bound.release()

    def keep(self, bound: AnyBound) -> AnyBound:
        """Remember what is bound to one of the series, for as long as somebody holds it."""
        if self._bound is None:
            from weakref import WeakSet

            self._bound = WeakSet()
        self._bound.add(bound)
        return bound

    def direct(self, attributes: Attributes) -> Callable[..., None] | None:
        """Return what takes the values of one series without looking further, if there is that."""
        find = getattr(getattr(self.send, "__self__", None), "cell", None)
        if find is None:
            return None
        labels = late.clean(attributes)
        if len(labels) != len(attributes):
            return None  # each value has something to count
        if self._series is not None and not self._series.knows(labels):
            return None  # the first value that is fit is admitted, or not
        take: Callable[..., None] = find(labels).take
        return take

    @property
    def accepts(self) -> tuple[type, float, float, Callable[[object], float]]:
        """The type, the least and the most of values, and what makes a value of others."""
        return (*self._fit, self._number)

    def put(self, value: float, attributes: Attributes) -> None:
        """Record *value*, whatever it and *attributes* are."""
        self._record(value, late.clean(attributes))

    def bind(self, meter: Meter | None) -> None:
        """Make OpenTelemetry's instrument on *meter*, or forget it."""
        self.forget_series()
        self.send = ignore if meter is None else self._make(meter)
        obey = getattr(getattr(self.send, "__self__", None), "obey", None)
        if obey is not None:
            obey(self)

    def _make(self, meter: Meter) -> Callable[[float, Attributes], None]:
        raise NotImplementedError

    def _when_done(
        self, task: object, record: Callable[..., None], value: object, /, **labels: object
    ) -> None:
        from telewright._when_done import when_done

        when_done(self.name, task, record, value, labels)

    def _record(self, value: float, attributes: Attributes) -> None:
        try:
            kind, least, most = self._fit
            if type(value) is not kind or not least <= value <= most:
                value = self._number(value)
            if not self._members:
                fit = late.LABELS
                for label in attributes.values():
                    if type(label) not in fit:
                        attributes = late.clean(attributes)
                        break
            if self._series is not None:
                attributes = self._series.admit(attributes)
            self.send(value, attributes)
        except late.Unfit as unfit:
            late.lost(unfit.reason)
        except Exception:
            late.failed("record a metric")

    def _number(self, value: object) -> float:
        exact = late.number(value)
        if self.grows and exact < 0:
            raise late.Unfit("negative")
        if not self.integer:
            return float(exact)
        whole = int(exact)
        if whole != exact:
            raise late.Unfit("not_an_integer")
        if abs(whole) > _GREATEST_INT:  # of a fraction, which may be far greater
            raise late.Unfit("out_of_range")
        return whole


class Counter(Instrument):
    """A sum that only grows."""

    __slots__ = ()

    grows = True

    def bound(self, attributes: Attributes) -> BoundCounter:
        """Return this instrument for one set of attributes, by their full keys."""
        from telewright._bound import BoundCounter

        return self.keep(BoundCounter(self, attributes))

    def _make(self, meter: Meter) -> Callable[[float, Attributes], None]:
        return meter.create_counter(self.name, self.unit, self.brief).add


class Once:
    """Remembers the keys seen last: at least *size* of them, at most twice as many."""

    __slots__ = ("_new", "_old", "_size")

    def __init__(self, size: int = 4096) -> None:
        self._size = size
        self._new: set[tuple[object, ...]] = set()
        self._old: set[tuple[object, ...]] = set()

    def first(self, key: tuple[object, ...]) -> bool:
        """Say whether *key*, of what `identity` returns, is new; and remember it."""
        with late.LOCK:
            if key in self._new:
                return False
            known = key in self._old
            if len(self._new) >= self._size:
                self._old, self._new = self._new, set()
            self._new.add(key)
            return not known

    def clear(self) -> None:
        """Forget everything; where nothing was recorded there is nothing."""
        if self._new or self._old:
            with late.LOCK:
                self._new, self._old = set(), set()


class OnceCounter(Counter):
    """A sum that counts a thing once, however often it is told of it."""

    __slots__ = ("_once",)

    def __init__(  # noqa: PLR0913 - what a spec may say of an instrument
        self,
        registry: Registry,
        name: str,
        *,
        unit: str,
        brief: str,
        writer: str | None = None,
        max_series: int | None = None,
        overflow: str = OTHER,
        integer: bool = False,
        members: bool = False,
        remember: int = 4096,
    ) -> None:
        self._once: Final = Once(remember)
        super().__init__(
            registry,
            name,
            unit=unit,
            brief=brief,
            writer=writer,
            max_series=max_series,
            overflow=overflow,
            integer=integer,
            members=members,
        )

    def bound(self, attributes: Attributes) -> BoundCounter:
        """Say that there is no such thing: who counts once needs the ids each time."""
        late.say(f"{self.name} counts a thing once, so it cannot be bound: use its `add`")
        return super().bound(attributes)

    def put(self, value: float, attributes: Attributes) -> None:  # noqa: ARG002 - see above
        """Leave *value* out: it may have been counted."""
        late.lost("no_id")

    def direct(self, attributes: Attributes) -> None:
        """Return nothing: there is no way around the ids."""

    def bind(self, meter: Meter | None) -> None:
        """Make OpenTelemetry's instrument on *meter*, or forget it and what was counted."""
        self.forget_counted()
        super().bind(meter)

    def forget_counted(self) -> None:
        """Forget what was counted."""
        self._once.clear()

    def _record_once(self, value: float, attributes: Attributes, *ids: object) -> None:
        try:
            labels = late.clean(attributes)
            key = (tuple(labels), *map(late.identity, (*labels.values(), *ids)))
        except late.Unfit:  # an event is never lost for want of an id; it may count again
            late.lost("no_id")
        except Exception:
            late.failed("tell whether a thing was counted")
        else:
            try:
                value = self._number(value)
            except late.Unfit as unfit:
                late.lost(unfit.reason)
                return
            if not self._once.first(key):
                return
        self._record(value, attributes)


class UpDownCounter(Instrument):
    """A sum that grows and shrinks."""

    __slots__ = ()

    def bound(self, attributes: Attributes) -> BoundCounter:
        """Return this instrument for one set of attributes, by their full keys."""
        from telewright._bound import BoundCounter

        return self.keep(BoundCounter(self, attributes))

    def _make(self, meter: Meter) -> Callable[[float, Attributes], None]:
        return meter.create_up_down_counter(self.name, self.unit, self.brief).add


class Gauge(Instrument):
    """The value of something, as last set."""

    __slots__ = ()

    def bound(self, attributes: Attributes) -> BoundGauge:
        """Return this instrument for one set of attributes, by their full keys."""
        from telewright._bound import BoundGauge

        return self.keep(BoundGauge(self, attributes))

    def _make(self, meter: Meter) -> Callable[[float, Attributes], None]:
        return meter.create_gauge(self.name, self.unit, self.brief).set


class Histogram(Instrument):
    """A distribution of measured values."""

    __slots__ = ("boundaries",)

    def __init__(  # noqa: PLR0913 - what a spec may say of an instrument
        self,
        registry: Registry,
        name: str,
        *,
        unit: str,
        brief: str,
        boundaries: Sequence[float] | None = None,
        writer: str | None = None,
        max_series: int | None = None,
        overflow: str = OTHER,
        integer: bool = False,
        members: bool = False,
    ) -> None:
        self.boundaries: Final = boundaries
        super().__init__(
            registry,
            name,
            unit=unit,
            brief=brief,
            writer=writer,
            max_series=max_series,
            overflow=overflow,
            integer=integer,
            members=members,
        )

    @property
    def accepts(self) -> tuple[type, float, float, Callable[[object], float]]:
        """The same, and nothing below zero: OpenTelemetry takes none."""
        kind, _, most = self._fit
        return kind, kind(), most, self._number

    def bound(self, attributes: Attributes) -> BoundHistogram:
        """Return this instrument for one set of attributes, by their full keys."""
        from telewright._bound import BoundHistogram

        return self.keep(BoundHistogram(self, attributes))

    def _make(self, meter: Meter) -> Callable[[float, Attributes], None]:
        return meter.create_histogram(
            self.name, self.unit, self.brief, explicit_bucket_boundaries_advisory=self.boundaries
        ).record

    def elapsed(self, nanoseconds: int, attributes: Attributes) -> None:
        """Record a duration in the unit of this histogram."""
        self._record(nanoseconds / _PER.get(self.unit, 1e9), attributes)
