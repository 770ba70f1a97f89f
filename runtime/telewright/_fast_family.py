"""All series of one instrument, and where each of its measurements goes."""

from __future__ import annotations

from time import time_ns

from opentelemetry.sdk.metrics.export import Metric  # noqa: TID251 - started processes only

from telewright._bound import BoundAnew
from telewright._fast_beyond import Beyond
from telewright._guard import LOCK
from telewright._series import key_of
from telewright._values import number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, MutableMapping
    from typing import Any, Final, TypeAlias

    from telewright._fast_cells import Cell
    from telewright._instrument import Instrument

    Accepts: TypeAlias = tuple[type, float, float, Callable[[object], float]]

_MOST_SERIES: Final = 2000
"""Series of one instrument that the SDK keeps apart; the rest is one that says so."""

_ANYTHING: Final[Accepts] = (float, float("-inf"), float("inf"), number)
_OVERFLOW: Final = {"otel.metric.overflow": True}


class Family:
    """The series of one instrument.

    Attributes:
        accepts: The type, the least and the most of values, and what makes a value of others.
        delta: Whether each interval stands for itself.
        collected: When it was last collected, if each interval stands for itself; else 0.
        boundaries: The upper ends of a histogram's buckets.
        exemplars: Whether data points name spans that they were recorded in.
        over: Whether it takes nothing any more.
    """

    def __init__(  # noqa: PLR0913 - what an instrument is
        self,
        kind: type[Cell],
        name: str,
        unit: str,
        brief: str,
        *,
        data: Callable[[list[Any]], Any],
        delta: bool,
        exemplars: bool,
        boundaries: tuple[float, ...] = (),
        known: MutableMapping[object, Cell] | None = None,
    ) -> None:
        self._kind: Final = kind
        self._name: Final = name
        self._unit: Final = unit
        self._brief: Final = brief
        self._data: Final = data
        self.delta: Final = delta
        self.boundaries: Final = boundaries
        self.exemplars: Final = exemplars
        self.collected = 0
        self.over = False
        self.accepts = _ANYTHING
        self._instrument: Instrument | None = None
        self._known: Final[MutableMapping[object, Cell]] = {} if known is None else known
        self._cells: dict[object, Cell] = {}
        self._takes: dict[object, Callable[[Any], None]] = {}
        self._begun = 0
        self._used = False
        self._rest: Cell | None = None

    def obey(self, instrument: Instrument) -> None:
        """Hold values against what is declared for *instrument*."""
        self.accepts = instrument.accepts
        self._instrument = instrument

    def send(self, value: float, attributes: Mapping[str, Any]) -> None:
        """Record *value* in the series of *attributes*, which are fit."""
        try:
            take = self._takes[*attributes.items(),]
        except (KeyError, TypeError):  # TypeError: a list has no hash
            take = self.cell(attributes).take
            if all(isinstance(value, str) for value in attributes.values()):  # 1, 1.0, True: equal
                if len(self._takes) > 2 * _MOST_SERIES:
                    self._takes = {}
                self._takes[*attributes.items(),] = take
        take(value)

    def cell(self, attributes: Mapping[str, Any]) -> Cell | Beyond:
        """Return the series of *attributes*, or the one of all that there is no room for."""
        key = key_of(attributes)
        with LOCK:
            found = self._cells.get(key)
            if found is None:
                if len(self._cells) >= _MOST_SERIES and self._begun < _MOST_SERIES:
                    self._forget(list(self._cells.values()))
                if len(self._cells) >= _MOST_SERIES:
                    return Beyond(self._overflow(), attributes)
                found = self._known.get(key)
                if found is None or not found.join(self):
                    made = self._kind(self, key, dict(attributes))
                    found = self._cells.get(key)  # a handler may have come in between
                    if found is None:
                        found = self._known[key] = made
                self._cells[key] = found
            return found

    def begin(self, cell: Cell) -> Cell | Beyond | BoundAnew:
        """Return what takes what *cell* would be the first to hold in an interval.

        It is open when others may see that it is active: what is open is collected, and what is
        active is not forgotten.
        """
        with LOCK:
            if self.over and self._instrument is not None:
                return BoundAnew(self._instrument, cell.attributes)
            if cell is not self._rest:
                cell = self._cells.get(cell.key, cell)  # it was idle, forgotten, and replaced
            if not cell.active:
                if cell is not self._rest:
                    if self._begun >= _MOST_SERIES:
                        return Beyond(self._overflow(), cell.attributes)
                    self._begun += 1
                    self._cells[cell.key] = cell
                cell.active = self._used = True
                cell.start = time_ns()
            cell.open()
            return cell

    def _overflow(self) -> Cell:
        if self._rest is None:
            self._rest = self._kind(self, None, _OVERFLOW)
        return self._rest

    def collect(self, now: int) -> Metric | None:
        """Return what was recorded, as the SDK would."""
        with LOCK:
            cells = list(self._cells.values())
            if self._rest is not None:
                cells.append(self._rest)
            if self.delta:
                self._begun = 0
                for cell in cells:
                    cell.active = False
        points: list[Any] = []
        idle: list[Cell] = []
        for cell in cells:
            point = cell.collect(now)
            if point is None:
                idle.append(cell)
            else:
                points.append(point)
        if self.delta and self._used:
            self.collected = now
            self._forget(idle)
        if not points:
            return None
        return Metric(self._name, self._brief, self._unit, self._data(points))

    def end(self, *, forked: bool) -> None:
        """Take nothing any more; whoever has kept a verb is led to where the instrument leads."""
        with LOCK:
            self.over = True
            cells, self._cells = list(self._cells.values()), {}
            rest, self._rest = self._rest, None
        instrument = self._instrument
        if instrument is not None and instrument.send == self.send:  # no registry has it any more
            instrument.bind(None)
        for cell in cells if rest is None else [*cells, rest]:
            cell.disown() if forked else cell.shut()

    def _forget(self, idle: list[Cell]) -> None:
        """Make room; what is recorded in one of these after all comes back by `begin`."""
        if not self._kind.forgettable:
            return
        with LOCK:
            for cell in idle:
                if not cell.active and self._cells.get(cell.key) is cell:
                    del self._cells[cell.key]
            self._takes = {}
