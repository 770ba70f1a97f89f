"""Every public helper, found by looking, and one value in every place that takes one.

`python -m tests.runtime.hostile_surface STATE WIDTH` is a process in that state that tries them and
prints what got out. WIDTH is ``all``, ``shapes`` (one helper of each shape, every value), or
``some`` (the same helpers in turn, so that every value and every shape is tried). How far it is, it
says on standard error.
"""

from __future__ import annotations

import asyncio
import contextlib
import faulthandler
import importlib
import inspect
import json
import logging
import os
import pkgutil
import re
import sys
import tempfile
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace

import telewright
import telewright.pages
import telewright.ray
from telewright.base import Configuration, Scope, Span
from telewright.base import Resource as ResourceBase
from telewright.http import TracedServer, plain, traced_requests
from tests.runtime.sample import kiln
from tests.shared import shared

STATES = ("off", "on", "fast", "spans", "metrics", "none", "adopted", "absent", "starting")
PACKAGES = ("gym", "rl", "nv", "otel")
_EACH = 12
"""Of so many helpers one is tried with each value, where only some are."""
_GOOD = 4_000_000
"""What marks the items that are good."""
VERBS = frozenset({"add", "record", "set", "observe", "point", "forget", "when_done"})
HOOKS = frozenset({"close", "current", "open", "between"})
"""Methods of a span that are tried by name."""


def modules():
    """Return every generated topic, and the sample."""
    found = [kiln]
    for package in PACKAGES:
        home = importlib.import_module(f"telewright.{package}")
        found += [
            importlib.import_module(f"{home.__name__}.{module.name}")
            for module in pkgutil.iter_modules(home.__path__)
        ]
    return found


def helpers():
    """Return every public function and instrument, with a name that says where it is."""
    found = []
    for module in modules():
        for name, what in vars(module).items():
            own = getattr(what, "__module__", "") or type(what).__module__
            if own != module.__name__ or name.startswith("_"):
                continue
            if inspect.isfunction(what):
                found.append((f"{module.__name__}.{name}", what))
            elif not inspect.isclass(what) and hasattr(what, "send"):
                verbs = {"add", "record", "set", "observe", "point", "forget"} & set(dir(what))
                found += [
                    (f"{module.__name__}.{name}.{v}", getattr(what, v)) for v in sorted(verbs)
                ]
    return found


def shape(what):
    """Return what two helpers of one shape have in common."""
    signature = inspect.signature(what)
    kinds = tuple(sorted((p.kind, p.default is p.empty) for p in signature.parameters.values()))
    owner = getattr(what, "__self__", None)
    base = type(owner).__mro__[1].__name__ if owner is not None else signature.return_annotation
    return (kinds, str(base), getattr(what, "__name__", "") if owner is not None else "")


def of_each_shape(found):
    """Return the first helper of each shape, and all of the sample."""
    seen = {}
    for name, what in found:
        seen.setdefault((shape(what), "sample" in name and name), (name, what))
    return list(seen.values())


def filled(what, value):
    """Return the arguments with which *what* gets *value* for every parameter."""
    given, named = [], {}
    for name, parameter in inspect.signature(what).parameters.items():
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            given.append(value)
        elif parameter.kind is parameter.VAR_POSITIONAL:
            given += [value, value]
        elif parameter.kind is parameter.KEYWORD_ONLY:
            named[name] = value
        else:
            named["anything"] = value
    return given, named


