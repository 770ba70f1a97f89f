"""Traces across HTTP, with a real aiohttp client and a real FastAPI server on a real socket."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys

import aiohttp
import fastapi
import pytest
from opentelemetry import context
from opentelemetry.trace import SpanKind, StatusCode
from tests.runtime.http.serving import SERVER, WORK, finished, request

from telewright import inject
from telewright._span import KEY
from telewright.base import Span
from telewright.http import TracedServer, plain, traced_requests
from telewright.http._route import find


def run(*calls, middlewares=(), method="GET", **options):
    """Send requests one after another in one session; return their status codes."""

    async def main():
        async with aiohttp.ClientSession(middlewares=middlewares) as session:
            codes = []
            for call in calls:
                async with session.request(method, call, **options) as response:
                    await response.read()
                    codes.append(response.status)
            return codes

    return asyncio.run(main())


@pytest.mark.behaviour("B004", "B100", "B104", "B113")
def test_a_request_is_one_trace_over_both_processes(spans, server):
    """CLIENT is the parent of SERVER, and SERVER of what the handler opens."""
    run(f"{server.state.url}/items/7?key=secret", middlewares=[traced_requests(request)])
    call, serve, work = finished(spans, 3)
    assert [span.name for span in (call, serve, work)] == [
        "HTTP GET",
        "GET /items/{item}",
        "work",
    ]
    assert (call.kind, serve.kind, work.kind) == (
        SpanKind.CLIENT,
        SpanKind.SERVER,
        SpanKind.INTERNAL,
    )
    assert call.parent is None
    assert serve.parent.span_id == call.context.span_id
    assert serve.parent.is_remote
    assert work.parent.span_id == serve.context.span_id
    assert len({span.context.trace_id for span in (call, serve, work)}) == 1
    assert call.attributes["url.full"] == f"{server.state.url}/items/7"
    assert call.attributes["http.response.status_code"] == 200
    assert serve.attributes == {
        "http.request.method": "GET",
        "http.route": "/items/{item}",
        "http.response.status_code": 200,
    }


@pytest.mark.parametrize(
    ("path", "root", "route"),
    [
        ("/status", "", "/status"),
        ("/api/status", "/api", "/status"),
        ("/apikeys", "/api", "/apikeys"),
        ("/api", "/api", None),
        ("/files/a/b", "", "/files"),
    ],
)
def test_the_route_is_the_one_that_is_chosen(path, root, route):
    """WebSockets' are for WebSockets, and a root path ends at a slash."""

    async def answer():
        return {}

    app = fastapi.FastAPI()
    app.add_api_websocket_route("/{name}", answer)
    for one in ("/status", "/apikeys"):
        app.add_api_route(one, answer)
    app.mount("/files", lambda *_: None)
    assert find(app.routes, {"path": path, "root_path": root, "method": "GET"}) == route


def test_routers_that_are_included_have_routes_of_every_kind():
    """FastAPI keeps Starlette's own beside its own, and none costs another its name."""
    router = fastapi.APIRouter()
    router.add_api_websocket_route("/{name}", lambda _: None)
    router.mount("/files", lambda *_: None)
    router.add_api_route("/status", lambda: 1)
    app = fastapi.FastAPI()
    app.include_router(router, prefix="/v1")
    scopes = [{"path": f"/v1/{path}", "method": "GET"} for path in ("status", "files/a", "none")]
    assert [find(app.routes, scope) for scope in scopes] == ["/v1/status", "/v1/files", None]


@pytest.mark.behaviour("B101")
def test_retries_are_one_client_span(spans, server):
    """Around the attempts of one request a middleware opens nothing; each is sent on."""

    async def main():
        middlewares = [traced_requests(request)]
        async with aiohttp.ClientSession(middlewares=middlewares) as session:
            with request("GET", "http://logical"):
                for _ in range(3):
                    async with session.get(f"{server.state.url}/items/1") as response:
                        await response.read()

    asyncio.run(main())
    found = finished(spans, 7)
    (call,) = [span for span in found if span.kind is SpanKind.CLIENT]
    served = [span for span in found if span.kind is SpanKind.SERVER]
    assert len(served) == 3
    assert {span.parent.span_id for span in served} == {call.context.span_id}


