"""A backend that records metrics in memory, on OpenTelemetry's API alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from opentelemetry.metrics import CallbackOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, Final

    from opentelemetry.metrics import Observation
    from opentelemetry.util.types import AttributeValue

    Key = tuple[tuple[str, object], ...]


@dataclass(slots=True)
class Series:
    """One instrument under one set of attributes."""

    attributes: dict[str, AttributeValue]
    values: list[float] = field(default_factory=list[float])


class Recorder:
    """An instrument of any kind: keeps every value it is given, by attributes."""

    def __init__(self, scope: str, name: str, kind: str, unit: str) -> None:
        self.scope: Final = scope
        self.name: Final = name
        self.kind: Final = kind
        self.unit: Final = unit
        self.callbacks: Sequence[Callable[[CallbackOptions], Iterable[Observation]]] = ()
        self._series: Final[dict[Key, Series]] = {}

    def record(self, value: float, attributes: Mapping[str, AttributeValue]) -> None:
        """Keep *value*."""
        key = tuple(sorted((name, repr(item)) for name, item in attributes.items()))
        self._series.setdefault(key, Series(dict(attributes))).values.append(value)

    add = set = record

    def read(self) -> list[Series]:
        """Return what was recorded, and what an observable instrument says now."""
        if self.callbacks:
            self._series.clear()
        for callback in self.callbacks:
            for observation in callback(CallbackOptions()):
                self.record(observation.value, observation.attributes or {})
        return list(self._series.values())


class RecordingMeter:
    """Makes recorders. It has the methods of `opentelemetry.metrics.Meter` that helpers call."""

    def __init__(self, scope: str, recorders: list[Recorder]) -> None:
        self._scope: Final = scope
        self._recorders: Final = recorders

    def _make(self, kind: str, name: str, unit: str) -> Recorder:
        recorder = Recorder(self._scope, name, kind, unit)
        self._recorders.append(recorder)
        return recorder

    def create_counter(self, name: str, unit: str = "", description: str = "") -> Recorder:
        """Make a counter."""
        del description
        return self._make("counter", name, unit)

    def create_up_down_counter(self, name: str, unit: str = "", description: str = "") -> Recorder:
        """Make an up-down counter."""
        del description
        return self._make("up_down_counter", name, unit)

    def create_gauge(self, name: str, unit: str = "", description: str = "") -> Recorder:
        """Make a gauge."""
        del description
        return self._make("gauge", name, unit)

    def create_histogram(
        self,
        name: str,
        unit: str = "",
        description: str = "",
        *,
        explicit_bucket_boundaries_advisory: Sequence[float] | None = None,
    ) -> Recorder:
        """Make a histogram."""
        del description, explicit_bucket_boundaries_advisory
        return self._make("histogram", name, unit)

    def _observable(self, kind: str, name: str, callbacks: Any, unit: str) -> Recorder:  # noqa: ANN401 - OpenTelemetry's type
        recorder = self._make(kind, name, unit)
        recorder.callbacks = callbacks
        return recorder

    def create_observable_counter(
        self,
        name: str,
        callbacks: Any,  # noqa: ANN401 - OpenTelemetry's type
        unit: str = "",
        description: str = "",
    ) -> Recorder:
        """Make an observable counter."""
        del description
        return self._observable("counter", name, callbacks, unit)

    def create_observable_up_down_counter(
        self,
        name: str,
        callbacks: Any,  # noqa: ANN401 - OpenTelemetry's type
        unit: str = "",
        description: str = "",
    ) -> Recorder:
        """Make an observable up-down counter."""
        del description
        return self._observable("up_down_counter", name, callbacks, unit)

    def create_observable_gauge(
        self,
        name: str,
        callbacks: Any,  # noqa: ANN401 - OpenTelemetry's type
        unit: str = "",
        description: str = "",
    ) -> Recorder:
        """Make an observable gauge."""
        del description
        return self._observable("gauge", name, callbacks, unit)