class Trial:
    """Tries, and keeps what got out.

    Attributes:
        escaped: What was tried and what came of it.
        tried: How much was tried.
    """

    def __init__(self):
        self.escaped = []
        self.tried = 0

    @contextlib.contextmanager
    def that(self, what):
        """Keep what leaves the block, and go on."""
        self.tried += 1
        try:
            yield
        except BaseException as error:  # whatever it is, it should not be here
            self.escaped.append(f"{what}: {type(error).__name__}")

    def helper(self, name, what, value):
        """Call one helper with *value* everywhere, and do with what it returns what one may."""
        given, named = filled(what, value)
        made = None
        with self.that(name):
            try:
                made = what(*given, **named)
            except ValueError:
                if not name.endswith(".read"):  # settings say what is wrong with them
                    raise
        if isinstance(made, (Span, Scope)) or type(made).__name__ == "Off":
            self.block(name, lambda: what(*given, **named), value)
        elif isinstance(made, (Configuration, ResourceBase)):
            with self.that(f"{name} shown"):
                repr(made) if not isinstance(made, ResourceBase) else None

    def block(self, name, make, value):
        """Raise inside a block, and set everything; the same object must come out."""
        errors = [ValueError("the application's own")]
        errors += [value] if isinstance(value, BaseException) else []
        for error in errors:
            with self.that(f"{name} block"):
                try:
                    with make() as entered:
                        self.methods(name, entered, value)
                        raise error
                    raise RuntimeError("nothing came out")
                except type(error) as caught:
                    if caught is not error:
                        raise RuntimeError("another object came out") from None
        with self.that(f"{name} left by hand"):
            span = make()
            if hasattr(span, "open"):
                span.open()
                with span.current():
                    pass
                span.close(value)
        if hasattr(span, "between"):
            with self.that(f"{name}.between"), span.between(value, value):
                pass

    def methods(self, name, entered, value):
        """Call every public method of what a block yields."""
        for method in dir(type(entered)):
            if method.startswith("_") or method in HOOKS:
                continue
            what = getattr(entered, method)
            if inspect.ismethod(what):
                given, named = filled(what, value)
                with self.that(f"{name}.{method}"):
                    what(*given, **named)
        failures = getattr(entered, "failures", None)
        if failures is not None:
            failures.append(value)


def starts(trial, label, value, arguments):
    """Start and stop with *value* for each of *arguments* in turn."""
    for name in arguments:
        with trial.that(f"{label} | start {name}"):
            telewright.start(**{"groups": "all", "exporter": "none", name: value})
            with kiln.write() as span:
                span.set(lines=1)
        with trial.that(f"{label} | stop"):
            telewright.flush(0.0 if isinstance(value, float) else value)
            telewright.stop(0.0 if isinstance(value, float) else value)


def surroundings(trial, label, value):
    """Give *value* to everything that is no generated helper."""
    calls = {
        "inject": lambda: telewright.inject(value),
        "inject url": lambda: telewright.inject({}, value),
        "carrier": telewright.carrier,
        "flush": lambda: telewright.flush(value if not isinstance(value, float) else 0.0),
        "select": lambda: telewright.select(value),
        "select again": lambda: telewright.select("all"),
        "environment": lambda: telewright.environment(value),
        "environment with": lambda: telewright.environment({"A": value}),
        "inject item": lambda: telewright.inject({"baggage": value, "Traceparent": value}),
        "carrying": lambda: telewright.carrying(value),
        "pages": lambda: telewright.pages.found_by(value, value),
        "page": lambda: telewright.pages.Page(value, value),
        "on ray": lambda: list(telewright.pages.on_ray(value)()),
        "plain": lambda: plain(value),
        "ray carried": lambda: telewright.ray.carried(value),
        "ray flush": lambda: telewright.ray.flush([], value),
        "ray environment": lambda: telewright.ray.runtime_env(value),
        "served": lambda: asyncio.run(served(value)),
        "requested": lambda: asyncio.run(requested(value)),
        "bound": lambda: kiln.faults.bound({"kiln.code": value}).add(value),
        "done": lambda: done(value),
        "log": lambda: logging.getLogger("app").warning(value),
        "log extra": lambda: logging.getLogger("app").warning("%s", 1, extra={"value": value}),
        "log mapping": lambda: logging.getLogger("app").warning({"value": value}),
    }
    for name, call in calls.items():
        with trial.that(f"{label} | {name}"):
            call()
    kiln.humidity.observe(lambda: [(value, {"kiln.room": value}), (1.0, {"kiln.room": "good"})])
    kiln.humidity.observe(lambda: value)
    for name, make in {
        "within": lambda: telewright.within(value),
        "within baggage": lambda: telewright.within({"baggage": value, "traceparent": value}),
        "extract": lambda: telewright.extract([(value, value)]),
        "extract mapping": lambda: telewright.extract({"traceparent": value, "baggage": value}),
    }.items():
        trial.block(f"{label} | {name}", make, value)
    for name, wrap in {"traced": telewright.traced(kiln.heat), "carry": telewright.carry}.items():
        with trial.that(f"{label} | {name}"):
            wrap(value)
        with trial.that(f"{label} | {name} call"):

            def same(one):
                return one

            if wrap(same)(value) is not value:
                raise RuntimeError("another object came back")


