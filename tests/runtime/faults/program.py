"""The application of one cell: works before a fault and under it, and says what it did.

It speaks over its output, one JSON object a line, since a fault may take its files away. What it
made is what it counted itself; what telemetry's books say is told beside it.
"""

from __future__ import annotations

import atexit
import ctypes
import json
import os
import resource
import signal
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

CLOCK = [0.0]
"""Seconds by which the fault has moved the clock of this process."""

_now, _now_ns = time.time, time.time_ns
time.time = lambda: _now() + CLOCK[0]
time.time_ns = lambda: _now_ns() + int(CLOCK[0] * 1e9)
# Everything that is imported from here on has the clock that moves.

import logging  # noqa: E402 - see above

import telewright  # noqa: E402 - see above
from telewright.base import Counter  # noqa: E402 - see above
from tests.runtime.sample import groups, kiln  # noqa: E402 - see above

CELL = json.loads(sys.argv[1])
FAULT, SIGNAL, PROTOCOL, NAME = (CELL[key] for key in ("fault", "signal", "protocol", "name"))
ITEMS = 5
SOON = 0.3
"""Seconds that the flush under a fault may take."""
PHASE = ["before"]
LOG = logging.getLogger("pottery")
GUESTS = Counter(
    groups.REGISTRY, "kiln.guests_total", unit="{guest}", brief="Guests.", integer=True
)


def say(what, **more):
    """Tell the test something, at once and whole."""
    line = json.dumps({"what": what, "pid": os.getpid(), **more}) + "\n"
    os.write(1, line.encode())


def made(item, count=1):
    """Tell that *item* was made, in which phase, and what was counted of it."""
    say("made", item=item, phase=PHASE[0], count=count)


def books():
    """Tell what telemetry's books say of the signal."""
    stats = telewright.stats()
    book = {"traces": stats, "metrics": stats.points, "logs": stats.logs}[SIGNAL]
    say("books", made=book.made, exported=book.exported, dropped=book.dropped, megabytes=most())


def most():
    """Return the megabytes that this process has held at most; None where no system says so."""
    if STATUS[0] is None:
        return None
    status = os.pread(STATUS[0], 65536, 0).decode()
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


def opened():
    """Open what the system says of this process, before a fault takes the descriptors away."""
    try:
        return os.open("/proc/self/status", os.O_RDONLY)
    except FileNotFoundError:  # no such system
        return None


STATUS = [opened()]


class Warnings(logging.Handler):
    """Shows warnings without their stacks, so that a stack on stderr is one that nobody caught."""

    def emit(self, record):
        """Show one line."""
        sys.stderr.write(record.getMessage().partition("\n")[0] + "\n")


logging.lastResort = Warnings(logging.WARNING)


class Tally(logging.Handler):
    """Counts every record that telemetry could have taken, whoever logged it."""

    def emit(self, record):
        """Tell of *record*, unless an export thread logged it."""
        if not threading.current_thread().name.startswith("telewright-"):
            made(f"{record.name}|{record.getMessage()}"[:80])


def item(name):
    """Make one item of the signal, and tell its id."""
    if SIGNAL == "traces":
        with kiln.heat() as span:
            made(f"{span._otel.get_span_context().span_id:016x}")
            return len(name)
    if SIGNAL == "metrics":
        count = 1 + len(name) % 3 + int(name[-1])
        made(name, count)
        GUESTS._record(count, {"kiln.town": name})
        GUESTS._record(count, {"kiln.town": f"{NAME}/all"})
        return len(name)
    LOG.warning("%s", name)
    return len(name)


def work(phase):
    """Do what the application is for; its result must be the same whatever happens."""
    PHASE[0] = phase
    return sum(item(f"{NAME}/{phase}{number}") for number in range(ITEMS))


def own_error():
    """Raise through a helper, and say whether what came out is what went in."""
    error = ValueError("the application's own")
    try:
        with kiln.heat() as span:
            if SIGNAL == "traces" and span.on:
                made(f"{span._otel.get_span_context().span_id:016x}")
            raise error
    except ValueError as caught:
        return caught is error


def break_down():
    """Bring about what happens inside the process; the rest is the receiver's."""
    if FAULT == "encoder error":
        _unencodable()
    elif FAULT == "dead export thread":
        for thread in threading.enumerate():
            if thread.name.startswith("telewright-"):
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit)
                )
    elif FAULT == "full disk":
        size = Path(CELL["path"]).stat().st_size + 100 if PROTOCOL == "file" else 0
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    elif FAULT == "no descriptors":
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))  # not even what is closed can be had
    elif FAULT == "fork":
        _fork()
    elif FAULT.startswith("clock"):
        if "grpc" in sys.modules:  # half of it is no Python, and would not know
            sys.modules["grpc._channel"].time = SimpleNamespace(
                time=_now, perf_counter=time.perf_counter
            )
        CLOCK[0] = {"clock forward": 86_400.0, "clock back": -86_400.0}[FAULT]


def _unencodable():
    """Make one item that the encoder cannot take, as somebody else's code might."""
    PHASE[0] = "unfit"
    if SIGNAL == "traces":
        from opentelemetry import trace

        span = trace.get_tracer("theirs").start_span("theirs", start_time=time.time() * 1e9)
        made(f"{span.get_span_context().span_id:016x}")
        span.end()
    elif SIGNAL == "metrics":
        made(f"{NAME}/too many")
        for _ in range(3):  # each is fit, the sum is not
            GUESTS._record(2**62, {"kiln.town": f"{NAME}/too many"})
    else:
        record = LOG.makeRecord("pottery", logging.WARNING, "x", 1, "%s", (f"{NAME}/late",), None)
        record.created = 1e30
        LOG.handle(record)


def _fork():
    child = os.fork()
    if not child:
        STATUS[0] = opened()
        work("child")
        telewright.stop(4)
        books()
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    if status:
        say("harmed", why=f"the child ended with status {status}")


def main():
    """Work, suffer, work on, and end as an application ends."""
    atexit.register(books)  # before telemetry's own, so that it runs after
    if SIGNAL == "logs":
        logging.getLogger().addHandler(Tally())
    telewright.start(
        "kiln.firing",
        exporter="file" if PROTOCOL == "file" else "otlp",
        path=CELL.get("path"),
        traces=SIGNAL == "traces",
        metrics=SIGNAL == "metrics",
        logs=SIGNAL == "logs",
    )
    early = work("before")
    say("ready", flushed=telewright.flush(3.0))
    sys.stdin.readline()
    PHASE[0] = "after"
    with kiln.heat() as span:  # it is open while the fault happens, and ends after it
        if SIGNAL == "traces":
            made(f"{span._otel.get_span_context().span_id:016x}")
        break_down()
        result = early + work("during")
        begun = time.monotonic()
        flushed = telewright.flush(SOON)
        took = time.monotonic() - begun
        PHASE[0] = "after"
        same = own_error()
    say("done", result=result, same=same, flushed=flushed, took=took, at=time.monotonic())
    finish()


def finish():
    """End: by exit, or by what the fault is."""
    if FAULT == "os._exit":
        books()
        os._exit(3)
    if FAULT == "SIGTERM":
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(30)
    if FAULT == "SIGTERM, unhandled":
        books()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(30)
    if FAULT == "SIGINT":
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(30)
    sys.exit(3)


if __name__ == "__main__":
    main()
