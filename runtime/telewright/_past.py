"""Spans of what is over, or of one moment: their times are given, not taken from the clock."""

from __future__ import annotations

from typing import cast

from opentelemetry import trace

from telewright._before import Before
from telewright._guard import VALUES, failed, lost, say
from telewright._measured import Measured
from telewright._values import Unfit, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType
    from typing import Any, Final

    from opentelemetry.context import Context
    from opentelemetry.trace import Link
    from opentelemetry.util.types import AttributeValue

    from telewright._group import Group
    from telewright._span import Span

_GREATEST: Final = 2**63 / 1e9
"""Seconds since the epoch that still have a time in nanoseconds."""


class Dated:
    """A block whose span has been open from *start* to *end*, in seconds since the epoch."""

    __slots__ = ("_end", "_entered", "_span", "_start")

    def __init__(self, span: Span, start: float, end: float) -> None:
        self._span: Final = span
        self._start: Final = start
        self._end: Final = end
        self._entered = False

    def __enter__(self) -> Span:
        span = self._span
        name = span._name  # pyright: ignore[reportPrivateUsage] - its own block
        try:
            start, end = _seconds(self._start), _seconds(self._end)
        except Unfit as unfit:
            _tell("no_time", f"{name} is left out: its start or its end is {unfit.reason}")
        except Exception:
            failed("date a span")
        else:
            evidence = evidence_of(name, start, end) if end < start else {}
            began = _nanoseconds(start)
            ended = max(_nanoseconds(end), began)
            gate = span._gate  # pyright: ignore[reportPrivateUsage] - its own block
            span._gate = dated(gate, began, ended, evidence)  # pyright: ignore[reportPrivateUsage] - its own block
            try:
                span.__enter__()
            finally:
                span._gate = gate  # pyright: ignore[reportPrivateUsage] - its own block
            if isinstance(span, Measured):
                span._started = _Elapsed(ended - began)  # pyright: ignore[reportPrivateUsage] - its own block
            self._entered = True
        return span

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None:
        if self._entered:
            self._span.__exit__(kind, error, traceback)


class _Elapsed(int):
    """A start of which every reading of the clock is the same number of nanoseconds away."""

    def __rsub__(self, _now: int) -> int:
        return int(self)


def _seconds(given: object) -> float:
    """Return a time as seconds since the epoch.

    Raises:
        Unfit: If it is none.
    """
    seconds = number(given)
    if not 0 <= seconds < _GREATEST:
        raise Unfit("out_of_range")
    return seconds


def _nanoseconds(seconds: float) -> int:
    """Return *seconds* in nanoseconds; a product would be off by some hundred of them."""
    whole = int(seconds)
    return whole * 1_000_000_000 + round((seconds - whole) * 1e9)


def evidence_of(name: str, start: float, end: float) -> dict[str, AttributeValue]:
    """Return what says that the clock went backwards, and say so once."""
    _tell(
        "inverted",
        f"{name} ended {start - end:.6f} s before it started: it leaves without a duration, "
        "with attributes `inverted.*`",
    )
    return {
        "inverted.skew": True,
        "inverted.start_epoch_seconds": repr(float(start)),
        "inverted.end_epoch_seconds": repr(float(end)),
        "inverted.delta_seconds": repr(float(start) - float(end)),
    }


def _tell(reason: str, message: str) -> None:
    """Count what is wrong with a time; the first of its kind is worth a warning."""
    first = reason not in VALUES
    lost(reason)
    say(message, first=first)


def dated(
    gate: Group, start: int, end: int, evidence: Mapping[str, AttributeValue] | None = None
) -> Group:
    """Return *gate* with a tracer whose spans last from *start* to *end*, in nanoseconds.

    Args:
        gate: The group of the span.
        start: When it starts, since the epoch.
        end: When it ends.
        evidence: Attributes that it ends with, whatever the caller says.
    """
    return cast("Group", _Gate(gate, start, end, evidence or {}))


class _Gate:
    """A group in everything but where its spans come from."""

    def __init__(
        self, gate: Group, start: int, end: int, evidence: Mapping[str, AttributeValue]
    ) -> None:
        self._gate: Final = gate
        self.tracer: Final = _Tracer(gate, start, end, evidence)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what a group has
        return getattr(self._gate, name)


class _Tracer:
    """Starts spans whose times are given: as much of a tracer as helpers use."""

    def __init__(
        self, gate: Group, start: int, end: int, evidence: Mapping[str, AttributeValue]
    ) -> None:
        self._gate: Final = gate
        self._start: Final = start
        self._end: Final = end
        self._evidence: Final = evidence

    def start_span(
        self,
        name: str,
        context: Context | None,
        kind: trace.SpanKind,
        attributes: Mapping[str, AttributeValue],
        links: Sequence[Link] | None,
    ) -> trace.Span:
        """Start a span then, which ends when it should."""
        tracer = self._gate.tracer
        span = tracer.start_span(name, context, kind, attributes, links, self._start)
        if type(span) is trace.NonRecordingSpan:
            return span
        getattr(span, "__dict__", {})["over"] = True  # for who looks at the spans that are open
        return _Span(span, self._end, self._evidence)


class _Span(Before):
    """A span that ends when it should, however late it is told to."""

    over: Final = True
    """Nothing has to be announced."""

    def __init__(self, span: trace.Span, end: int, evidence: Mapping[str, AttributeValue]) -> None:
        super().__init__(span)
        self._end: Final = end
        self._evidence: Final = evidence

    def end(self, end_time: int | None = None) -> None:
        """End the span."""
        del end_time
        if self._evidence:
            self.set_attributes(self._evidence)
        super().end(self._end)

    def add_event(
        self,
        name: str,
        attributes: Mapping[str, AttributeValue] | None = None,
        timestamp: int | None = None,
    ) -> None:
        """Add an event, at the end of the span unless told otherwise."""
        super().add_event(name, attributes, self._end if timestamp is None else timestamp)
