"""The cells of gauges in the fast tier: nothing of ours runs when one is set."""

from __future__ import annotations

from collections import deque
from functools import partial

from opentelemetry.sdk.metrics.export import NumberDataPoint  # noqa: TID251 - started processes only

from telewright._books import THREADS_RUN_AT_ONCE
from telewright._fast_cells import Cell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from telewright._fast_family import Family

REMEMBERED: Final = 16
"""Values of a gauge that wait until it is collected; the last of them that is fit counts."""


class _Lead:
    """What `partial` does, where one thread may change it while another calls it."""

    __slots__ = ("_to",)

    def __init__(self, to: Callable[[Any], None]) -> None:
        self._to = to

    def __call__(self, value: object) -> None:
        self._to(value)

    def __setstate__(self, state: tuple[Callable[[Any], None], object, object, object]) -> None:
        self._to = state[0]


_LEAD: Final[Any] = _Lead if THREADS_RUN_AT_ONCE else partial


class GaugeCell(Cell):
    """A series of a gauge: setting it is a call of C, and its values are judged when collected.

    Nothing of ours runs for that, so what is called is led elsewhere when the cell is shut.
    """

    __slots__ = ("_last", "_values", "take")

    take: Any

    forgettable = False

    def __init__(self, family: Family, key: object, attributes: Mapping[str, Any]) -> None:
        super().__init__(family, key, attributes)
        self._values: deque[Any] = deque(maxlen=REMEMBERED)
        self.take = _LEAD(self._ask)
        self.shut()

    def _lead(self, to: Callable[[Any], None]) -> None:
        self.take.__setstate__((to, (), {}, None))

    def _ask(self, value: Any) -> None:  # noqa: ANN401 - anything may come
        self._family.begin(self).take(value)

    def open(self) -> None:
        """Be ready to be set."""
        self._lead(self._values.append)

    def shut(self) -> None:
        """Hold nothing, and have whoever brings a value ask the family."""
        super().shut()
        self._lead(self._ask)
        self._values.clear()
        self._last: float | None = None

    def collect(self, now: int) -> NumberDataPoint | None:
        """Return the last value that is fit."""
        last = None
        for _ in range(2 * REMEMBERED):
            try:
                given = self._values.popleft()
            except IndexError:
                break
            fit = self._fitted(given)
            last = last if fit is None else fit
        if not self._family.delta:
            last = self._last = self._last if last is None else last
        if last is None:
            return None
        return NumberDataPoint(
            attributes=self.attributes,
            start_time_unix_nano=None,  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] - as the SDK does
            time_unix_nano=now,
            value=last,
        )
