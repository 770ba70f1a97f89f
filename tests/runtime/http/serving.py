"""Servers on real sockets, the spans that clients and servers open, and those that have ended."""

from __future__ import annotations

import contextlib
import threading

import fastapi
import uvicorn

from telewright._group import Registry
from telewright.base import Span
from telewright.http import TracedServer

REGISTRY = Registry("test-http", version="1")
SERVER, CLIENT, WORK = (REGISTRY.group(name) for name in ("server", "client", "work"))


class Request(Span):
    """A client span as the generator would write it."""

    __slots__ = ()
    kind = "client"


def request(method, url):
    """Open a CLIENT span, as a generated helper does."""
    return Request(CLIENT, f"HTTP {method}", {"http.request.method": method, "url.full": url})


def application():
    """Return a server with an item route, a nested router, a failing route and a probe."""
    app = fastapi.FastAPI(telemetry={"tracing": False, "metrics": False, "logs": False})
    app.state.headers = []

    @app.get("/items/{item}")
    async def item(item: str, request: fastapi.Request):
        app.state.headers.append(dict(request.headers))
        with Span(WORK, "work", {"item": item}):
            return {"item": item}

    router = fastapi.APIRouter()

    @router.post("/deep/{name}")
    async def deep(name: str):
        return {"name": name}

    app.include_router(router, prefix="/v1")

    @app.get("/missing")
    async def missing():
        raise fastapi.HTTPException(404)

    @app.get("/broken")
    async def broken():
        raise fastapi.HTTPException(503)

    @app.get("/health")
    async def health():
        return {}

    below = fastapi.FastAPI()

    @below.get("/leaf/{number}")
    async def leaf(number: int):
        return {"number": number}

    app.mount("/mounted", below)
    app.add_middleware(TracedServer, group=SERVER, excluded=["/health"])
    return app


@contextlib.contextmanager
def served(app):
    """Serve an application on a free port; yield its address."""
    serving = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=serving.run, daemon=True)
    thread.start()
    while not serving.started:
        threading.Event().wait(0.01)
    port = serving.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    serving.should_exit = True
    thread.join(10)


def finished(spans, number):
    """Return *number* spans by their start; a server ends its own after the client has read."""
    for _ in range(500):
        if len(spans.get_finished_spans()) >= number:
            break
        threading.Event().wait(0.01)
    found = sorted(spans.get_finished_spans(), key=lambda span: span.start_time)
    assert len(found) == number
    return found
