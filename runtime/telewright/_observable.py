"""Instruments that are read whenever metrics are exported."""

from __future__ import annotations

from types import BuiltinMethodType, MethodType, MethodWrapperType

from telewright import _late as late
from telewright._enum import OTHER
from telewright._group import READING
from telewright._guard import failed, is_for_the_application, lost
from telewright._instrument import Instrument, ignore
from telewright._values import Unfit, clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final, TypeAlias, TypeVar

    from opentelemetry.metrics import CallbackOptions, Meter
    from opentelemetry.metrics import Observation as OtelObservation

    from telewright._group import Registry
    from telewright._instrument import Attributes
    from telewright._rises import Reading, Rises
    from telewright._source import Source as PageSource

    Point: TypeAlias = tuple[float, Attributes]
    """One reading of an observable instrument; made by its ``point``."""
    Source = TypeVar("Source", bound=Callable[[], Iterable[Point]])


_MOST_POINTS: Final = 65_536
"""Points of one source that are read at once; a source may go on for ever."""

_MOST_BAD: Final = 64
"""What is no point, and does not yet end the reading of its source."""


def _is(one: object, other: object) -> bool:
    """Say whether two sources are one, or the same method of the same object, looked up twice."""
    if one is other:
        return True
    if type(one) is MethodType and type(other) is MethodType:
        return one.__self__ is other.__self__ and one.__func__ is other.__func__
    in_c = type(one) is BuiltinMethodType or type(one) is MethodWrapperType
    return in_c and type(one) is type(other) and one == other  # of those, nothing else is asked


class Observable(Instrument):
    """An instrument with sources that are read at every export."""

    __slots__ = ("_sources", "source")

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
        source: PageSource | None = None,
    ) -> None:
        self._sources: Final[list[Callable[[], Iterable[Point]]]] = []
        self.source: Final = source
        """The page that it is read from, if a spec says so."""
        super().__init__(
            registry,
            name,
            unit=unit,
            brief=brief,
            writer=writer,
            max_series=max_series,
            overflow=overflow,
            integer=integer,
        )

    def observe(self, source: Source) -> Source:
        """Read *source* at every export from now on, once. Also a decorator."""
        if not any(_is(one, source) for one in self._sources):
            self._sources.append(source)
        return source

    def forget(self, source: Callable[[], Iterable[Point]]) -> None:
        """Read *source* no more."""
        self._sources[:] = [one for one in self._sources if not _is(one, source)]

    def begin_window(self) -> None:
        """Have sums that are read from pages begin at zero again: a step begins."""
        for source in list(self._sources):
            begin = getattr(source, "begin_window", None)
            if begin is not None:
                begin()

    def bind(self, meter: Meter | None) -> None:
        """Make OpenTelemetry's instrument on *meter*, or forget it.

        The series stay known until then: they are read a last time after the gates are shut.
        """
        if meter is not None:
            self.forget_series()
        self.send = ignore if meter is None else self._make(meter)

    def _collect(self, _options: CallbackOptions) -> list[OtelObservation]:
        points: list[Reading] = []
        for source in list(self._sources) if READING.on else ():
            bad = 0
            try:
                for _, point in zip(range(_MOST_POINTS), source(), strict=False):
                    bad += not self._observe(points, id(source), point)
                    if bad > _MOST_BAD:
                        break
            except BaseException as error:  # a cancelled future's too: whatever its source raises
                if is_for_the_application(error):
                    raise
                failed("read an observable instrument")
        return self._told(points)

    def _observe(self, points: list[Reading], source: int, point: Point) -> bool:
        """Add what *point* comes to, and say whether it is one at all."""
        try:
            points.append((source, {**clean(point[1])}, self._number(point[0])))
        except Unfit as unfit:
            lost(unfit.reason)
        except Exception:  # a source may return anything
            failed("read an observable instrument")
            return False
        return True

    def _told(self, points: list[Reading]) -> list[OtelObservation]:
        """Return what is to be exported of *points*."""
        return [late.Observation(value, self._admitted(labels)) for _, labels, value in points]

    def _admitted(self, labels: Attributes) -> Attributes:
        return labels if self._series is None else self._series.admit(labels)


class ObservableCounter(Observable):
    """A total kept elsewhere, read whenever metrics are exported.

    What it has risen by is added up: one that falls, since it began anew, counts nothing until it
    is read again.
    """

    __slots__ = ("_rises",)

    grows = True

    def bind(self, meter: Meter | None) -> None:
        """Make OpenTelemetry's instrument on *meter*, or forget it."""
        if meter is not None:
            from telewright._rises import Rises

            self._rises = Rises()
        super().bind(meter)

    def forget(self, source: Callable[[], Iterable[Point]]) -> None:
        """Read *source* no more; who tells of its series from now on goes on where it ended."""
        gone = [id(one) for one in self._sources if _is(one, source)]
        super().forget(source)
        rises: Rises | None = getattr(self, "_rises", None)  # none before the first start
        if rises is not None:
            for one in gone:
                rises.leave(one)

    def _told(self, points: list[Reading]) -> list[OtelObservation]:
        return self._rises.told(points, self._admitted, self._read)

    def _read(self) -> set[int]:
        return set(map(id, self._sources))

    def _make(self, meter: Meter) -> Callable[[float, Attributes], None]:
        meter.create_observable_counter(self.name, [self._collect], self.unit, self.brief)
        return ignore


class ObservableUpDownCounter(Observable):
    """A sum kept elsewhere that grows and shrinks, read whenever metrics are exported."""

    __slots__ = ()

    def _make(self, meter: Meter) -> Callable[[float, Attributes], None]:
        meter.create_observable_up_down_counter(self.name, [self._collect], self.unit, self.brief)
        return ignore


class ObservableGauge(Observable):
    """The value of something, read whenever metrics are exported."""

    __slots__ = ()

    def _make(self, meter: Meter) -> Callable[[float, Attributes], None]:
        meter.create_observable_gauge(self.name, [self._collect], self.unit, self.brief)
        return ignore
