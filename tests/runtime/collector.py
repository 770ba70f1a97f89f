"""A real collector, of another make, and what it says that it received."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sysconfig
import time
from functools import cache
from importlib.util import find_spec
from pathlib import Path

_SPAN = re.compile(
    r"Trace ID +: (?P<trace>\w+)\n +Parent ID +: (?P<parent>\w*)\n +ID +: (?P<id>\w+)\n"
    r" +Name +: (?P<name>\S+)\n"
)
_ATTRIBUTE = re.compile(r"-> (\S+): (?:Str|Int|Bool|Double)\((.*)\)\n")


@cache
def installed():
    """Return the collector's program, or None if there is none that starts."""
    spec = find_spec("rotel")
    if spec is None or spec.origin is None:
        return None
    program = Path(spec.origin).with_name("rotel-agent")
    try:
        subprocess.run([program, "--version"], env=environment(), check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return program


def environment():
    """Return an environment in which the program finds the interpreter's library."""
    return {**os.environ, "LD_LIBRARY_PATH": sysconfig.get_config_var("LIBDIR")}


def free_port():
    """Return a port that nobody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Collector:
    """Runs on two free ports of this machine, and logs all it receives."""

    def __init__(self, folder):
        self._log = folder / "collector.log"
        self._folder = folder
        self.endpoints = {
            "http/protobuf": f"http://127.0.0.1:{free_port()}",
            "grpc": f"http://127.0.0.1:{free_port()}",
        }

    def __enter__(self):
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [
                    str(installed()),
                    "start",
                    *self._outlet(),
                    *("--pid-file", str(self._folder / "collector.pid")),
                    *("--otlp-grpc-endpoint", self.endpoints["grpc"].removeprefix("http://")),
                    "--otlp-http-endpoint",
                    self.endpoints["http/protobuf"].removeprefix("http://"),
                ],
                env=environment(),
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        for endpoint in self.endpoints.values():
            self._await(endpoint)
        return self

    def __exit__(self, *_error):
        self._process.terminate()
        self._process.wait(10)

    def _outlet(self):
        """Return the options that say what becomes of what is received: it is logged."""
        logs = ("--debug-log", "traces", "--debug-log", "metrics")
        return ("--exporter", "blackhole", *logs, "--debug-log-verbosity", "detailed")

    def _await(self, endpoint):
        host, _, port = endpoint.removeprefix("http://").partition(":")
        for _ in range(200):
            try:
                socket.create_connection((host, int(port)), timeout=1).close()
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise TimeoutError(endpoint)

    def _text(self, wanted):
        """Return what was logged, once it is *wanted* bytes of sense; the log lags behind."""
        for _ in range(100):
            text = self._log.read_text("utf-8", "replace")
            if wanted(text):
                return text
            time.sleep(0.05)
        return text

    def spans(self, count):
        """Return the spans received, by name, once there are *count*."""
        text = self._text(lambda logged: len(_SPAN.findall(logged)) >= count)
        found = list(_SPAN.finditer(text))
        ends = [match.start() for match in found[1:]] + [len(text)]
        spans = []
        for match, end in zip(found, ends, strict=True):
            rest = text[match.end() : end].partition("ResourceMetrics #")[0]
            own = rest.partition("Events:")[0]
            spans.append(
                {**match.groupdict(), "attributes": dict(_ATTRIBUTE.findall(own)), "text": rest}
            )
        return spans

    def metric(self, name):
        """Return what was logged of a metric."""
        mark = f"-> Name: {name}\n"
        text = self._text(lambda logged: mark in logged)
        return text.partition(mark)[2].partition("Descriptor:")[0]
