"""Tests of an application's telemetry: what its helpers record, without SDK, network or threads.

with telewright.testing.captured() as telemetry:
    collect_rollouts()
assert telemetry.span("gym.job").attributes["…"] == …
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from math import fsum

from opentelemetry import trace

from telewright import _gates
from telewright._events import SINK
from telewright._group import LOGS
from telewright._judge import Judge
from telewright._nesting import here
from telewright._recording import RecordingTracer
from telewright._recording_meter import RecordingMeter
from telewright._redact import DROPPED, redact
from telewright._sensitive import POLICY
from telewright._span import attributes_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from typing import Any

    from opentelemetry.util.types import AttributeValue

    from telewright._group import Registry
    from telewright._recording import RecordedSpan
    from telewright._recording_meter import Recorder

__all__ = ["DROPPED", "Captured", "Event", "Link", "Point", "Span", "captured", "redact"]


@dataclass(frozen=True, slots=True)
class Event:
    """An event on a span."""

    name: str
    attributes: Mapping[str, AttributeValue]


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a span of another trace; ids are hexadecimal."""

    trace_id: str
    span_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A span that has ended, as it would have left the process; ids are hexadecimal."""

    name: str
    attributes: Mapping[str, AttributeValue]
    kind: str
    status: str
    """``unset``, ``ok`` or ``error``."""
    description: str | None
    events: Sequence[Event]
    links: Sequence[Link]
    scope: str
    trace_id: str
    span_id: str
    parent_id: str | None
    parent: str | None
    """The name of the parent, if that was captured too."""
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One series of an instrument: all values under one set of attributes."""

    attributes: Mapping[str, AttributeValue]
    kind: str
    unit: str
    values: Sequence[float]

    @property
    def value(self) -> float:
        """The sum of what was counted, or the last value of a gauge."""
        return self.values[-1] if self.kind == "gauge" else fsum(self.values)

    @property
    def count(self) -> int:
        """How many values there are."""
        return len(self.values)


@dataclass(slots=True)
class Captured:
    """What has been recorded so far."""

    _ended: list[RecordedSpan] = field(repr=False)
    _recorders: list[Recorder] = field(repr=False)
    _judge: Judge = field(default_factory=Judge, repr=False)
    events: list[Event] = field(default_factory=list["Event"])
    """Every log record of a declared name, in order."""

    @property
    def spans(self) -> list[Span]:
        """Every span that has ended, in the order in which they ended."""
        names = {span.context.span_id: span.name for span in self._ended}
        return [_view(span, names) for span in list(self._ended)]

    def span(self, name: str) -> Span:
        """Return the one span called *name*.

        Raises:
            LookupError: If there is none, or more than one; it says which there are.
        """
        found = [span for span in self.spans if span.name == name]
        if len(found) != 1:
            known = ", ".join(sorted({span.name for span in self.spans})) or "none"
            raise LookupError(f"{len(found)} spans are called {name!r}; there are: {known}")
        return found[0]

    def points(self, name: str) -> list[Point]:
        """Return the series of the instrument called *name*; observable ones are read now."""
        return [
            Point(
                attributes=self._judge.attributes(series.attributes, recorder.scope, metric=True),
                kind=recorder.kind,
                unit=recorder.unit,
                values=tuple(series.values),
            )
            for recorder in self._recorders
            if recorder.name == name
            for series in recorder.read()
        ]

    def value(self, name: str, **attributes: AttributeValue) -> float:
        """Return the value of one series of *name*.

        Args:
            name: The instrument.
            attributes: What its attributes' last parts must be, where one series is not enough.

        Raises:
            LookupError: If that is not one series.
        """
        found = [point for point in self.points(name) if _fits(point, attributes)]
        if len(found) != 1:
            raise LookupError(f"{len(found)} series of {name!r} fit {attributes}")
        return found[0].value

    def clear(self) -> None:
        """Forget the spans and the events recorded so far."""
        self._ended.clear()
        self.events.clear()

    def log(self, registry: Registry, name: str, attributes: Mapping[str, AttributeValue]) -> None:
        """Keep what of a log record of a declared name would leave the process."""
        scoped = {**(attributes_of(here()) or {}), **attributes}
        judged = self._judge.attributes(scoped, registry.scope, where="log")
        self.events.append(Event(self._judge.text(name), judged))

    def keep(self, span: RecordedSpan) -> None:
        """Keep what of *span* would leave the process, now that it has ended."""
        judge, scope = self._judge, span.tracer.scope
        span.name = judge.text(span.name)
        span.attributes = judge.attributes(span.attributes, scope)
        span.events = [
            (judge.text(name), judge.attributes(attributes, scope, where="event"))
            for name, attributes in span.events
        ]
        if span.description is not None:
            span.description = judge.description(span.description)
        self._ended.append(span)


def _view(span: RecordedSpan, names: Mapping[int, str]) -> Span:
    context = span.context
    return Span(
        name=span.name,
        attributes=span.attributes,
        kind=span.kind.name.lower(),
        status=span.status.name.lower(),
        description=span.description,
        events=tuple(Event(name, attributes) for name, attributes in span.events),
        links=tuple(
            Link(
                trace.format_trace_id(link.context.trace_id),
                trace.format_span_id(link.context.span_id),
            )
            for link in span.links
        ),
        scope=span.tracer.scope,
        trace_id=trace.format_trace_id(context.trace_id),
        span_id=trace.format_span_id(context.span_id),
        parent_id=None if span.parent is None else trace.format_span_id(span.parent.span_id),
        parent=None if span.parent is None else names.get(span.parent.span_id),
        seconds=((span.finish or span.start) - span.start) / 1e9,
    )


def _fits(point: Point, attributes: Mapping[str, AttributeValue]) -> bool:
    short = {key.rpartition(".")[2]: value for key, value in point.attributes.items()}
    return all(short.get(key) == value for key, value in attributes.items())


@contextmanager
def captured(  # noqa: PLR0913 - what `start` takes
    groups: str = "all",
    *,
    process: str | None = None,
    traces: bool = True,
    metrics: bool = True,
    content: bool = False,
    hash_key: str | bytes | None = None,
) -> Generator[Captured]:
    """Record what helpers do inside the block, as it would leave the process.

    What ran before goes on after the block.

    Args:
        groups: Span groups and presets, as for `telewright.start`.
        process: The role of this process.
        traces: Whether spans are recorded.
        metrics: Whether metrics are.
        content: Whether content may leave.
        hash_key: The key that personal values are hashed with.
    """
    recorders: list[Recorder] = []
    recorded = Captured([], recorders)

    def tracer(registry: Registry) -> Any:  # noqa: ANN401 - OpenTelemetry's type
        return RecordingTracer(registry.scope, recorded.keep)

    def meter(registry: Registry) -> Any:  # noqa: ANN401 - OpenTelemetry's type
        return RecordingMeter(registry.scope, recorders)

    policy = POLICY.content, POLICY.hash_key
    POLICY.content = content
    POLICY.hash_key = hash_key.encode() if isinstance(hash_key, str) else hash_key
    source = _gates.Source(groups, process, tracer if traces else None, meter if metrics else None)
    before = _gates.now()
    sinks, logging = list(SINK), LOGS.on
    source.open()
    SINK[:], LOGS.on = [recorded.log], True
    try:
        yield recorded
    finally:
        SINK[:], LOGS.on = sinks, logging
        POLICY.content, POLICY.hash_key = policy
        if before is None:
            _gates.shut()
        else:
            before.open()
