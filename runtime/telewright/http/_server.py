"""A server middleware for ASGI: one SERVER span a request, in the trace that the caller sent."""

from __future__ import annotations

from telewright import _late as late
from telewright._carry import within
from telewright._detached import detached
from telewright._group import TRACES
from telewright._guard import failed
from telewright._span import NOTHING, OFF, Span
from telewright.http._current import is_open
from telewright.http._route import find
from telewright.http._status import SERVER_ERROR, answered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, MutableMapping
    from typing import Any, Final, TypeAlias

    from opentelemetry.context import Context

    from telewright._group import Group
    from telewright._span import Block

    Scope: TypeAlias = MutableMapping[str, Any]
    Message: TypeAlias = MutableMapping[str, Any]
    Receive: TypeAlias = Callable[[], Awaitable[Message]]
    Send: TypeAlias = Callable[[Message], Awaitable[None]]
    App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

_METHODS: Final = frozenset(
    {"CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE"}
)


class _Request(Span):
    """An inbound request: ``{METHOD} {route}``."""

    __slots__ = ()

    kind = "server"


class TracedServer:
    """Wraps an ASGI application: ``app.add_middleware(TracedServer, group=groups.SERVER)``.

    The parent and the scopes that a request brings are current while it is served, whether or not
    *group* is on, so that what the handler opens joins the caller's trace. Where a SERVER span is
    open already, FastAPI's own or an instrumentor's, there is no second one. What is current where
    the server was started is not: neither a span nor a scope of its starter is a request's.

    Args:
        app: The application.
        group: The span group that inbound requests belong to.
        excluded: Paths that are served without a span, for example probes.
    """

    def __init__(self, app: App, group: Group, *, excluded: Iterable[str] = ()) -> None:
        self.app: Final = app
        self._group = group
        self._excluded = frozenset(excluded)
        self._starter: Context | None = None
        """What is current where the server was started."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if not TRACES.on or scope["type"] not in {"http", "websocket"}:
            if scope["type"] == "lifespan":
                self._starter = late.get_current()
            await self.app(scope, receive, send)
            return
        headers, served = scope.get("headers"), _is_served()
        if served:
            headers = _baggage(headers)
        with self._begun(), within(headers), OFF if served else self._span(scope) as span:
            if not span.on:
                await self.app(scope, receive, send)
                return

            current = late.get_current_span()

            async def send_and_note(message: Message) -> None:
                if message.get("type") == "http.response.start":
                    answered(current, message.get("status"), failing=SERVER_ERROR)
                await send(message)

            await self.app(scope, receive, send_and_note)

    def _begun(self) -> Block:
        """Return a block without what is the starter's, or without anything of ours."""
        try:
            current = late.get_current()
            ended = getattr(late.get_current_span(current), "end_time", None) is not None
            return detached() if ended or current is self._starter else NOTHING
        except Exception:
            failed("begin a request")
            return NOTHING

    def _span(self, scope: Scope) -> Span:
        try:
            path = scope.get("path")
            if not self._group.on or scope["type"] != "http" or path in self._excluded:
                return OFF
            method = str(scope.get("method", "")).upper()
            attributes = {"http.request.method": method if method in _METHODS else "_OTHER"}
            route = find(getattr(scope.get("app", self.app), "routes", ()), scope)
            if route:
                attributes["http.route"] = route
            known = method if method in _METHODS else "HTTP"
            return _Request(self._group, f"{known} {route}" if route else known, attributes)
        except Exception:
            failed("open the span of a request")
            return OFF


def _baggage(headers: Any) -> list[tuple[bytes, bytes]]:  # noqa: ANN401 - whatever a server has
    """Return the scopes among *headers*; the parent is the span that is open already."""
    try:
        return [pair for pair in headers if pair[0].lower() == b"baggage"]
    except Exception:
        failed("read headers")
        return []


def _is_served() -> bool:
    """Say whether somebody has opened a SERVER span for the request."""
    try:
        return is_open("server")
    except Exception:
        failed("look for the span of a request")
        return False
