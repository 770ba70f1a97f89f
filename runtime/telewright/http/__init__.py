"""Traces across HTTP: plain middlewares for aiohttp's client and for servers that speak ASGI.

They import neither library. Both need what the extra ``http`` brings: aiohttp 3.12, which calls
client middlewares, and any Starlette or FastAPI.
"""

from telewright.http._client import traced_requests
from telewright.http._server import TracedServer
from telewright.http._url import plain

__all__ = ["TracedServer", "plain", "traced_requests"]
