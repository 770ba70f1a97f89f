"""Metrics through a provider that somebody else has installed, judged before it sees them."""

from __future__ import annotations

from opentelemetry.metrics import Observation

from telewright._values import exact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Final

    from opentelemetry.metrics import CallbackOptions, Meter

    from telewright._guard_export import ExportGuard
    from telewright._instrument import Attributes

    Callback = Callable[[CallbackOptions], Iterable[Observation]]
    Send = Callable[[float, Attributes], None]

_MOST_REMEMBERED: Final = 4096
"""Label sets of which one instrument knows what may leave."""


class _Judged:
    """Labels as they may leave, each set judged once."""

    def __init__(self, scope: str, guard: ExportGuard) -> None:
        self._scope: Final = scope
        self._guard: Final = guard
        self._known: dict[tuple[object, ...], Attributes] = {}

    def labels(self, attributes: Attributes) -> Attributes:
        """Return what of *attributes*, which are clean, may leave."""
        try:
            values = attributes.values()
            key = (*attributes, *values, *map(type, values))  # 1, 1.0 and True are equal
            known = self._known.get(key)
        except TypeError:  # a list among the values
            return self._judge(attributes)
        if known is None:
            known = self._judge(attributes)
            if len(self._known) < _MOST_REMEMBERED:
                self._known[key] = known
        return known

    def _judge(self, attributes: Attributes) -> Attributes:
        """Return what may leave in exact types: the SDK has series of their own for others."""
        judged = self._guard.attributes(attributes, self._scope, metric=True)
        return {key: exact(value) for key, value in judged.items()}


class _HandedInstrument:
    """An instrument of somebody else's meter, behind our guard."""

    def __init__(self, send: Send, judged: _Judged) -> None:
        self._send: Final = send
        self._judged: Final = judged

    def add(self, value: float, attributes: Attributes) -> None:
        """Hand a value on, with what of *attributes* may leave."""
        self._send(value, self._judged.labels(attributes))

    record = set = add


class HandedMeter:
    """A meter of somebody else's provider, behind our guard: as much of one as we use."""

    def __init__(self, meter: Meter, scope: str, guard: ExportGuard) -> None:
        self._meter: Final = meter
        self._judged: Final = _Judged(scope, guard)

    def create_counter(self, name: str, unit: str, brief: str) -> _HandedInstrument:
        """Make a counter of theirs."""
        return self._handed(self._meter.create_counter(name, unit, brief).add)

    def create_up_down_counter(self, name: str, unit: str, brief: str) -> _HandedInstrument:
        """Make an up-down counter of theirs."""
        return self._handed(self._meter.create_up_down_counter(name, unit, brief).add)

    def create_gauge(self, name: str, unit: str, brief: str) -> _HandedInstrument:
        """Make a gauge of theirs."""
        return self._handed(self._meter.create_gauge(name, unit, brief).set)

    def create_histogram(
        self,
        name: str,
        unit: str,
        brief: str,
        *,
        explicit_bucket_boundaries_advisory: Sequence[float] | None = None,
    ) -> _HandedInstrument:
        """Make a histogram of theirs."""
        boundaries = explicit_bucket_boundaries_advisory
        made = self._meter.create_histogram(
            name, unit, brief, explicit_bucket_boundaries_advisory=boundaries
        )
        return self._handed(made.record)

    def create_observable_counter(
        self, name: str, callbacks: Sequence[Callback], unit: str, brief: str
    ) -> None:
        """Make an observable counter of theirs."""
        self._meter.create_observable_counter(name, self._behind(callbacks), unit, brief)

    def create_observable_up_down_counter(
        self, name: str, callbacks: Sequence[Callback], unit: str, brief: str
    ) -> None:
        """Make an observable up-down counter of theirs."""
        self._meter.create_observable_up_down_counter(name, self._behind(callbacks), unit, brief)

    def create_observable_gauge(
        self, name: str, callbacks: Sequence[Callback], unit: str, brief: str
    ) -> None:
        """Make an observable gauge of theirs."""
        self._meter.create_observable_gauge(name, self._behind(callbacks), unit, brief)

    def _handed(self, send: Any) -> _HandedInstrument:  # noqa: ANN401 - a method of theirs
        return _HandedInstrument(send, self._judged)

    def _behind(self, callbacks: Sequence[Callback]) -> list[Callback]:
        def judged(callback: Callback) -> Callback:
            def observe(options: CallbackOptions) -> list[Observation]:
                return [
                    Observation(one.value, self._judged.labels(one.attributes or {}))
                    for one in callback(options)
                ]

            return observe

        return [judged(callback) for callback in callbacks]
