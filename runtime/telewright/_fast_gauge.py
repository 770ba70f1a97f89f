"""The cells of gauges in the fast tier: one value each, judged when it is set."""

from __future__ import annotations

from opentelemetry.sdk.metrics.export import NumberDataPoint  # noqa: TID251 - started processes only

from telewright._fast_cells import Cell
from telewright._guard import LOCK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from telewright._fast_family import Family

_EXACT: Final = 2**53
"""Whole numbers up to here can be told apart as fractions."""


class GaugeCell(Cell):
    """A series of a gauge.

    What it holds is in a list of one, which has none while the cell is shut: putting a value there
    and taking it away are one operation each, also where threads run at once.
    """

    __slots__ = ("_held", "take")

    take: Callable[[float], None]

    forgettable = False

    def __init__(self, family: Family, key: object, attributes: Mapping[str, Any]) -> None:
        super().__init__(family, key, attributes)
        self._held: Final[list[float | None]] = []
        self.take = self._taker()
        self.shut()

    def _taker(self) -> Callable[[float], None]:
        """Return what sets a value, if it is one; the names of a function are found fastest."""
        kind, least, most, held = self._kind, self._least, self._most, self._held
        take_other, begin = self._take_other, self._begin

        def take(value: float) -> None:
            if type(value) is kind and least <= value <= most:
                try:
                    held[0] = value
                except IndexError:
                    begin(value)
            else:
                take_other(value)

        return take

    def _begin(self, value: Any) -> None:  # noqa: ANN401 - anything may come
        self._family.begin(self).take(value)

    def _take_other(self, value: Any) -> None:  # noqa: ANN401 - anything may come
        """Set what is not as it should be, as what it comes to; the value itself is not kept."""
        if type(value) is int and self._kind is float and -_EXACT <= value <= _EXACT:
            fit: float | None = float(value)
        elif self._family.over and not self._held:
            self._begin(value)  # somebody else judges it, or nobody
            return
        else:
            fit = self._fitted(value)
        if fit is None:
            return
        try:
            self._held[0] = fit
        except IndexError:
            self._begin(fit)

    def open(self) -> None:
        """Be ready to be set."""
        if not self._held:
            self._held.append(None)

    def shut(self) -> None:
        """Hold nothing, and have whoever brings a value ask the family."""
        super().shut()
        self._held.clear()

    def collect(self, now: int) -> NumberDataPoint | None:
        """Return the value that was set last, in this interval if each stands for itself."""
        with LOCK:
            try:
                last = self._held.pop() if self._family.delta else self._held[0]
            except IndexError:
                return None
            if not self._family.over:  # else it is about to be shut, if it is not
                self.open()
        if last is None:
            return None
        return NumberDataPoint(
            attributes=self.attributes,
            start_time_unix_nano=None,  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] - as the SDK does
            time_unix_nano=now,
            value=last,
        )
