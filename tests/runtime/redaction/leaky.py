"""A program with a canary on every surface: a FastAPI server, an aiohttp client, a forked child.

    python -m tests.runtime.redaction.leaky PORT

Telemetry goes where the environment says.
"""

from __future__ import annotations

import asyncio
import base64
import json
import linecache
import logging
import os
import sys
import threading

import aiohttp
import uvicorn
from fastapi import FastAPI
from opentelemetry import trace
from opentelemetry.sdk.metrics.view import View

import telewright
from telewright import _start
from telewright.base import propagated
from telewright.gym import groups, http_client
from telewright.http import TracedServer, traced_requests
from tests.runtime.redaction.canaries import KINDS, all_of, canary
from tests.runtime.sample import kiln
from tests.runtime.sample.kiln import Stage

propagated("kiln.note", str)


class OddError(Exception):
    """An error with the canary in whatever an error can carry."""


def _exceptions(tracer):
    for kind, secret in enumerate(all_of(8)):
        try:
            with kiln.heat():
                raise OddError(f"could not log in with {secret}")
        except OddError:
            pass
        with tracer.start_as_current_span(f"raw {kind}") as span:
            span.record_exception(KeyError(secret))
    for kind, secret in enumerate(all_of(9)):
        name = f"<made {kind}>"
        source = f"def call():\n    raise RuntimeError(len({secret!r}))\n"
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        made = {}
        exec(compile(source, name, "exec"), made)  # noqa: S102 - the source line is the case
        try:
            made["call"]()
        except RuntimeError as error:
            error.add_note(f"tried {secret}")
            caught = ExceptionGroup("several", [ValueError(secret), error])
            caught.__cause__ = KeyError(secret)
            with tracer.start_as_current_span("stack") as span:
                span.record_exception(caught)


def _attributes(tracer):
    for secret in all_of(1):
        with kiln.pot(potter=f"sent with {secret} today"):
            pass
    for secret in all_of(2):
        with kiln.write():
            trace.get_current_span().set_attribute("made.up", secret)
    for secret in all_of(3):
        with tracer.start_as_current_span("list") as span:
            span.set_attribute("list", ["ok", f"x {secret}", "ok"])
    for secret in all_of(4):
        once = json.dumps({"a": [{"b": secret}]})
        with tracer.start_as_current_span("json") as span:
            span.set_attribute("once", once)
            span.set_attribute("twice", json.dumps({"data": once}))
            span.set_attribute("encoded", base64.b64encode(once.encode()).decode())
    for secret in all_of(5):
        with tracer.start_as_current_span("urls") as span:
            span.set_attribute("a", f"https://bot:{secret}@host.example/x")
            span.set_attribute("b", f"https://host.example/x?page=2&access_token={secret}")
            span.set_attribute("c", f"https://host.example/x#token={secret}")
            span.set_attribute("d", f"https://host.example/reset/{secret}")
    for secret in all_of(6):
        with tracer.start_as_current_span("event") as span:
            span.add_event("retry", {"reason": f"refused {secret}"})
            span.add_event(f"refused {secret}")
    for secret in all_of(7):
        context = trace.SpanContext(7, 7, is_remote=True)
        link = trace.Link(context, {"from": secret})
        with tracer.start_as_current_span("link", links=[link]):
            pass


def _texts(tracer):
    for secret in all_of(10):
        with tracer.start_as_current_span("status") as span:
            span.set_status(trace.Status(trace.StatusCode.ERROR, f"denied to {secret}"))
    for secret in all_of(11):
        with tracer.start_as_current_span(f"GET /users/{secret}"):
            pass
    for secret in all_of(12):
        with kiln.site("here", note=f"door {secret}"), kiln.heat():
            pass
        scoped = trace.get_tracer("app.scoped", attributes={"note": secret})
        with scoped.start_as_current_span("scoped"):
            pass
    for secret in all_of(13):
        with kiln.site("here", note=secret), kiln.heat():
            sys.stdout.write(f"outgoing: {telewright.carrier()}\n")
    for secret in all_of(19):
        with tracer.start_as_current_span("SELECT") as span:
            span.set_attribute("db.query.text", f"SELECT * FROM t WHERE token = '{secret}'")  # noqa: S608 - never sent
            span.set_attribute("http.request.header.x_api_key", [secret])


def _metrics():
    provider = _start.STATE.pipeline.meter_provider
    view = View(instrument_name="canary.filtered", attribute_keys=set())
    provider._sdk_config.views = [*provider._sdk_config.views, view]
    meter = provider.get_meter("app")
    labelled = meter.create_counter("canary.labelled")
    bounds = [float(kind) for kind in KINDS]  # an exemplar for each bucket
    filtered = meter.create_histogram("canary.filtered", explicit_bucket_boundaries_advisory=bounds)
    for kind in KINDS:
        labelled.add(1, {"endpoint": f"https://h/?sig={canary(kind, 15)}"})
    tracer = trace.get_tracer("app")
    for kind in KINDS:
        with tracer.start_as_current_span("exemplar"):
            filtered.record(float(kind), {"user": canary(kind, 16)})


def _logs():
    log = logging.getLogger("app")
    log.setLevel(logging.INFO)
    log.propagate = True
    for secret in all_of(17):
        log.info("using %s for now", secret)
    for secret in all_of(18):
        log.info("extra", extra={"note": secret, "nested": {"deep": [secret]}})


async def _call(port):
    def span(method, url):
        return http_client.request(method, url_full=url)

    async with aiohttp.ClientSession(middlewares=[traced_requests(span)]) as client:
        for secret in (*all_of(5), *all_of(19)):
            url = f"http://127.0.0.1:{port}/item/{secret}?token={secret}"
            async with client.get(url, headers={"Authorization": f"Bearer {secret}"}) as answer:
                await answer.read()


def _serve(port):
    app = FastAPI()

    @app.get("/item/{name}")
    async def item(name: str) -> str:
        return name[:2]

    app.add_middleware(TracedServer, group=groups.SERVER)
    config = uvicorn.Config(app, port=port, log_level="error", access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        pass
    asyncio.run(_call(port))
    server.should_exit = True
    thread.join()


def _fork():
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return
    for secret in all_of(1):
        with kiln.pot(potter=f"child {secret}"):
            pass
    telewright.stop(timeout=10)
    os._exit(0)


def main(port):
    """Put every canary on its surface."""
    resource = {"process.command_args": [f"--api-key={secret}" for secret in all_of(14)]}
    os.environ["OTEL_RESOURCE_ATTRIBUTES"] = ",".join(
        f"canary.{kind}={canary(kind, 14)}" for kind in KINDS
    )
    wanted = "all," + ",".join(all_of(20))
    with telewright.start(wanted, resource=resource, logs=True, run_id="leaky"):
        tracer = trace.get_tracer("app")
        _attributes(tracer)
        _texts(tracer)
        _exceptions(tracer)
        _metrics()
        _logs()
        _serve(port)
        _fork()
        telewright.flush(10)
    sys.stderr.write(f"{telewright.stats()}\n")
    with kiln.fire(Stage.GLAZE, batch="b", kind="k"):
        pass


if __name__ == "__main__":
    logging.getLogger("telewright").addHandler(logging.StreamHandler())
    main(int(sys.argv[1]))
