"""A backend that records spans in memory, on OpenTelemetry's API alone."""

from __future__ import annotations

from contextlib import contextmanager
from os import urandom
from time import time_ns

from opentelemetry import trace

from telewright._fit import status_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence
    from typing import Any, Final

    from opentelemetry.context import Context
    from opentelemetry.trace import Link, SpanContext, SpanKind
    from opentelemetry.util.types import AttributeValue

_SAMPLED: Final = trace.TraceFlags(trace.TraceFlags.SAMPLED)


class RecordedSpan(trace.Span):
    """A span as it was recorded."""

    def __init__(  # noqa: PLR0913, PLR0917 - what a span has
        self,
        tracer: RecordingTracer,
        name: str,
        context: SpanContext,
        parent: SpanContext | None,
        kind: SpanKind,
        attributes: Mapping[str, AttributeValue],
        links: Sequence[Link],
        start: int,
    ) -> None:
        self.tracer: Final = tracer
        self.name = name
        self.context: Final = context
        self.parent: Final = parent
        self.kind: Final = kind
        self.attributes = dict(attributes)
        self.links: Final = list(links)
        self.events: list[tuple[str, dict[str, AttributeValue]]] = []
        self.status = trace.StatusCode.UNSET
        self.description: str | None = None
        self.start: Final = start
        self.finish: int | None = None

    def end(self, end_time: int | None = None) -> None:
        """End the span, once."""
        if self.finish is None:
            self.finish = time_ns() if end_time is None else end_time
            self.tracer.keep(self)

    def get_span_context(self) -> SpanContext:
        """Return the span's context."""
        return self.context

    def set_attributes(self, attributes: Mapping[str, AttributeValue]) -> None:
        """Set attributes."""
        if self.finish is None:
            self.attributes.update(attributes)

    def set_attribute(self, key: str, value: AttributeValue) -> None:
        """Set an attribute."""
        self.set_attributes({key: value})

    def add_event(
        self,
        name: str,
        attributes: Mapping[str, AttributeValue] | None = None,
        timestamp: int | None = None,
    ) -> None:
        """Add an event."""
        del timestamp
        if self.finish is None:
            self.events.append((name, dict(attributes or {})))

    def add_link(
        self, context: SpanContext, attributes: Mapping[str, AttributeValue] | None = None
    ) -> None:
        """Add a link."""
        if self.finish is None:
            self.links.append(trace.Link(context, attributes))

    def update_name(self, name: str) -> None:
        """Give the span another name."""
        self.name = name

    def is_recording(self) -> bool:
        """Say whether the span is open."""
        return self.finish is None

    def set_status(
        self, status: trace.Status | trace.StatusCode, description: str | None = None
    ) -> None:
        """Set the status; one that says OK stays, and what is none is ignored."""
        fit = status_of(status, description)
        if fit is not None and self.finish is None and self.status is not trace.StatusCode.OK:
            self.status, self.description = fit.status_code, fit.description

    def record_exception(
        self,
        exception: BaseException,
        attributes: Mapping[str, AttributeValue] | None = None,
        timestamp: int | None = None,
        escaped: bool = False,  # noqa: FBT001, FBT002 - OpenTelemetry's signature
    ) -> None:
        """Add an exception as an event."""
        del timestamp, escaped
        self.add_event(
            "exception", {"exception.type": type(exception).__name__, **(attributes or {})}
        )


class RecordingTracer(trace.Tracer):
    """Has *keep* keep every span that ends, in the order in which they end."""

    def __init__(self, scope: str, keep: Callable[[RecordedSpan], object]) -> None:
        self.scope: Final = scope
        self.keep: Final = keep

    def start_span(  # noqa: PLR0913, PLR0917 - OpenTelemetry's signature
        self,
        name: str,
        context: Context | None = None,
        kind: SpanKind = trace.SpanKind.INTERNAL,
        attributes: Any = None,  # noqa: ANN401 - OpenTelemetry's type
        links: Sequence[Link] | None = None,
        start_time: int | None = None,
        record_exception: bool = True,  # noqa: FBT001, FBT002, ARG002 - OpenTelemetry's signature
        set_status_on_exception: bool = True,  # noqa: FBT001, FBT002, ARG002 - OpenTelemetry's signature
    ) -> trace.Span:
        """Start a span."""
        above = trace.get_current_span(context).get_span_context()
        parent = above if above.is_valid else None
        trace_id = int.from_bytes(urandom(16), "big") if parent is None else parent.trace_id
        return RecordedSpan(
            self,
            name,
            trace.SpanContext(
                trace_id, int.from_bytes(urandom(8), "big"), is_remote=False, trace_flags=_SAMPLED
            ),
            parent,
            kind,
            attributes or {},
            links or (),
            time_ns() if start_time is None else start_time,
        )

    @contextmanager
    def start_as_current_span(self, name: str, *args: Any, **kwargs: Any) -> Generator[trace.Span]:  # type: ignore[override]  # noqa: ANN401 - handed on
        """Start a span, and make it current."""
        span = self.start_span(name, *args, **kwargs)
        with trace.use_span(span, end_on_exit=True):
            yield span
