"""Every OpenTelemetry name that helpers use; reached through `_late`, which waits for the first."""

from opentelemetry.baggage import clear as clear_baggage
from opentelemetry.baggage import set_baggage
from opentelemetry.baggage.propagation import W3CBaggagePropagator
from opentelemetry.context import Context, attach, detach, get_current, set_value
from opentelemetry.metrics import Observation
from opentelemetry.trace import (
    INVALID_SPAN,
    Link,
    NonRecordingSpan,
    SpanKind,
    Status,
    StatusCode,
    get_current_span,
    set_span_in_context,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

_token = attach(get_current())
try:
    # Two Python calls less each time a block is entered: the variable that holds the context.
    get_current, attach = _token.var.get, _token.var.set  # type: ignore[assignment]  # the same calls
    _token.var.reset(_token)
except AttributeError:  # a runtime context of another kind, which an entry point may provide
    detach(_token)

(SPAN_KEY,) = set_span_in_context(INVALID_SPAN, Context())
"""The key under which OpenTelemetry keeps the current span in a context."""

KINDS = {kind.name.lower(): kind for kind in SpanKind}

TRACE_CONTEXT = TraceContextTextMapPropagator()
BAGGAGE = W3CBaggagePropagator()

__all__ = [
    "BAGGAGE",
    "INVALID_SPAN",
    "KINDS",
    "SPAN_KEY",
    "TRACE_CONTEXT",
    "Context",
    "Link",
    "NonRecordingSpan",
    "Observation",
    "Status",
    "StatusCode",
    "attach",
    "clear_baggage",
    "get_current",
    "get_current_span",
    "set_baggage",
    "set_span_in_context",
    "set_value",
]
