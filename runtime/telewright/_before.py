"""A span before another span: it hands on what it is told, and what the other raises ends here."""

from __future__ import annotations

from opentelemetry import trace

from telewright._guard import failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final


class Before(trace.Span):
    """A span of ours that is another one as well: the SDK's, or one of somebody else's provider."""

    def __init__(self, span: trace.Span) -> None:
        self._span: Final = span

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever theirs has
        """Return what the API keeps to itself: the name, the attributes, when it began."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._span, name)

    def end(self, end_time: int | None = None) -> None:
        """End the span."""
        try:
            self._span.end(end_time)
        except Exception:
            failed("end a span")

    def get_span_context(self) -> trace.SpanContext:
        """Return the span's context."""
        return self._span.get_span_context()

    def set_attributes(self, attributes: Mapping[str, Any]) -> None:
        """Set attributes."""
        try:
            self._span.set_attributes(attributes)
        except Exception:
            failed("set attributes")

    def set_attribute(self, key: str, value: Any) -> None:  # noqa: ANN401 - whatever is given
        """Set an attribute."""
        try:
            self._span.set_attribute(key, value)
        except Exception:
            failed("set an attribute")

    def add_event(
        self,
        name: str,
        attributes: Mapping[str, Any] | None = None,
        timestamp: int | None = None,
    ) -> None:
        """Add an event."""
        try:
            self._span.add_event(name, attributes, timestamp)
        except Exception:
            failed("add an event")

    def add_link(
        self, context: trace.SpanContext, attributes: Mapping[str, Any] | None = None
    ) -> None:
        """Add a link."""
        try:
            self._span.add_link(context, attributes)
        except Exception:
            failed("add a link")

    def update_name(self, name: str) -> None:
        """Give the span another name."""
        try:
            self._span.update_name(name)
        except Exception:
            failed("rename a span")

    def is_recording(self) -> bool:
        """Say whether the span is open."""
        return self._span.is_recording()

    def set_status(
        self, status: trace.Status | trace.StatusCode, description: str | None = None
    ) -> None:
        """Set the status."""
        try:
            self._span.set_status(status, description)
        except Exception:
            failed("set a status")

    def record_exception(self, exception: BaseException, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - handed on
        """Add an exception as an event."""
        try:
            self._span.record_exception(exception, *args, **kwargs)
        except Exception:
            failed("record an exception")
