"""The CLIENT span of a request that is sent, whichever library sends it."""

from __future__ import annotations

from telewright._carry import inject
from telewright._guard import failed, say
from telewright._span import OFF, Span
from telewright.http._current import is_open
from telewright.http._url import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, MutableMapping
    from typing import Any, Final

_TOLD: Final[list[bool]] = []
"""Filled when it has been said that there is no span."""


def opened(span: Callable[[str, str], Span], method: str, url: object) -> Span:
    """Return the span of a request, or none where it is an attempt of one that has its span."""
    try:
        if is_open("client"):
            return OFF
        call: object = span(method, plain(url))
    except Exception:
        failed("open the span of a request")
        return OFF
    if isinstance(call, Span):  # pyright: ignore[reportUnnecessaryIsInstance] - a lambda may return anything
        return call
    say("requests have no span: what is to open it returns none", first=not _TOLD)
    _TOLD[:] = [True]
    return OFF


def send_along(headers: MutableMapping[str, str], url: object) -> None:
    """Write into *headers* what continues the current span, as `telewright.inject` does."""
    several: Any = getattr(headers, "getall", None)  # aiohttp's may have one name several times
    theirs = headers.get("baggage") if several is None else ",".join(several("baggage", ()))
    sent = inject({"baggage": theirs} if theirs else None, str(url))
    replaced = ("baggage", "tracestate") if "traceparent" in sent else ("baggage",)
    for name in replaced:
        if name in headers:
            del headers[name]
    headers.update(sent)
