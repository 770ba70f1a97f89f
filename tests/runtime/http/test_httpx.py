"""Traces across HTTP with real httpx clients, synchronous and not, and a Starlette server."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import httpx
import pytest
from opentelemetry import context
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.routing import Mount, Route
from tests.runtime.http.serving import SERVER, WORK, finished, request, served

from telewright import _destinations
from telewright._span import KEY
from telewright.base import Span
from telewright.http import TracedAsyncTransport, TracedServer, TracedTransport


def synchronous(*calls, span=request, method="GET", around=(), **options):
    """Send requests one after another; return their answers."""
    with httpx.Client(transport=TracedTransport(span), **options) as client:
        if around:
            with span(*around):
                return [client.request(method, call) for call in calls]
        return [client.request(method, call) for call in calls]


def asynchronous(*calls, span=request, method="GET", around=(), **options):
    """Do as `synchronous`, on an event loop."""

    async def main():
        async with httpx.AsyncClient(transport=TracedAsyncTransport(span), **options) as client:
            if around:
                with span(*around):
                    return [await client.request(method, call) for call in calls]
            return [await client.request(method, call) for call in calls]

    return asyncio.run(main())


@pytest.fixture(params=[synchronous, asynchronous])
def send(request):
    """Send requests in both ways."""
    return request.param


@pytest.fixture
def starlette():
    """Serve a plain Starlette application; return its address and the headers that it got."""
    headers = []

    async def item(request):
        headers.append(dict(request.headers))
        with Span(WORK, "work", {}):
            return PlainTextResponse(str(request.path_params["item"]))

    async def moved(_request):
        return RedirectResponse("/items/2?key=secret", 307)

    app = Starlette(
        routes=[
            Route("/items/{item:int}", item),
            Route("/moved", moved, methods=["POST"]),
            Mount("/below", routes=[Route("/leaf/{item}", item)]),
        ]
    )
    app.add_middleware(TracedServer, group=SERVER)
    with served(app) as url:
        yield url, headers


@pytest.mark.behaviour("B100", "B104", "B113", "B170")
def test_a_request_is_one_trace_over_both_processes(spans, starlette, send):
    """CLIENT is the parent of SERVER, which has the name of its route; no query is recorded."""
    url, _ = starlette
    (answer,) = send(f"{url}/items/7?key=secret")
    assert (answer.status_code, answer.text) == (200, "7")
    call, serve, work = finished(spans, 3)
    assert [span.name for span in (call, serve, work)] == [
        "HTTP GET",
        "GET /items/{item:int}",
        "work",
    ]
    assert (call.kind, serve.kind) == (SpanKind.CLIENT, SpanKind.SERVER)
    assert serve.parent.span_id == call.context.span_id
    assert work.parent.span_id == serve.context.span_id
    assert call.attributes["url.full"] == f"{url}/items/7"
    assert call.attributes["http.response.status_code"] == 200


def test_mounted_routes_have_their_whole_pattern(spans, starlette, send):
    """Also below a mount, and a path that leads nowhere has none."""
    url, _ = starlette
    send(f"{url}/below/leaf/1", f"{url}/nowhere/1")
    served_ = [span.name for span in finished(spans, 5) if span.kind is SpanKind.SERVER]
    assert served_ == ["GET /below/leaf/{item}", "GET"]


@pytest.mark.behaviour("B101")
def test_attempts_of_one_request_are_one_client_span(spans, starlette, send):
    """Retries and redirects are sent on from the span that is open around them."""
    url, _ = starlette
    send(
        *[f"{url}/moved"] * 2,
        method="POST",
        around=("POST", "http://logical"),
        follow_redirects=True,
    )
    found = finished(spans, 5)
    (call,) = [span for span in found if span.kind is SpanKind.CLIENT]
    hops = [span for span in found if span.kind is SpanKind.SERVER]
    assert len(hops) == 4
    assert {span.parent.span_id for span in hops} == {call.context.span_id}


@pytest.mark.behaviour("B102")
@pytest.mark.usefixtures("spans")
@pytest.mark.parametrize("kind", ["client", "request"])
def test_headers_of_the_caller_stay_as_they_are(starlette, kind):
    """Neither a mapping nor the headers of a request that the caller made get any."""
    url, headers = starlette
    mine = {"x-mine": "1"}
    with httpx.Client(transport=TracedTransport(request)) as client:
        made = httpx.Request("GET", f"{url}/items/1", headers=mine)
        before = made.headers.raw
        answer = client.send(made) if kind == "request" else client.get(made.url, headers=mine)
    assert mine == {"x-mine": "1"}
    assert made.headers.raw == before
    assert "traceparent" not in answer.request.headers
    assert (headers[0]["x-mine"], headers[0]["host"]) == ("1", url.removeprefix("http://"))
    assert "traceparent" in headers[0]


@pytest.mark.behaviour("B103")
@pytest.mark.usefixtures("spans")
def test_a_failed_injection_or_span_does_not_stop_the_request(starlette, send, monkeypatch):
    """The request is sent and answered whatever goes wrong in telemetry."""

    def broken(*_, **__):
        raise RuntimeError

    url, _ = starlette
    assert send(f"{url}/items/1", span=broken)[0].status_code == 200
    assert send(f"{url}/items/1", span=lambda *_: None)[0].status_code == 200
    monkeypatch.setattr("telewright.http._outgoing.inject", broken)
    assert send(f"{url}/items/1")[0].status_code == 200


@pytest.mark.usefixtures("spans")
def test_scopes_go_to_hosts_of_ones_own_alone(starlette, send, monkeypatch):
    """Another's host gets the trace; which is another's is asked of the address of each request."""
    url, headers = starlette
    token = context.attach(context.set_value(KEY, {"rl.iteration": 412}))
    try:
        send(f"{url}/items/1")
        monkeypatch.setattr(_destinations, "trusted", lambda _url: False)
        send(f"{url}/items/1")
    finally:
        context.detach(token)
    assert [one.get("baggage") for one in headers] == ["rl.iteration=412", None]


@pytest.mark.behaviour("B102")
@pytest.mark.usefixtures("spans")
def test_what_the_caller_sends_along_arrives_beside_ours(starlette, send):
    """Baggage that is the caller's is sent; a parent that it has from elsewhere is replaced."""
    url, headers = starlette
    mine = {"Baggage": "user=ann", "Traceparent": "old", "Tracestate": "a=b"}
    token = context.attach(context.set_value(KEY, {"rl.iteration": 412}))
    try:
        send(f"{url}/items/1", headers=mine)
    finally:
        context.detach(token)
    assert headers[0]["baggage"] == "rl.iteration=412,user=ann"
    assert headers[0]["traceparent"].startswith("00-")
    assert "tracestate" not in headers[0]
    assert all("traceparent" in one for one in headers)