@pytest.mark.behaviour("B102")
@pytest.mark.usefixtures("spans")
def test_headers_of_the_caller_stay_as_they_are(server):
    """Neither the middleware nor `inject` writes into a mapping that the caller owns."""
    mine = {"x-mine": "1"}
    run(f"{server.state.url}/items/1", middlewares=[traced_requests(request)], headers=mine)
    with request("GET", "http://x"):
        filled = inject(mine)
    assert mine == {"x-mine": "1"}
    assert set(filled) == {"x-mine", "traceparent"}
    assert "traceparent" in server.state.headers[0]


@pytest.mark.behaviour("B102")
@pytest.mark.usefixtures("spans")
def test_what_the_caller_sends_along_arrives_beside_ours(server):
    """Baggage that is the caller's is sent; a parent that it has from elsewhere is replaced."""
    mine = {"Baggage": "user=ann", "Traceparent": "old"}
    token = context.attach(context.set_value(KEY, {"rl.iteration": 412}))
    try:
        run(f"{server.state.url}/items/1", middlewares=[traced_requests(request)], headers=mine)
    finally:
        context.detach(token)
    (sent,) = server.state.headers
    assert sent["baggage"] == "rl.iteration=412,user=ann"
    assert sent["traceparent"].startswith("00-")


@pytest.mark.behaviour("B103")
@pytest.mark.usefixtures("spans")
def test_a_failed_injection_or_span_does_not_stop_the_request(server, monkeypatch):
    """The request is sent and answered whatever goes wrong in telemetry."""

    def broken(*_, **__):
        raise RuntimeError

    calls = [f"{server.state.url}/items/1"]
    assert run(*calls, middlewares=[traced_requests(broken)]) == [200]
    monkeypatch.setattr("telewright.http._outgoing.inject", broken)
    assert run(*calls, middlewares=[traced_requests(request)]) == [200]
    monkeypatch.setattr("telewright.http._server.find", broken)
    assert run(*calls, middlewares=[traced_requests(request)]) == [200]


def test_names_are_routes_and_never_paths(spans, server):
    """Nested and mounted routes have their whole pattern; an unknown path is the method alone."""
    url = server.state.url
    run(f"{url}/mounted/leaf/3", f"{url}/no/such/place", middlewares=[])
    run(f"{url}/v1/deep/a", method="POST")
    run(f"{url}/items/1", method="BREW")
    names = [span.name for span in finished(spans, 4)]
    assert names == ["GET /mounted/leaf/{number}", "GET", "POST /v1/deep/{name}", "HTTP"]


def test_what_fails_says_so(spans, server):
    """A 4xx is the client's error and not the server's; a 5xx is both."""
    url = server.state.url
    run(f"{url}/missing", f"{url}/broken", middlewares=[traced_requests(request)])
    status = [(span.kind.name, span.status.status_code) for span in finished(spans, 4)]
    assert status == [
        ("CLIENT", StatusCode.ERROR),
        ("SERVER", StatusCode.UNSET),
        ("CLIENT", StatusCode.ERROR),
        ("SERVER", StatusCode.ERROR),
    ]


def test_an_exception_leaves_as_it_is_and_marks_the_span(spans):
    """A refused connection raises aiohttp's own error, and the span has it."""
    with pytest.raises(aiohttp.ClientConnectorError):
        run("http://127.0.0.1:1/", middlewares=[traced_requests(request)])
    (call,) = spans.get_finished_spans()
    assert call.status.status_code is StatusCode.ERROR
    assert call.events[0].name == "exception"


def test_excluded_paths_and_a_shut_group_open_no_span(spans, server):
    """A probe has no span; with the group off a handler's span still joins the caller's trace."""
    run(f"{server.state.url}/health")
    assert spans.get_finished_spans() == ()
    SERVER.on = False
    run(f"{server.state.url}/items/1", middlewares=[traced_requests(request)])
    call, work = finished(spans, 2)
    assert work.parent.span_id == call.context.span_id


