"""One cell of the table: runs the program against its fault, and says what came of it."""

from __future__ import annotations

import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from tests.runtime.faults.peer import Peer
from tests.runtime.faults.table import BY_NAME, PROTOCOLS, SIGNALS, Fault

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 60.0
ABREAST = 6
"""Cells that run at once: most of them wait."""

PROGRAM = "tests.runtime.faults.program"


@dataclass
class Outcome:
    """What a program said, what arrived of it, and how it ended.

    Attributes:
        code: The exit code; None if it had to be killed.
        seconds: From the end of its work to the end of the process.
        crowd: How many processes wanted each processor meanwhile.
        books: What telemetry's books said at the end, one for each process.
        made: The ids of what was made; *phases* says when.
        arrived: The ids that arrived, as often as they did.
        points: Metric points that arrived, each time they did.
        counts: What was counted of each item, by process.
        values: The greatest value of each series that arrived, by process.
        done: What it said of its work; None if it did not get there.
    """

    name: str
    code: int | None = None
    seconds: float = 0.0
    crowd: float = 1.0
    books: list[dict] = field(default_factory=list)
    made: Counter = field(default_factory=Counter)
    phases: dict[str, list[str]] = field(default_factory=dict)
    arrived: Counter = field(default_factory=Counter)
    points: Counter = field(default_factory=Counter)
    counts: dict[int, dict[str, int]] = field(default_factory=dict)
    values: dict[int, dict[str, int]] = field(default_factory=dict)
    inverted: list[str] = field(default_factory=list)
    harmed: list[str] = field(default_factory=list)
    ready: dict | None = None
    done: dict | None = None
    errors: str = ""

    @property
    def total(self):
        """The books of all processes, added up: made, exported, and dropped by reason."""
        dropped = sum((Counter(book["dropped"]) for book in self.books), Counter())
        return (
            sum(book["made"] for book in self.books),
            sum(book["exported"] for book in self.books),
            dict(dropped),
        )


def run_all(cells, folder, collector):
    """Run *cells*, some abreast, each watched by a process; return the outcome of each."""
    endpoints = collector.endpoints
    watchers = min(ABREAST, len(cells) // 4 or 1)
    with ProcessPoolExecutor(watchers, get_context("spawn")) as pool:
        jobs = {cell: pool.submit(run, *cell, str(folder), endpoints) for cell in cells}
        found = {cell: job.result() for cell, job in jobs.items()}
    for (name, signal, protocol), outcome in found.items():
        if name == "none" and protocol != "file":
            _await(collector, signal, outcome)
    return found


def run(name, signal, protocol, folder, endpoints):
    """Run one cell: fault *name*, *signal* by *protocol*; *endpoints* are a real collector's."""
    fault = BY_NAME[name]
    outcome = Outcome(f"{name}-{signal}-{protocol}".replace(" ", "_"))
    cell = {"fault": name, "signal": signal, "protocol": protocol, "name": outcome.name}
    with ExitStack() as stack:
        peer = None
        env = {**os.environ, "TELEWRIGHT_RUN_ID": outcome.name}
        env.pop("GRPC_ENABLE_FORK_SUPPORT", None)  # that is for this process
        if protocol == "file":
            cell["path"] = str(Path(folder) / f"{cell['name']}.jsonl")
        else:
            peer = stack.enter_context(Peer(protocol, keeps=name != "no descriptors"))
            spoken = "grpc" if protocol == "grpc" else "http/protobuf"
            env["OTEL_EXPORTER_OTLP_PROTOCOL"] = spoken
            env["OTEL_EXPORTER_OTLP_ENDPOINT"] = (
                endpoints[spoken] if name == "none" else _endpoint(fault, peer, stack, folder)
            )
        _follow(cell, env, peer, outcome, folder)
        if protocol == "file":
            _read_file(cell["path"], signal, outcome)
        elif name != "none":  # a collector hands on later
            _keep(peer.accepted, signal, outcome)
    return outcome


def _keep(requests, signal, outcome):
    """Read the requests of one signal."""
    outcome.arrived.clear()
    outcome.points.clear()
    outcome.values.clear()
    for request in [request for of, request in list(requests) if of == signal]:
        _read(signal, request, outcome)


def _await(collector, signal, outcome):
    """Read what the collector handed on, which several cells share, once it is whole."""

    def is_whole(requests):
        _keep([one for one in list(requests) if _run(one[1]) == outcome.name], signal, outcome)
        there = outcome.points if signal == "metrics" else outcome.arrived
        return sum(there.values()) >= outcome.total[1]

    collector.received(is_whole)


def _run(request):
    """Return the run that a request belongs to, by what its resource says."""
    name = request.DESCRIPTOR.fields[0].name
    said = _said(getattr(request, name)[0], "nemo.run.id")
    return None if said is None else said.string_value


def _said(resource, key):
    """Return what *resource* says under *key*."""
    return next((one.value for one in resource.resource.attributes if one.key == key), None)


def _endpoint(fault: Fault, peer: Peer, stack: ExitStack, folder: Path) -> str:
    if fault.endpoint == "DNS":
        return "http://collector.invalid:4318"
    if fault.endpoint == "no TLS":
        return peer.url.replace("http://127.0.0.1", "https://localhost")
    if fault.endpoint == "untrusted":
        return f"https://localhost:{stack.enter_context(Untrusted(folder)).port}"
    return peer.url


def _follow(cell, env, peer, outcome, folder):
    """Run the program, arm the fault when it is ready, and keep what it says."""
    errors = Path(folder) / f"{cell['name']}.err"
    with errors.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", PROGRAM, json.dumps(cell)],
            cwd=ROOT,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
        )
    watch = threading.Timer(PATIENCE, process.kill)
    watch.start()
    told = {}
    for line in process.stdout:
        said = json.loads(line)
        what = said.pop("what")
        if what == "made":
            outcome.made[said["item"]] += 1
            outcome.counts.setdefault(said["pid"], {})[said["item"]] = said["count"]
            outcome.phases.setdefault(said["phase"], []).append(said["item"])
        elif what == "books":
            told[said.pop("pid")] = said  # the last word of each process counts
        elif what == "ready":
            outcome.ready = said
            if peer is not None:
                peer.arm(cell["fault"])
            with suppress(OSError):
                process.stdin.write(b"go\n")
                process.stdin.flush()
        elif what == "harmed":
            outcome.harmed.append(said["why"])
        elif what == "done":
            outcome.done = said
    code = process.wait()
    if outcome.done is not None:
        outcome.seconds = time.monotonic() - outcome.done["at"]
    outcome.crowd = os.getloadavg()[0] / (os.cpu_count() or 1)
    outcome.code = code if watch.is_alive() else None
    watch.cancel()
    process.stdin.close()
    process.stdout.close()
    outcome.books = list(told.values())
    outcome.errors = errors.read_text("utf-8", "replace")