def test_what_fails_says_so(spans, starlette, send):
    """A 4xx fails the client's span; a refused connection is httpx's own error, and is recorded."""
    url, _ = starlette
    send(f"{url}/nowhere")
    call, _ = finished(spans, 2)
    assert call.status.status_code is StatusCode.ERROR
    with pytest.raises(httpx.ConnectError):
        send("http://127.0.0.1:1/")
    refused = finished(spans, 3)[-1]
    assert refused.status.status_code is StatusCode.ERROR
    assert refused.events[0].name == "exception"


def test_bodies_go_as_they_are(spans, starlette):
    """Streamed content is sent once, and an answer may be streamed."""
    url, _ = starlette
    transport = TracedTransport(request, httpx.HTTPTransport(retries=1))
    with (
        httpx.Client(transport=transport) as client,
        client.stream("POST", f"{url}/items/1", content=iter([b"a", b"b"])) as answer,
    ):
        assert answer.status_code == 405
        assert b"".join(answer.iter_bytes())
    assert finished(spans, 2)[0].attributes["http.response.status_code"] == 405


def test_who_is_below_finds_the_content_that_was_read(spans):
    """What signs, caches or logs a request sees the same as without us; a stream stays one."""

    def below(request):
        return httpx.Response(200, text=str(len(request.content)))

    async def asynchronous():
        transport = TracedAsyncTransport(request, httpx.MockTransport(below))
        async with httpx.AsyncClient(transport=transport) as client:
            return await client.post("http://kiln", content=b"ten bytes!")

    with httpx.Client(transport=TracedTransport(request, httpx.MockTransport(below))) as client:
        assert client.post("http://kiln", json={}).text == "2"
    assert asyncio.run(asynchronous()).text == "10"
    finished(spans, 2)


class Below(httpx.BaseTransport):
    """Answers what it sees of a request; ``/read`` has it read, and then sent somewhere else."""

    def handle_request(self, request):
        """Answer."""
        if request.url.path == "/read":
            request.read()
            return httpx.Response(307, headers={"location": "/seen"})
        try:
            content = request.content
        except httpx.RequestNotRead:
            content = "not read"
        return httpx.Response(200, text=f"{content} {request.extensions['mine']}")


@pytest.mark.parametrize("path", ["/seen", "/read"])
@pytest.mark.parametrize("body", ["bytes", "unread", "streamed"])
@pytest.mark.usefixtures("spans")
def test_who_is_below_sees_and_does_the_same_as_without_us(body, path):
    """Also what was not read, what is read there, and what is told there to the caller."""

    def answer(transport):
        content = [b"a", b"b"] if body == "streamed" else b"ab"
        given = {"stream": httpx.ByteStream(content)} if body == "unread" else {"content": content}
        if body == "streamed":
            given["content"] = iter(content)
        made = httpx.Request("POST", f"http://kiln{path}", extensions={"mine": 1}, **given)
        with httpx.Client(transport=transport, follow_redirects=True) as client:
            return client.send(made).text, hasattr(made, "_content")

    assert answer(TracedTransport(request, Below())) == answer(Below())


def test_off_nothing_is_sent_or_opened(starlette, send):
    """With telemetry off no header is added and no span function is called."""
    called = []
    url, headers = starlette
    send(f"{url}/items/1", span=lambda *_: called.append(1))
    assert called == []
    assert "traceparent" not in headers[0]


def test_many_requests_at_once_do_not_mix(spans: InMemorySpanExporter, starlette):
    """Each of many requests at once is a trace of its own."""
    url, _ = starlette

    async def main():
        async with httpx.AsyncClient(transport=TracedAsyncTransport(request)) as client:
            await asyncio.gather(*(client.get(f"{url}/items/{number}") for number in range(20)))

    asyncio.run(main())
    by_id = {span.context.span_id: span for span in finished(spans, 60)}
    served_ = [span for span in by_id.values() if span.kind is SpanKind.SERVER]
    assert len({span.context.trace_id for span in by_id.values()}) == 20
    assert all(by_id[span.parent.span_id].kind is SpanKind.CLIENT for span in served_)


def test_without_httpx_the_extra_is_named():
    """Whoever asks for a transport learns what to install; the rest of the module works."""
    code = (
        "import sys; sys.modules['httpx'] = None\n"
        "from telewright.http import TracedServer\n"
        "from telewright.http import TracedTransport"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "ImportError: httpx is not installed: pip install 'telewright[http]'" in done.stderr
