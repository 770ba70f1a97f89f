"""A real collector: rotel receives OTLP as a backend would, and hands on what it received."""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import socket
import subprocess
import sysconfig
import threading
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from demo.otlp import Export, read
from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

REQUESTS = {"/v1/traces": ExportTraceServiceRequest, "/v1/metrics": ExportMetricsServiceRequest}
IDS = {"traceId", "spanId", "parentSpanId"}
PATIENCE = 20.0


def binary() -> tuple[Path, dict[str, str]]:
    """Return the collector's program and its environment, or skip the test that asks, visibly."""
    spec = importlib.util.find_spec("rotel")
    if spec is None or spec.origin is None:
        pytest.skip("the collector has no wheel for this machine")
    program = Path(spec.origin).with_name("rotel-agent")
    # It is linked with the shared library of the Python that it was made for.
    library = str(sysconfig.get_config_var("LIBDIR"))
    env = {**os.environ, "LD_LIBRARY_PATH": f"{library}:{os.environ.get('LD_LIBRARY_PATH', '')}"}
    done = subprocess.run(
        [program, "--version"], env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip(f"the collector does not run here: {done.stderr.strip()}")
    return program, env


class Collector:
    """The addresses of a running collector, and what it has received so far."""

    def __init__(self, folder: Path, grpc: int, http: int) -> None:
        self._folder = folder
        self.grpc = f"http://127.0.0.1:{grpc}"
        self.http = f"http://127.0.0.1:{http}"

    def environment(self, protocol: str = "http/protobuf") -> dict[str, str]:
        """Return the variables that send a process's telemetry here."""
        return {
            "OTEL_EXPORTER_OTLP_PROTOCOL": protocol,
            "OTEL_EXPORTER_OTLP_ENDPOINT": self.grpc if protocol == "grpc" else self.http,
        }

    def export(self, spans: int) -> Export:
        """Return everything received, once there are *spans* spans or patience ends."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            export = read(self._folder)
            if len(export.spans) >= spans:
                break
            time.sleep(0.05)
        return read(self._folder)


@contextmanager
def collector(folder: Path) -> Iterator[Collector]:
    """Run a collector that hands everything on to files in *folder*."""
    program, env = binary()
    files = Files(folder)
    ports = [_free_port() for _ in range(2)]
    command = [
        *(str(program), "start", "--exporter", "otlp", "--disable-batching"),
        *("--otlp-exporter-protocol", "http", "--otlp-exporter-endpoint", files.address),
        *("--otlp-grpc-endpoint", f"127.0.0.1:{ports[0]}"),
        *("--otlp-http-endpoint", f"127.0.0.1:{ports[1]}"),
    ]
    with files, (folder / "collector.log").open("wb") as log:
        process = subprocess.Popen(command, env=env, stdout=log, stderr=log)
        try:
            for port in ports:
                _wait_for(port, process)
            yield Collector(folder, *ports)
        finally:
            process.terminate()
            process.wait(PATIENCE)


class Files:
    """Where the collector sends what it received: one line of OTLP JSON for each request."""

    def __init__(self, folder: Path) -> None:
        lock = threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:  # http.server's name for it
                body = self.rfile.read(int(self.headers["content-length"]))
                if self.headers.get("content-encoding") == "gzip":
                    body = gzip.decompress(body)
                message = REQUESTS[self.path].FromString(body)
                line = json.dumps(_hex(MessageToDict(message, use_integers_for_enums=True)))
                with lock, (folder / "received.jsonl").open("a") as file:
                    file.write(line + "\n")
                self.send_response(200)
                self.send_header("content-type", "application/x-protobuf")
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> None:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def _hex(value):
    if isinstance(value, dict):
        return {
            key: b64decode(item).hex() if key in IDS else _hex(item) for key, item in value.items()
        }
    return [_hex(item) for item in value] if isinstance(value, list) else value


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    pytest.fail("the collector did not start")
