"""Servers that are started inside a block, which is none of what they serve."""

from __future__ import annotations

import asyncio
import http.client

import pytest
import uvicorn
from opentelemetry.trace import SpanKind
from tests.runtime.http.serving import SERVER, WORK, application, finished

from telewright._span import Scope
from telewright.base import Span
from telewright.http import TracedServer

BROUGHT = f"00-{'a' * 32}-{'b' * 16}-01"


def ask(port):
    """Send two requests over one connection, the second one with a parent of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    for headers in ({}, {"traceparent": BROUGHT}):
        connection.request("GET", "/items/7", headers=headers)
        assert connection.getresponse().read()
    connection.close()


@pytest.mark.behaviour("B103")
@pytest.mark.parametrize(("lifespan", "over"), [("auto", False), ("auto", True), ("off", True)])
def test_a_request_is_no_part_of_what_its_server_was_started_in(spans, lifespan, over):
    """It is a root, or goes on where it comes from; and has no scope but what it brings."""

    async def main():
        config = uvicorn.Config(application(), port=0, log_level="error", lifespan=lifespan)
        serving = uvicorn.Server(config)

        async def started():
            task = asyncio.create_task(serving.serve())
            while not serving.started:  # noqa: ASYNC110 - uvicorn has no event for it
                await asyncio.sleep(0.01)
            return task, serving.servers[0].sockets[0].getsockname()[1]

        with Scope({"kiln.round": 3}), Span(WORK, "starter", {}):
            task, port = await started()
            if not over:
                await asyncio.to_thread(ask, port)
        if over:
            await asyncio.to_thread(ask, port)
        serving.should_exit = True
        await task

    asyncio.run(main())
    found = finished(spans, 5)
    first, second = (span for span in found if span.kind is SpanKind.SERVER)
    assert first.parent is None
    assert f"{second.context.trace_id:032x}" == "a" * 32
    assert [dict(span.attributes) for span in found if span.name == "work"] == [{"item": "7"}] * 2


def test_what_is_opened_around_a_request_stays_around_it(spans):
    """A middleware's span is the parent, also where the server told when it began."""

    async def app(_scope, _receive, _send):
        with Span(WORK, "work", {}):
            pass

    async def main():
        server = TracedServer(app, SERVER)
        await server({"type": "lifespan"}, None, None)
        with Scope({"kiln.round": 3}), Span(WORK, "around", {}):
            await server({"type": "http", "method": "GET", "path": "/", "headers": []}, None, None)

    asyncio.run(main())
    _, around, serve, work = finished(spans, 4)
    assert serve.parent.span_id == around.context.span_id
    assert work.attributes["kiln.round"] == 3
