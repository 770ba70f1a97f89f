"""Traces across HTTP: for the clients of aiohttp and httpx, and for servers that speak ASGI.

The extra ``http`` brings what they need: aiohttp 3.12, which calls client middlewares, httpx, any
Starlette or FastAPI. Only the transports of httpx import a library, when they are asked for.
"""

from telewright.http._client import traced_requests
from telewright.http._server import TracedServer
from telewright.http._url import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from telewright.http._httpx import TracedAsyncTransport, TracedTransport
else:

    def __getattr__(name):  # noqa: ANN001, ANN202 - the other branch has the types
        """Load the transports of httpx when somebody asks for one."""
        if name not in {"TracedAsyncTransport", "TracedTransport"}:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            from telewright.http import _httpx
        except ImportError as error:
            raise ImportError("httpx is not installed: pip install 'telewright[http]'") from error
        return getattr(_httpx, name)


__all__ = ["TracedAsyncTransport", "TracedServer", "TracedTransport", "plain", "traced_requests"]
