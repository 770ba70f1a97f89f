"""Transports for httpx: one CLIENT span a request, and its context in the headers."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import httpx

from telewright import _late as late
from telewright._group import TRACES
from telewright._guard import failed
from telewright.http._outgoing import opened, send_along
from telewright.http._status import CLIENT_ERROR, answered

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import TracebackType
    from typing import Final, Self

    from telewright._span import Span


class TracedTransport(httpx.BaseTransport):
    """Opens a span for each request and injects its context: ``httpx.Client(transport=...)``.

    The requests themselves stay as they are; what is sent is a copy with more headers. Where a
    CLIENT span is open already, around the attempts of one logical request, the transport opens
    none: it only injects, and leaves to that span what the answer was.

    Args:
        span: Opens the span, given the method and the address without its query. A generated
            helper behind a ``lambda`` does it.
        transport: What sends the requests; else httpx's own. Options of a client that concern
            sending, such as ``verify`` and ``http2``, belong there.
    """

    def __init__(
        self, span: Callable[[str, str], Span], transport: httpx.BaseTransport | None = None
    ) -> None:
        self._span: Final = span
        self._transport: Final = httpx.HTTPTransport() if transport is None else transport

    def __enter__(self) -> Self:
        self._transport.__enter__()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None = None,
        exc_value: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        self._transport.__exit__(exc_type, exc_value, traceback)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request."""
        if not TRACES.on:
            return self._transport.handle_request(request)
        with opened(self._span, request.method, request.url) as call, _sent(request) as sent:
            response = self._transport.handle_request(sent)
            if call.on:
                answered(late.get_current_span(), response.status_code, failing=CLIENT_ERROR)
            return response

    def close(self) -> None:
        """Close what sends the requests."""
        self._transport.close()


class TracedAsyncTransport(httpx.AsyncBaseTransport):
    """Does as `TracedTransport`, for ``httpx.AsyncClient(transport=...)``."""

    def __init__(
        self, span: Callable[[str, str], Span], transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self._span: Final = span
        self._transport: Final = httpx.AsyncHTTPTransport() if transport is None else transport

    async def __aenter__(self) -> Self:
        await self._transport.__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None = None,
        exc_value: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        await self._transport.__aexit__(exc_type, exc_value, traceback)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request."""
        if not TRACES.on:
            return await self._transport.handle_async_request(request)
        with opened(self._span, request.method, request.url) as call, _sent(request) as sent:
            response = await self._transport.handle_async_request(sent)
            if call.on:
                answered(late.get_current_span(), response.status_code, failing=CLIENT_ERROR)
            return response

    async def aclose(self) -> None:
        """Close what sends the requests."""
        await self._transport.aclose()


@contextmanager
def _sent(request: httpx.Request) -> Generator[httpx.Request]:
    """Yield what is sent: a copy of *request* whose headers continue the current span.

    What happens to it on its way, as that it is read, has happened to *request*; headers stay.
    """
    headers, copy = request.headers, _with_context(request)
    try:
        yield copy
    finally:
        vars(request).update(vars(copy), headers=headers)


def _with_context(request: httpx.Request) -> httpx.Request:
    """Return a copy of *request*, read if that is, with more headers; never stop it."""
    try:
        headers = httpx.Headers(request.headers)
        send_along(headers, request.url)
        copy = object.__new__(type(request))
        vars(copy).update(vars(request), headers=headers)
    except Exception:
        failed("inject into a request")
        return request
    else:
        return copy
