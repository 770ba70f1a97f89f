"""Our guard before the exporters of somebody else, so that what they record is judged as well.

Exporters are found from the providers down, through whatever wraps them. Each gets an `export` of
its own that judges first; taking it away again leaves the exporter as it was.
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
from telewright._guard import failed, say
from telewright._guard_export import ExportGuard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Final

    from opentelemetry.util.types import AttributeValue

_DEEPEST: Final = 12
_MOST_RESOURCES: Final = 64
_ABSENT: Final = object()


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


class _Walk:
    """Everything below one provider that exports, and every processor that hides how it does."""

    def __init__(self, sinks: type, *, through: tuple[type, ...], takes: str) -> None:
        self.found: Final[list[Any]] = []
        self.blind: Final[list[str]] = []
        self._sinks: Final = sinks
        self._through: Final = through
        self._takes: Final = takes
        self._seen: Final[dict[int, bool]] = {}

    def visit(self, one: object, depth: int = 0) -> bool:
        """Say whether *one* leads to what exports, and remember all of that."""
        if id(one) in self._seen:
            return self._seen[id(one)]
        self._seen[id(one)] = True  # whoever holds itself is asked once
        if isinstance(one, self._sinks):
            self.found.append(one)
            return True
        parts = [part for part in _parts(one) if self._leads(part)] if depth < _DEEPEST else []
        led = [self.visit(part, depth + 1) for part in parts]
        reached = any(led)
        passes_on = any(isinstance(part, self._through[0]) for part in parts)
        if not (reached or passes_on) and isinstance(one, self._through[0]) and self._acts(one):
            self.blind.append(type(one).__qualname__)
        self._seen[id(one)] = reached
        return reached

    def _leads(self, part: object) -> bool:
        return isinstance(part, (self._sinks, *self._through)) or _is_sdk(part)

    def _acts(self, one: object) -> bool:
        """Say whether *one* does something with what has ended; the SDK's own pass it on."""
        inherited = getattr(self._through[0], self._takes, None)
        return getattr(type(one), self._takes, None) is not inherited and not _is_sdk(one)


def _is_sdk(part: object) -> bool:
    return type(part).__module__.startswith("opentelemetry.sdk")


def _parts(one: object) -> Iterator[object]:
    """Yield what *one* holds, itself or in a collection."""
    held = dict(getattr(one, "__dict__", {}))
    for kind in type(one).__mro__:
        slots = vars(kind).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            held.setdefault(name, getattr(one, name, None))
    for part in held.values():
        if isinstance(part, (list, tuple, set, frozenset)):
            yield from list(part)  # pyright: ignore[reportUnknownArgumentType] - anything
        else:
            yield part


class _Placed:
    """One method of one object, with ours in front of it."""

    def __init__(self, owner: Any, name: str, made: Callable[[Any], Any]) -> None:  # noqa: ANN401 - somebody else's
        self._owner: Final = owner
        self._name: Final = name
        own: dict[str, Any] = owner.__dict__
        self._before: Final[Any] = own.get(name, _ABSENT)
        self._ours: Final = made(getattr(owner, name))
        setattr(owner, name, self._ours)

    def remove(self) -> None:
        """Take ours away, unless somebody has put another one over it."""
        own: dict[str, Any] = self._owner.__dict__
        if own.get(self._name) is not self._ours:
            return
        if self._before is _ABSENT:
            delattr(self._owner, self._name)
        else:
            setattr(self._owner, self._name, self._before)


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


_PLACED: Final[list[_Placed]] = []


def _walks() -> list[tuple[_Walk, str]]:
    """Return what is below each provider that is not ours, and what there is to be put before."""
    spans = _Walk(SpanExporter, through=(SpanProcessor, trace.TracerProvider), takes="on_end")
    points = _Walk(MetricReader, through=(metrics.MeterProvider,), takes="")
    logs = _Walk(LogRecordExporter, through=(LogRecordProcessor, LoggerProvider), takes="on_emit")
    for walk, provider in (
        (spans, _relay.foreign_tracer_provider()),
        (points, _relay.foreign_meter_provider()),
        (logs, _relay.foreign_logger_provider()),
    ):
        if provider is not None:
            walk.visit(provider)
    return [(spans, "export"), (points, "_receive_metrics"), (logs, "export")]


def unreachable() -> list[str]:
    """Return what processes spans or log records in a way that no guard can be put before."""
    return [name for walk, _ in _walks() for name in walk.blind]


def check() -> None:
    """Raise if there is something that the guard cannot be put before.

    Raises:
        RuntimeError: If there is; it says what.
    """
    blind = unreachable()
    if blind:
        raise RuntimeError(f"the guard cannot be put before {', '.join(sorted(blind))}")


def place() -> None:
    """Put the guard before every exporter that is not ours, and say what could not be reached."""
    remove()
    guard = ForeignGuard()
    before = (
        _exporting(guard.spans, SpanExportResult.SUCCESS),
        _receiving(guard),
        _exporting(guard.logs, LogRecordExportResult.SUCCESS),
    )
    for (walk, method), made in zip(_walks(), before, strict=True):
        blind = list(walk.blind)
        for one in walk.found:
            try:
                _PLACED.append(_Placed(one, method, made))
            except (AttributeError, TypeError):  # it has no place for a method of its own
                blind.append(type(one).__qualname__)
        for name in blind:
            say(f"the guard cannot be put before {name}: what it exports is not judged")


def remove() -> None:
    """Take the guard away."""
    while _PLACED:
        try:
            _PLACED.pop().remove()
        except Exception:
            failed("take the guard away")