def _read(signal, request, outcome):
    """Add what one accepted request holds."""
    {"traces": _read_spans, "metrics": _read_points, "logs": _read_logs}[signal](request, outcome)


def _read_spans(request, outcome):
    for scope in _scopes(request.resource_spans, "scope_spans"):
        for span in scope.spans:
            outcome.arrived[span.span_id.hex()] += 1
            if span.end_time_unix_nano < span.start_time_unix_nano:
                outcome.inverted.append(span.name)


def _read_points(request, outcome):
    for one in request.resource_metrics:
        values = outcome.values.setdefault(_said(one, "process.pid").int_value, {})
        for scope in one.scope_metrics:
            if scope.scope.name != "telewright.self":  # the books themselves are in no book
                _read_metrics(scope.metrics, values, outcome)


def _read_metrics(metrics, values, outcome):
    for metric in metrics:
        for point in getattr(metric, metric.WhichOneof("data")).data_points:
            series = tuple(sorted(pair.value.string_value for pair in point.attributes))
            outcome.points[metric.name, *series, point.time_unix_nano] += 1
            if metric.name == "kiln.guests_total":
                outcome.arrived[series[0]] += 1
                values[series[0]] = max(values.get(series[0], 0), point.as_int)


def _read_logs(request, outcome):
    for scope in _scopes(request.resource_logs, "scope_logs"):
        for record in scope.log_records:
            outcome.arrived[f"{scope.scope.name}|{record.body.string_value}"[:80]] += 1


def _scopes(resources, name):
    return [scope for resource in resources for scope in getattr(resource, name)]


def _read_file(path, signal, outcome):
    """Read a file of OTLP JSON as any other program would, and add what is in it."""
    from google.protobuf.json_format import ParseDict

    from tests.runtime.faults.peer import REQUESTS

    for line in Path(path).read_text("utf-8").splitlines():
        data = json.loads(line)
        ids = ("traceId", "spanId", "parentSpanId")
        request = ParseDict(_without_hex(data, ids), REQUESTS[signal][0]())
        _read(signal, request, outcome)


def _without_hex(value, ids):
    from base64 import b64encode

    if isinstance(value, dict):
        return {
            key: b64encode(bytes.fromhex(one)).decode() if key in ids else _without_hex(one, ids)
            for key, one in value.items()
        }
    return [_without_hex(one, ids) for one in value] if isinstance(value, list) else value


class Untrusted:
    """Speaks TLS with a certificate that nobody vouches for."""

    def __init__(self, folder):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with tempfile.TemporaryDirectory(dir=folder) as own:
            context.load_cert_chain(*certificate(own))
        self._context = context
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_error):
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self):
        with suppress(OSError):
            while True:
                end, _ = self._listener.accept()
                threading.Thread(target=self._greet, args=(end,), daemon=True).start()

    def _greet(self, end):
        with (
            suppress(OSError, ssl.SSLError),
            self._context.wrap_socket(end, server_side=True) as secure,
        ):
            secure.recv(1)


def certificate(folder):
    """Make a key and a certificate of its own; return their files."""
    files = [f"{folder}/cert.pem", f"{folder}/key.pem"]
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
            *("-out", files[0], "-keyout", files[1]),
        ],
        check=True,
        capture_output=True,
    )
    return files


def has_openssl():
    """Say whether a certificate can be made here."""
    return shutil.which("openssl") is not None


def every_cell():
    """Return every cell of the table."""
    return [
        (name, signal, protocol) for name in BY_NAME for signal in SIGNALS for protocol in PROTOCOLS
    ]
