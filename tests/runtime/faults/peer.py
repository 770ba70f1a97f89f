"""An OTLP receiver that misbehaves once it is told to: http, and gRPC, behind a wire of its own.

What it accepts it decodes itself; nothing of the runtime is in it. A request counts as accepted
only if the sender was told so, whole.
"""

from __future__ import annotations

import gzip
import os
import socket
import struct
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")  # this process forks only to run others

import grpc
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import RetryInfo
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import (
    ExportLogsServiceRequest,
    ExportLogsServiceResponse,
)
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
    ExportMetricsServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)

REQUESTS = {
    "traces": (ExportTraceServiceRequest, ExportTraceServiceResponse),
    "metrics": (ExportMetricsServiceRequest, ExportMetricsServiceResponse),
    "logs": (ExportLogsServiceRequest, ExportLogsServiceResponse),
}
REJECTED = {
    "traces": "rejected_spans",
    "metrics": "rejected_data_points",
    "logs": "rejected_log_records",
}
METHODS = {
    f"/opentelemetry.proto.collector.{package}.v1.{name}Service/Export": signal
    for signal, package, name in (
        ("traces", "trace", "Trace"),
        ("metrics", "metrics", "Metrics"),
        ("logs", "logs", "Logs"),
    )
}
GRPC_STATUS = {
    400: grpc.StatusCode.INVALID_ARGUMENT,
    429: grpc.StatusCode.RESOURCE_EXHAUSTED,
    500: grpc.StatusCode.INTERNAL,
    503: grpc.StatusCode.UNAVAILABLE,
}
_HOUR = 3600
_HUGE = 64 << 20
_CUT = {"http": 220, "grpc": 12}
"""Bytes of a reply that get through: into the body, and into the first frame."""


class Peer:
    """Listens for one protocol on a port of its own; well until `fault` says otherwise.

    Attributes:
        keeps: Whether it keeps connections over http.
        accepted: Every request that was accepted, with its signal.
        fault: How it misbehaves from now on; see `table`.
        rejects: How many items of each request it says that it does not keep, and why.
    """

    def __init__(self, protocol: str, *, keeps: bool = True) -> None:
        self.protocol = protocol
        self.keeps = keeps
        self.accepted: list[tuple[str, object]] = []
        self.fault = ""
        self.rejects = (0, "")
        self._refusals = 0
        self._over = threading.Event()
        self._behind = _Http(self) if protocol == "http" else _Grpc(self)
        self._wire = Wire(self, self._behind.port)
        self.url = f"http://127.0.0.1:{self._wire.port}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        self._wire.close()
        self._behind.close()

    def arm(self, fault: str) -> None:
        """Misbehave from now on."""
        self.fault = fault
        if fault == "refused":
            self._wire.close()
        elif fault == "no descriptors":
            self._wire.cut()

    def take(self, signal: str, body: bytes) -> tuple[int, int | None]:
        """Accept one request or do not; return the status, and when to come back."""
        request = REQUESTS[signal][0].FromString(body)
        fault = self.fault
        if fault == "slow":
            self._over.wait(1.0)
        elif fault == "429, then well":
            self._refusals += 1
            if self._refusals == 1:
                return 429, 1
        elif fault == "429":
            return 429, _HOUR
        elif fault.isdigit():
            return int(fault), None
        elif fault in {"huge reply", "truncated reply"}:
            return 200, None
        self.accepted.append((signal, request))
        return 200, None

    def reply(self, signal: str) -> bytes:
        """Return what an accepted request is answered with."""
        made = REQUESTS[signal][1]()
        number, why = self.rejects
        if number:
            setattr(made.partial_success, REJECTED[signal], number)
            made.partial_success.error_message = why
        if self.fault == "truncated reply":
            made.partial_success.error_message = "x" * 4096
        if self.fault == "huge reply" and self.protocol == "grpc":
            made.partial_success.error_message = "x" * _HUGE
        return made.SerializeToString()


class _Http:
    def __init__(self, peer: Peer) -> None:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # a reply in one piece

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                signal = self.path.rpartition("/")[2]
                status, later = peer.take(signal, body)
                reply = peer.reply(signal) if status == 200 else b"refused"
                self.send_response(status)
                if later is not None:
                    self.send_header("Retry-After", str(later))
                if not peer.keeps:
                    self.send_header("Connection", "close")
                self.send_header("Content-Length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            def log_message(self, *_arguments: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.handle_error = lambda *_: None  # what a wire cut is no news
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Grpc(grpc.GenericRpcHandler):
    def __init__(self, peer: Peer) -> None:
        self._peer = peer
        self._server = grpc.server(ThreadPoolExecutor(4), handlers=[self])
        self.port = self._server.add_insecure_port("127.0.0.1:0")
        self._server.start()

    def service(self, call: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler | None:
        signal = METHODS[call.method]

        def export(body: bytes, context: grpc.ServicerContext) -> bytes:
            status, later = self._peer.take(signal, body)
            if later is not None:
                info = RetryInfo(retry_delay=Duration(seconds=later)).SerializeToString()
                context.set_trailing_metadata([("google.rpc.retryinfo-bin", info)])
            if status != 200:
                context.abort(GRPC_STATUS[status], "refused")
            return self._peer.reply(signal)

        return grpc.unary_unary_rpc_method_handler(export)

    def close(self) -> None:
        self._server.stop(None)


class Wire:
    """Stands between a sender and a receiver, and cuts, holds up or makes up what passes."""

    def __init__(self, peer: Peer, behind: int) -> None:
        self._peer = peer
        self._behind = behind
        self._ends: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Listen no more, and end what is connected."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def cut(self) -> None:
        """End what is connected."""
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._behind))
                self._ends += [near, far]
                for pump in (self._up, self._down):
                    threading.Thread(target=pump, args=(near, far), daemon=True).start()

    def _up(self, near: socket.socket, far: socket.socket) -> None:
        """Hand on what the sender says."""
        with suppress(OSError):
            while data := near.recv(65536):
                fault = self._peer.fault
                if fault == "reset":
                    near.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    break
                if fault == "redirect":
                    near.sendall(
                        b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\n"
                        b"Content-Length: 0\r\n\r\n"
                    )
                elif fault == "huge reply" and self._peer.protocol == "http":
                    near.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
                    while True:
                        near.sendall(bytes(1 << 16))
                elif fault == "trickle":
                    self._trickle(near)
                elif fault != "hang":
                    far.sendall(data)
        near.close()  # at once, if it lingers for nothing: that is a reset
        with suppress(OSError):
            far.shutdown(socket.SHUT_RDWR)

    def _trickle(self, near: socket.socket) -> None:
        """Begin a reply that never ends, one byte now and then."""
        with suppress(OSError):
            near.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            while True:
                near.sendall(b"x")
                time.sleep(0.1)

    def _down(self, near: socket.socket, far: socket.socket) -> None:
        """Hand on what the receiver answers."""
        with suppress(OSError):
            while data := far.recv(65536):
                fault = self._peer.fault
                if fault == "truncated reply":
                    near.sendall(data[: _CUT[self._peer.protocol]])
                    break
                if fault != "hang":
                    near.sendall(data)
        for end in (near, far):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        far.close()
