"""Instruments that are read whenever metrics are exported."""

from __future__ import annotations

from contextvars import copy_context
from time import monotonic
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
    from collections.abc import Set as AbstractSet
    from typing import Final, TypeAlias, TypeVar

    from opentelemetry.metrics import CallbackOptions, Meter
    from opentelemetry.metrics import Observation as OtelObservation

    from telewright._aside import Aside
    from telewright._group import Registry
    from telewright._instrument import Attributes
    from telewright._rises import Reading, Rises
    from telewright._source import Source as PageSource

    Point: TypeAlias = tuple[float, Attributes]
    """One reading of an observable instrument; made by its ``point``."""
    Source = TypeVar("Source", bound=Callable[[], Iterable[Point]])
    Read: TypeAlias = tuple[list[Reading], BaseException | None]
    """What one source said, and what it raised then."""

PATIENCE: Final = 1.0
"""Seconds that all sources of one instrument have together, each time they are read."""

DIRECT: Final[list[type]] = []
"""Kinds of sources that only look at memory of ours: they cannot hang, and get no thread."""

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

    __slots__ = ("_late", "_sources", "source")

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
        self._late: Final[dict[int, Aside[Read]]] = {}
        """By id of a source that took too long: its call, which keeps it alive meanwhile."""
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

    def inherit(self) -> None:
        """Begin anew in a forked child: what is no total is there what it is."""

    def _collect(self, _options: CallbackOptions) -> list[OtelObservation]:
        points: list[Reading] = []
        answered: set[int] = set()
        sources = self._punctual() if READING.on else []
        deadline = monotonic() + PATIENCE
        for source, call in [(source, self._begun(source)) for source in sources]:
            found, well = self._answer(source, call, deadline)
            points += found
            if well:
                answered.add(id(source))
        return self._told(points, answered)

    def _punctual(self) -> list[Callable[[], Iterable[Point]]]:
        """Return the sources, but for those that have been late and are not back yet."""
        for source, call in list(self._late.items()):
            if call.is_over:  # what it answered is not of now
                self._late.pop(source, None)
        return [source for source in list(self._sources) if id(source) not in self._late]

    def _begun(self, source: Callable[[], Iterable[Point]]) -> Aside[Read] | None:
        """Begin to read *source* aside; None if it is to be read where its answer is wanted."""
        from telewright._aside import Aside

        if any(type(source) is kind for kind in DIRECT):
            return None
        context = copy_context()
        try:
            return Aside(lambda: context.run(self._said_by, source))
        except RuntimeError:  # there are too many threads, or the interpreter ends
            return None

    def _answer(
        self, source: Callable[[], Iterable[Point]], call: Aside[Read] | None, deadline: float
    ) -> tuple[list[Reading], bool]:
        """Return what there is of *source* by *deadline*, and whether that is all."""
        from telewright._aside import Late
        from telewright._waiting import Thrown

        if call is None:
            return self._judged(*self._said_by(source))
        try:
            said = call.result(deadline - monotonic())
        except Late:
            self._late[id(source)] = call
            failed(f"read {self.name} in time")
            return [], False
        except Thrown as thrown:  # by a handler of the application, on its thread
            raised = thrown.error
        else:
            return self._judged(*said)
        raise raised

    def _judged(
        self, found: list[Reading], error: BaseException | None
    ) -> tuple[list[Reading], bool]:
        """Return what was *found*, and whether that is all: no *error* ended it."""
        if error is None:
            return found, True
        try:
            raise error  # noqa: TRY301 - so that it is what is handled
        except BaseException:  # a cancelled future's too: whatever its source raises
            if is_for_the_application(error):
                raise
            failed("read an observable instrument")
            return found, False
        finally:
            del error  # it knows this frame, which would keep both

    def _said_by(self, source: Callable[[], Iterable[Point]]) -> Read:
        points: list[Reading] = []
        bad = 0
        try:
            for _, point in zip(range(_MOST_POINTS), source(), strict=False):
                bad += not self._observe(points, id(source), point)
                if bad > _MOST_BAD:
                    break
        except BaseException as error:  # who asked for it judges it
            return points, error
        return points, None

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

    def _told(
        self,
        points: list[Reading],
        answered: AbstractSet[int],  # noqa: ARG002 - what totals are counted from
    ) -> list[OtelObservation]:
        """Return what is to be exported of *points*; some sources *answered* in full."""
        return [late.Observation(value, self._admitted(labels)) for _, labels, value in points]

    def _admitted(self, labels: Attributes) -> Attributes:
        return labels if self._series is None else self._series.admit(labels)


class ObservableCounter(Observable):
    """A total kept elsewhere, read whenever metrics are exported.

    What it has risen by is added up: one that falls, since it began anew, counts nothing until it
    is read again. What was counted in an earlier run of telemetry, or is the parent's of a forked
    child, is not counted again.
    """

    __slots__ = ("_rises",)

    grows = True

    def bind(self, meter: Meter | None) -> None:
        """Make OpenTelemetry's instrument on *meter*, or forget it."""
        if meter is not None:
            from telewright._rises import Rises

            if not hasattr(self, "_rises"):
                self._rises = Rises()
            self._rises.begin()
        super().bind(meter)

    def inherit(self) -> None:
        """Begin anew in a forked child: what its sources show by then is the parent's."""
        rises: Rises | None = getattr(self, "_rises", None)
        if rises is not None:
            rises.inherit(self._read())

    def forget(self, source: Callable[[], Iterable[Point]]) -> None:
        """Read *source* no more; who tells of its series from now on goes on where it ended."""
        gone = [id(one) for one in self._sources if _is(one, source)]
        super().forget(source)
        rises: Rises | None = getattr(self, "_rises", None)  # none before the first start
        if rises is not None:
            for one in gone:
                rises.leave(one)

    def _told(self, points: list[Reading], answered: AbstractSet[int]) -> list[OtelObservation]:
        return self._rises.told(points, self._admitted, self._read, answered)

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
