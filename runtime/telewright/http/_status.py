"""What an answer's status code says about the span of its request."""

from __future__ import annotations

from telewright import _late as late
from telewright._guard import failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from opentelemetry.trace import Span

KEY: Final = "http.response.status_code"

CLIENT_ERROR: Final = 400
SERVER_ERROR: Final = 500


def answered(span: Span, status: object, *, failing: int) -> None:
    """Record *status* on *span*; from *failing* on, the request failed without an exception."""
    if not isinstance(status, int):
        return
    try:
        span.set_attribute(KEY, status)
        if status >= failing:
            span.set_status(late.Status(late.StatusCode.ERROR))
    except Exception:
        failed("record an answer")