def test_off_nothing_is_sent_or_opened(server):
    """With telemetry off no header is added and no span function is called."""
    called = []
    run(f"{server.state.url}/items/1", middlewares=[traced_requests(lambda *_: called.append(1))])
    assert called == []
    assert "traceparent" not in server.state.headers[0]


def test_concurrent_requests_do_not_mix(spans, server):
    """Each of many requests at once is a trace of its own, and its work is in it."""

    async def main():
        async with aiohttp.ClientSession(middlewares=[traced_requests(request)]) as session:

            async def one(number):
                async with session.get(f"{server.state.url}/items/{number}") as response:
                    await response.read()

            await asyncio.gather(*(one(number) for number in range(20)))

    asyncio.run(main())
    traces: dict[int, list] = {}
    for span in finished(spans, 60):
        traces.setdefault(span.context.trace_id, []).append(span)
    assert len(traces) == 20
    for call, serve, work in traces.values():
        assert work.parent.span_id == serve.context.span_id
        assert serve.parent.span_id == call.context.span_id
        assert call.attributes["url.full"].endswith("/items/" + work.attributes["item"])


@pytest.mark.behaviour("B170")
@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://me:pw@host:80/a/b?key=1#f", "http://host:80/a/b"),
        ("https://host", "https://host"),
        ("/relative?x=1", "/relative"),
        ("http://[::1]:9/x?y", "http://[::1]:9/x"),
    ],
)
def test_an_address_loses_what_must_not_be_recorded(url, expected):
    """Query, fragment and credentials are cut; host, port and path stay."""
    assert plain(url) == expected


def test_importing_the_middlewares_imports_no_http_library():
    """They are duck-typed: neither aiohttp nor Starlette is loaded, nor OpenTelemetry."""
    code = (
        "import sys, telewright.http;"
        "print(sorted({n.partition('.')[0] for n in sys.modules}"
        " & {'aiohttp', 'starlette', 'fastapi', 'opentelemetry'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_server_span_of_somebody_else_is_not_doubled(spans):
    """Under an instrumentor's SERVER span none is opened, and what is inside stays below it."""
    seen = []

    async def app(scope, _receive, _send):
        seen.append(scope["path"])
        with Span(WORK, "work", {}):
            pass

    tracer = WORK.tracer
    headers = [(b"traceparent", b"00-" + b"a" * 32 + b"-" + b"b" * 16 + b"-01")]
    scope = {"type": "http", "method": "GET", "path": "/", "headers": headers}

    async def main():
        with tracer.start_as_current_span("theirs", kind=SpanKind.SERVER):
            await TracedServer(app, SERVER)(scope, None, None)

    asyncio.run(main())
    theirs, work = finished(spans, 2)
    assert theirs.name == "theirs"
    assert work.parent.span_id == theirs.context.span_id


def test_a_websocket_is_served_without_a_span(spans):
    """A connection that stays open is no request, but what it opens joins the caller's trace."""

    async def app(_scope, _receive, send):
        with Span(WORK, "work", {}):
            await send({"type": "websocket.accept"})

    headers = [(b"traceparent", b"00-" + b"a" * 32 + b"-" + b"b" * 16 + b"-01")]
    scope = {"type": "websocket", "path": "/", "headers": headers}

    async def nothing(*_):
        return {}

    asyncio.run(TracedServer(app, SERVER)(scope, nothing, nothing))
    (work,) = spans.get_finished_spans()
    assert f"{work.context.trace_id:032x}" == "a" * 32


def test_lifespan_passes_through(spans):
    """Startup and shutdown of the application are not requests."""
    seen = []

    async def app(scope, _receive, _send):
        seen.append(scope["type"])

    with contextlib.suppress(RuntimeError):
        asyncio.run(TracedServer(app, SERVER)({"type": "lifespan"}, None, None))
    assert seen == ["lifespan"]
    assert spans.get_finished_spans() == ()
