"""A process that exports over gRPC all the time, and forks meanwhile; it says how children ended.

`python -m tests.runtime.grpc_forks COUNT [own | bare | hasty]`. A child records, stops, and exits
with 0 if all it made arrived, with 1 if the books say that not all did, and with 2 if they are not
exact. With *own*, children use gRPC's own channels, as their parent does; with *bare*, there is no
h2; with *hasty*, forks do not wait for calls.
"""

from __future__ import annotations

import json
import logging
import os
import select
import signal
import sys
import threading
from collections import Counter

os.environ["OTEL_EXPORTER_OTLP_PROTOCOL"] = "grpc"
os.environ["OTEL_METRIC_EXPORT_INTERVAL"] = os.environ["OTEL_BSP_SCHEDULE_DELAY"] = "5"

import telewright
from telewright import _grpc_calls, _grpc_stub
from tests.runtime.sample import kiln

LOG = logging.getLogger("kiln")
PATIENCE = 30.0
"""Seconds after which a child hangs."""


def work():
    """Record something of each signal."""
    with kiln.write():
        kiln.faults.add(1, code="timeout")
        LOG.warning("written")


def child():
    """Do what a child does; return its exit code."""
    if "own" in sys.argv:
        _grpc_stub._FORKED.clear()
    if "bare" in sys.argv:
        _grpc_stub._grpc_channel = None
    work()
    arrived = telewright.stop(5)
    stats = telewright.stats()
    books = (stats, stats.points, stats.logs)
    if any(book.made != book.exported + sum(book.dropped.values()) for book in books):
        return 2
    return 0 if arrived and all(book.exported for book in books) else 1


def end():
    """Fork a child; return how it ended: its exit code, or the signal that did it, below zero."""
    alive, held = os.pipe()
    pid = os.fork()
    if not pid:
        code = 3
        try:
            code = child()
        finally:
            os._exit(code)
    os.close(held)
    ended = select.select([alive], [], [], PATIENCE)[0]
    os.close(alive)
    if not ended:
        os.kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def main():
    """Fork, and print how the children ended."""
    logging.getLogger().addHandler(logging.NullHandler())
    if "hasty" in sys.argv:
        _grpc_calls.PATIENCE[0] = 0.0
    telewright.start("kiln.firing", logs=True, strict=True)
    work()
    assert telewright.flush(20)
    over = threading.Event()

    def record():
        while not over.wait(0.002):
            with kiln.heat():
                pass

    threads = [threading.Thread(target=record, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    ends = Counter(end() for _ in range(int(sys.argv[1])))
    over.set()
    for thread in threads:
        thread.join(10)
    print(json.dumps(ends), flush=True)  # noqa: T201 - what the test reads
    telewright.stop(5)
    os._exit(0)


if __name__ == "__main__":
    main()