async def served(value):
    """Have a server that is given *value* everywhere answer."""
    answered = []

    async def application(_scope, _receive, send):
        await send({"type": "http.response.start", "status": value})
        answered.append(value)

    async def nothing(*_arguments):
        return {}

    server = TracedServer(application, kiln.GATE)
    asked = {"type": "http", "headers": value, "path": value, "method": value, "app": value}
    pairs = {"type": "http", "headers": [(value, value)], "path": "/", "root_path": value}
    for scope in (asked, pairs, {"type": "websocket", "headers": [(b"baggage", value)]}):
        await server(scope, nothing, nothing)
    if len(answered) != 3:
        raise RuntimeError("a request was not served")


async def requested(value):
    """Have a client that is given *value* everywhere ask."""
    request = SimpleNamespace(method=value, url=value, headers=value)
    response = SimpleNamespace(status=value)

    async def handler(_request):
        return response

    for opener in (lambda _method, _url: kiln.heat(), lambda _method, _url: value):
        if await traced_requests(opener)(request, handler) is not response:
            raise RuntimeError("another answer came back")


def done(value):
    """Have *value* counted, and what a task made of it."""
    future = Future()
    for task in (future, value):
        kiln.faults._when_done(task, kiln.faults.add, value, code=value)
    future.set_result(value)


def begin(state, folder):
    """Bring this process into *state*."""
    if state == "off":
        os.environ["TELEWRIGHT_OFF"] = "1"
    elif state in {"on", "fast"}:
        options = {"exporter": "file", "path": f"{folder}/out.jsonl", "logs": True}
        telewright.start("all", **options, fast=state == "fast")
    elif state == "spans":
        telewright.start("all", exporter="file", path=f"{folder}/out.jsonl", metrics=False)
    elif state == "metrics":
        telewright.start("all", exporter="file", path=f"{folder}/out.jsonl", traces=False)
    elif state == "none":
        telewright.start("all", exporter="none")
    elif state == "adopted":
        from opentelemetry import metrics, trace
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.trace import TracerProvider

        trace.set_tracer_provider(TracerProvider())
        metrics.set_meter_provider(MeterProvider())
        telewright.start("all")
    elif state == "absent":
        sys.modules["opentelemetry.sdk"] = None
        telewright.start("all")


def say(what):
    """Say how far this process is."""
    print(what, file=sys.stderr, flush=True)  # noqa: T201 - what the test passes on


def main():
    """Try everything; print what got out, and what the books say."""
    state, width = sys.argv[1:3]
    faulthandler.enable()
    logging.getLogger().addHandler(logging.NullHandler())
    logging.getLogger("telewright").setLevel(logging.CRITICAL)
    logging.raiseExceptions = False
    sys.path.insert(0, str(shared("cases")))
    from hostile import hostile

    found = helpers()
    chosen = found if width == "all" else of_each_shape(found)
    trial = Trial()
    good = 0
    with tempfile.TemporaryDirectory() as folder:
        begin(state, folder)
        for number, (label, value) in enumerate(hostile()):
            say(f"{number} values, now {label}")
            if state == "starting":  # all of it takes a minute, a part of it as many values
                arguments = list(inspect.signature(telewright.start).parameters)
                part = arguments if width == "all" else arguments[number % len(arguments) :][:1]
                starts(trial, label, value, part)
                continue
            for name, what in chosen[number % _EACH :: _EACH] if width == "some" else chosen:
                trial.helper(f"{label} | {name}", what, value)
            surroundings(trial, label, value)
            with kiln.write() as span:
                span.set(lines=_GOOD + number)
                good += span.on
        with trial.that("stop"):
            telewright.stop(30.0)
        written = "".join(file.read_text() for file in Path(folder).iterdir())
    stats = telewright.stats()
    result = {
        "helpers": len(chosen),
        "tried": trial.tried,
        "escaped": trial.escaped,
        "good": good,
        "arrived": len(re.findall(rf'"intValue":"{_GOOD // 100_000}\d{{5}}"', written)),
        "books": [
            [book.made, book.exported, book.dropped] for book in (stats, stats.points, stats.logs)
        ],
    }
    print(json.dumps(result))  # noqa: T201 - what the test reads
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
