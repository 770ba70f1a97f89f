"""The CLIENT span of a request that is sent, whichever library sends it."""

from __future__ import annotations

from telewright import _otel as otel
from telewright._guard import failed
from telewright._span import OFF
from telewright.http._url import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from telewright._span import Span


def opened(span: Callable[[str, str], Span], method: str, url: object) -> Span:
    """Return the span of a request, or none where it is an attempt of one that has its span."""
    try:
        if getattr(otel.get_current_span(), "kind", None) is otel.KINDS["client"]:
            return OFF
        return span(method, plain(url))
    except Exception:
        failed("open the span of a request")
        return OFF
