"""An OTLP receiver over http, independent of what it checks: decodes requests and keeps them."""

from __future__ import annotations

import gzip
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class Receiver:
    """Listens on a free port of this machine; may be told to misbehave."""

    def __init__(self):
        self.traces = []
        self.metrics = []
        self.logs = []
        self.status = 200
        self.delay = 0.0
        self.answer = b""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_error):
        self._server.shutdown()
        self._server.server_close()

    def _handler(self):
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                time.sleep(receiver.delay)
                if receiver.status == 200:
                    if self.path.endswith("/v1/traces"):
                        receiver.traces.append(ExportTraceServiceRequest.FromString(body))
                    elif self.path.endswith("/v1/logs"):
                        receiver.logs.append(ExportLogsServiceRequest.FromString(body))
                    else:
                        receiver.metrics.append(ExportMetricsServiceRequest.FromString(body))
                self.send_response(receiver.status)
                self.send_header("Content-Length", str(len(receiver.answer)))
                self.end_headers()
                self.wfile.write(receiver.answer)

            def log_message(self, *_arguments):
                """Say nothing."""

        return Handler

    @property
    def spans(self):
        """Every span received."""
        return [
            span
            for request in self.traces
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def span(self, name):
        """The one span of a name."""
        (found,) = [span for span in self.spans if span.name == name]
        return found

    @property
    def resource(self):
        """What the last process said of itself."""
        return values(self.traces[-1].resource_spans[0].resource.attributes)

    @property
    def metric_names(self):
        """The names of all metrics received but those about telemetry itself."""
        return {
            metric.name
            for scope in self.metric_scopes
            if scope.scope.name != "telewright.self"
            for metric in scope.metrics
        }

    @property
    def metric_scopes(self):
        """Every scope received, with its metrics."""
        return [
            scope
            for request in self.metrics
            for resource in request.resource_metrics
            for scope in resource.scope_metrics
        ]

    def points(self, name):
        """The points of a metric as it was received last, by the values of their attributes."""
        return {
            tuple(values(point.attributes).values()): getattr(point, point.WhichOneof("value"))
            for point in (self.exports(name) or [()])[-1]
        }

    def exports(self, name):
        """The points of a metric, all of them, each time that it was received."""
        return [
            list(getattr(metric, metric.WhichOneof("data")).data_points)
            for scope in self.metric_scopes
            for metric in scope.metrics
            if metric.name == name
        ]


def values(attributes):
    """OTLP's attributes as a dictionary."""
    return {pair.key: value(pair.value) for pair in attributes}


def value(any_value):
    """One value of OTLP as Python has it."""
    kind = any_value.WhichOneof("value")
    if kind == "array_value":
        return [value(item) for item in any_value.array_value.values]
    return None if kind is None else getattr(any_value, kind)
