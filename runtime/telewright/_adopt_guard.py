"""Our guard before the exporters of somebody else, so that what they record is judged as well.

Exporters are found from the providers down, through whatever wraps them. Each gets an `export` of
its own that judges first; taking it away again leaves the exporter as it was. So does each provider
get a way to add processors that puts the guard before what is added.
"""

from __future__ import annotations

from opentelemetry import metrics, trace
from opentelemetry._logs import LoggerProvider
from opentelemetry.sdk._logs import LogRecordProcessor  # noqa: TID251 - somebody has it running
from opentelemetry.sdk._logs.export import (  # noqa: TID251 - see above
    LogRecordExporter,
    LogRecordExportResult,
)
from opentelemetry.sdk.metrics.export import MetricReader  # noqa: TID251 - see above
from opentelemetry.sdk.resources import Resource  # noqa: TID251 - see above
from opentelemetry.sdk.trace import SpanProcessor  # noqa: TID251 - see above
from opentelemetry.sdk.trace.export import (  # noqa: TID251 - see above
    SpanExporter,
    SpanExportResult,
)

from telewright import _relay
from telewright._adopt_walk import Signal, Walk, name_of
from telewright._guard import failed, say
from telewright._guard_export import ExportGuard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final

    from opentelemetry.util.types import AttributeValue

_MOST_RESOURCES: Final = 64
_ABSENT: Final = object()

_SPANS: Final = Signal(
    SpanExporter, "export", trace.TracerProvider, SpanProcessor, "on_end", "add_span_processor"
)
_POINTS: Final = Signal(
    MetricReader,
    "_receive_metrics",
    metrics.MeterProvider,
    MetricReader,
    "_receive_metrics",
    "add_metric_reader",
)
_LOGS: Final = Signal(
    LogRecordExporter,
    "export",
    LoggerProvider,
    LogRecordProcessor,
    "on_emit",
    "add_log_record_processor",
)


class ForeignGuard(ExportGuard):
    """Judges what is somebody else's, resources too: ours are judged when they are made."""

    def __init__(self) -> None:
        super().__init__()
        self._judged: Final[dict[int, tuple[Resource, Resource]]] = {}

    def attributes(
        self,
        attributes: Mapping[str, Any],
        scope: str,  # noqa: ARG002 - what others add to our spans is declared nowhere
        *,
        metric: bool = False,
        where: str = "attribute",
    ) -> dict[str, AttributeValue]:
        """Return what of *attributes* may leave; ours were held against the specs before."""
        return super().attributes(attributes, "", metric=metric, where=where)

    def resource(self, resource: Any) -> Any:  # noqa: ANN401 - the SDK's class
        """Return *resource* as it may leave."""
        if resource is None:
            return None
        known = self._judged.get(id(resource))
        if known is None or known[0] is not resource:
            kept = self.attributes(resource.attributes, "", where="resource")
            known = resource, Resource(kept, resource.schema_url)
            if len(self._judged) < _MOST_RESOURCES:
                self._judged[id(resource)] = known
        return known[1]


