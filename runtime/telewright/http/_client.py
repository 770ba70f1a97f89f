"""A client middleware for aiohttp: one CLIENT span a request, and its context in the headers."""

from __future__ import annotations

from telewright import _late as late
from telewright._group import TRACES
from telewright._guard import failed
from telewright.http._outgoing import opened, send_along
from telewright.http._status import CLIENT_ERROR, answered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping
    from typing import Protocol, TypeVar

    from telewright._span import Span

    class Request(Protocol):
        """What is used of `aiohttp.ClientRequest`."""

        method: str

        @property
        def url(self) -> object:
            """Where the request goes."""
            ...

        @property
        def headers(self) -> MutableMapping[str, str]:
            """The request's own copy of the caller's headers."""
            ...

    class Response(Protocol):
        """What is used of `aiohttp.ClientResponse`."""

        @property
        def status(self) -> int | None:
            """The status code of the answer."""
            ...

    Req = TypeVar("Req", bound=Request)
    Res = TypeVar("Res", bound=Response)

    class Middleware(Protocol):
        """What `aiohttp.ClientSession` calls around each request."""

        async def __call__(self, request: Req, handler: Callable[[Req], Awaitable[Res]], /) -> Res:
            """Send the request with *handler*, and return the answer."""
            ...


def traced_requests(span: Callable[[str, str], Span]) -> Middleware:
    """Return a middleware that opens *span* for each request and injects its context.

    Where a CLIENT span is open already, around the attempts of one logical request, the middleware
    opens none: it only injects, and leaves to that span what the answer was.

    Args:
        span: Opens the span, given the method and the address without its query. A generated
            helper behind a ``lambda`` does it.
    """

    async def middleware(request: Req, handler: Callable[[Req], Awaitable[Res]], /) -> Res:
        if not TRACES.on:
            return await handler(request)
        with opened(span, request.method, request.url) as call:
            _send_along(request)
            response = await handler(request)
            if call.on:
                answered(late.get_current_span(), response.status, failing=CLIENT_ERROR)
            return response

    return middleware


def _send_along(request: Request) -> None:
    """Write into the request's headers what continues the current span; never stop the request."""
    try:
        send_along(request.headers, request.url)
    except Exception:
        failed("inject into a request")
