"""A process that forks and forks while four of its threads record; it says how that went.

`python -m tests.runtime.forks ours|fast|plain COUNT FOLDER`. A child records, ends its telemetry
and exits; one that has not done so in time is killed, and counted as hung. Standard error has how
many have ended so far, and what the threads of those that hung were at.
"""

from __future__ import annotations

import faulthandler
import json
import logging
import os
import signal
import sys
import threading
import time
from functools import partial
from pathlib import Path

PATIENCE = 20.0
"""Seconds after which a child hangs; the plain SDK's get fewer, for there are many of them."""

ABREAST = 4
EVERY = 2.0
"""Seconds from one line about the children to the next."""

DYING = 5.0
"""Seconds that a child which hangs has to write what it was at."""


class Forker:
    """Forks children a few at a time, and waits for each as long as it may take."""

    def __init__(self, work, patience):
        self._work = work
        self._patience = patience
        self._running = {}
        self._said = time.monotonic()
        self.ended = 0
        self.hung = 0
        self.failed = 0

    def fork(self):
        """Fork one more child, once there is room for it."""
        while len(self._running) >= ABREAST:
            self._reap()
        child = os.fork()
        if not child:
            code = 1
            try:
                self._work()
                code = 0
            finally:
                os._exit(code)
        self._running[child] = time.monotonic() + self._patience

    def wait(self):
        """Wait for all children."""
        while self._running:
            self._reap()

    def _reap(self):
        now = time.monotonic()
        for child, deadline in list(self._running.items()):
            gone, status = os.waitpid(child, os.WNOHANG)
            if gone:
                if status:
                    self.failed += 1
                    say(f"{child} ended with {os.waitstatus_to_exitcode(status)}")
            elif now > deadline:
                self.hung += 1
                _end(child)
            else:
                continue
            del self._running[child]
            self.ended += 1
        if now > self._said + EVERY:
            self._said = now
            say(f"{self.ended} ended, {self.hung} hung, {self.failed} failed")
        time.sleep(0.001)


def say(what):
    """Say how far this process is."""
    print(what, file=sys.stderr, flush=True)  # noqa: T201 - what the test passes on


def _end(child):
    """Have a child that hangs write what its threads are at, and end it."""
    os.kill(child, signal.SIGABRT)
    deadline = time.monotonic() + DYING
    while not os.waitpid(child, os.WNOHANG)[0]:
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return
        time.sleep(0.01)


def ours(folder, *, fast=False):
    """Return what threads do, and what children do, with our telemetry in one of its tiers."""
    import telewright
    from tests.runtime.sample import kiln
    from tests.runtime.sample.kiln import FaultCode, Stage

    os.environ["OTEL_METRIC_EXPORT_INTERVAL"] = os.environ["OTEL_BSP_SCHEDULE_DELAY"] = "20"
    telewright.start("kiln.firing", exporter="file", path=f"{folder}/", logs=True, fast=fast)
    log = logging.getLogger("kiln")
    timeouts = kiln.faults.bound({"kiln.fault_code": FaultCode.TIMEOUT})
    timeouts.add()
    add = timeouts.add

    def churn(number):
        kiln.pots.add(1, stage=Stage.COOL, batch=f"f{number}")
        kiln.faults.add(1, code="timeout")
        add(1)
        log.warning("fired %s", number)
        with kiln.heat():
            pass

    def child():
        with kiln.write() as span:
            span.set(lines=1)
        add(1)
        kiln.pots.add(1, stage=Stage.COOL, batch="x")
        if not telewright.stop(PATIENCE):
            say(f"{os.getpid()} could not export everything: {telewright.stats()}")
            os._exit(2)

    return churn, child


def plain(folder):
    """Return the same for the SDK alone, with its own readers, processors and exporters."""
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import (
        ConsoleMetricExporter,
        PeriodicExportingMetricReader,
    )
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter

    out = Path(folder, "plain.txt").open("a", encoding="utf-8")  # noqa: SIM115 - ends with us
    traces = TracerProvider(shutdown_on_exit=False)
    traces.add_span_processor(BatchSpanProcessor(ConsoleSpanExporter(out=out)))
    tracer = traces.get_tracer("plain")
    exporter = ConsoleMetricExporter(out=out)
    reader = PeriodicExportingMetricReader(exporter, export_interval_millis=20)
    meters = MeterProvider([reader], shutdown_on_exit=False)
    counter = meters.get_meter("plain").create_counter("pots")

    def churn(number):
        counter.add(1, {"batch": number % 50})
        with tracer.start_as_current_span("heat"):
            pass

    def child():
        churn(1)
        traces.shutdown()
        meters.shutdown()

    return churn, child


def main():
    """Fork, and print how many children hung or failed."""
    which, count, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    logging.getLogger().addHandler(logging.NullHandler())  # or each record would be shown
    faulthandler.enable()
    made = {"ours": ours, "fast": partial(ours, fast=True), "plain": plain}
    churn, child = made[which](folder)
    over = threading.Event()

    def record():
        number = 0
        while not over.wait(0.001):
            number += 1
            churn(number)

    threads = [threading.Thread(target=record, daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    forker = Forker(child, 2.0 if which == "plain" else PATIENCE)
    begun = time.monotonic()
    for _ in range(count):
        forker.fork()
    forker.wait()
    took = time.monotonic() - begun
    say(f"{forker.ended} ended; counting what they wrote")
    over.set()
    for thread in threads:
        thread.join(10)
    wrote = 0
    if which != "plain":
        import telewright

        telewright.stop(30)
        for file in Path(folder).glob("*.jsonl"):  # the system gives a number away again
            if file.name.endswith(f"-{os.getpid()}.jsonl"):
                continue
            text = file.read_text("utf-8")
            if "kiln.pots_total" in text and "kiln.faults_total" in text:
                wrote += text.count('"name":"kiln.write"')
    said = {"hung": forker.hung, "failed": forker.failed, "wrote": wrote, "seconds": took}
    print(json.dumps(said), flush=True)  # noqa: T201 - what the test reads
    os._exit(0)


if __name__ == "__main__":
    main()