class _Placed:
    """One method of one object, with ours in front of it until that is taken away."""

    def __init__(self, owner: Any, name: str, made: Callable[[Any], Any]) -> None:  # noqa: ANN401 - somebody else's
        self.owner: Final = owner
        self.name: Final = name
        self._on = True
        own: dict[str, Any] = owner.__dict__
        self._before: Final[Any] = own.get(name, _ABSENT)
        theirs = getattr(owner, name)
        ours = made(theirs)

        def placed(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - handed on
            return (ours if self._on else theirs)(*args, **kwargs)

        self._placed: Final = placed
        setattr(owner, name, placed)
        if getattr(owner, name) is not placed:
            raise AttributeError(name)

    def remove(self) -> None:
        """Take ours away; where somebody has put another one over it, it does nothing any more."""
        self._on = False
        own: dict[str, Any] = self.owner.__dict__
        if own.get(self.name) is not self._placed:
            return
        if self._before is _ABSENT:
            delattr(self.owner, self.name)
        else:
            setattr(self.owner, self.name, self._before)


def _exporting(judge: Callable[[Any], list[Any]], success: object) -> Callable[[Any], Any]:
    """Return what puts *judge* before an `export`."""

    def made(export: Any) -> Any:  # noqa: ANN401 - a method of theirs
        def judged(items: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - handed on
            fit = judge(items)
            return export(fit, *args, **kwargs) if fit or not items else success

        return judged

    return made


def _receiving(guard: ForeignGuard) -> Callable[[Any], Any]:
    """Return what puts *guard* before what a reader does with its metrics."""

    def made(receive: Any) -> Any:  # noqa: ANN401 - a method of theirs
        def judged(data: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - handed on
            try:
                fit = None if data is None else guard.metrics(data)
            except Exception:  # what could not be judged does not leave
                failed("guard metrics")
                return None
            return receive(fit, *args, **kwargs)

        return judged

    return made


class _Guarding:
    """The guard and all that it stands before, from `place` to `remove`."""

    def __init__(self) -> None:
        guard = ForeignGuard()
        self._made: Final = {
            _SPANS: _exporting(guard.spans, SpanExportResult.SUCCESS),
            _POINTS: _receiving(guard),
            _LOGS: _exporting(guard.logs, LogRecordExportResult.SUCCESS),
        }
        self._placed: Final[list[_Placed]] = []
        self._added: Final[list[object]] = []
        self._over = False

    def place(self) -> list[str]:
        """Put the guard before all that is not ours, and return what it cannot be put before."""
        hidden: list[str] = []
        for provider, signal in (
            (_relay.foreign_tracer_provider(), _SPANS),
            (_relay.foreign_meter_provider(), _POINTS),
            (_relay.foreign_logger_provider(), _LOGS),
        ):
            if provider is not None:
                hidden += self._before(provider, signal)
        return hidden

    def _before(self, one: object, signal: Signal) -> list[str]:
        """Put the guard before what exports below *one*, and what is added there from now on."""
        walk = Walk(signal)
        walk.visit(one)
        for sink in walk.found:
            if not self._put(sink, signal.judged, self._made[signal]):
                walk.hidden.append(name_of(sink))
        for door in walk.doors:
            if not self._put(door, signal.adds, self._adding(signal)):
                walk.hidden.append(f"what is added to {name_of(door)}")
        return walk.hidden

    def _put(self, owner: object, name: str, made: Callable[[Any], Any]) -> bool:
        if not any(one.owner is owner and one.name == name for one in self._placed):
            try:
                self._placed.append(_Placed(owner, name, made))
            except Exception:  # it has no place for a method of its own, or raises
                return False
        return True

    def _adding(self, signal: Signal) -> Callable[[Any], Any]:
        """Return what puts the guard before whatever is added to a provider."""

        def made(add: Any) -> Any:  # noqa: ANN401 - a method of theirs
            def guarded(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - handed on
                try:
                    for one in (*args, *kwargs.values()):
                        if not any(one is known for known in self._added):
                            self._added.append(one)  # a provider adds it to its list in turn
                            _tell(self._before(one, signal))
                    if self._over:  # since then, on another thread
                        self.remove()
                except Exception:
                    failed("guard what is added to somebody else's provider")
                return add(*args, **kwargs)

            return guarded

        return made

    def remove(self) -> None:
        """Take the guard away."""
        self._over = True
        while self._placed:
            try:
                self._placed.pop().remove()
            except Exception:
                failed("take the guard away")


_NOW: Final[list[_Guarding]] = []


def _tell(hidden: list[str]) -> None:
    for name in hidden:
        say(f"the guard cannot be put before {name}: what it exports is not judged")


def check() -> None:
    """Raise if there is something that the guard cannot be put before: it is tried.

    Raises:
        RuntimeError: If there is; it says what.
    """
    trial = _Guarding()
    try:
        hidden = trial.place()
    finally:
        trial.remove()
    if hidden:
        raise RuntimeError(f"the guard cannot be put before {'; '.join(sorted(hidden))}")


def place() -> None:
    """Put the guard before every exporter that is not ours, and say what could not be reached."""
    if not _NOW:
        _NOW.append(_Guarding())
    _tell(_NOW[0].place())


def remove() -> None:
    """Take the guard away."""
    while _NOW:
        _NOW.pop().remove()
