"""Real runs of the leaky program, to a file and to a collector, and what can be read of them."""

from __future__ import annotations

import base64
import json
import os
import re
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote

import pytest

from tests.runtime.collector import environment, free_port, installed

_ROOT = Path(__file__).resolve().parents[3]
_BLOB = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_PATIENCE = 20


def run(folder, module="tests.runtime.redaction.leaky", **environment):
    """Run a program and return all that it wrote to its terminal."""
    done = subprocess.run(
        [sys.executable, "-m", module, str(free_port())],
        cwd=_ROOT,
        env={
            **{key: one for key, one in os.environ.items() if not key.startswith("OTEL_")},
            "TELEWRIGHT_EXCEPTION_TEXT": "1",
            "PYTHONPATH": os.pathsep.join([str(_ROOT), str(_ROOT / "runtime")]),
            "TELEWRIGHT_PATH": str(folder / "out.jsonl"),
            **environment,
        },
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()[-4000:]
    return (done.stdout + done.stderr).decode("utf-8", "replace")


@contextmanager
def collector(folder):
    """Run a real collector that prints what it receives; yield its address and its output."""
    program = installed()
    if program is None:
        pytest.skip("rotel is not installed, or does not run here")
    out, port = folder / "collector.txt", free_port()
    with out.open("wb") as file:
        process = subprocess.Popen(
            [
                program,
                *("start", "--exporter", "blackhole", "--debug-log-verbosity", "detailed"),
                *("--debug-log", "traces", "--debug-log", "metrics", "--debug-log", "logs"),
                *("--otlp-http-endpoint", f"127.0.0.1:{port}"),
                *("--otlp-grpc-endpoint", f"127.0.0.1:{free_port()}"),
                *("--pid-file", str(folder / "pid")),
            ],
            env=environment(),
            stdout=file,
            stderr=subprocess.STDOUT,
        )
        try:
            _await(port)
            yield f"http://127.0.0.1:{port}", out
            time.sleep(1)
        finally:
            process.terminate()
            process.wait(_PATIENCE)


def _await(port):
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise TimeoutError("the collector did not start")


@lru_cache
def left(exporter, redaction, module="tests.runtime.redaction.leaky"):
    """Return all that left a run: exported bytes, files, and what it and the collector printed."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        if exporter == "file":
            options = {"TELEWRIGHT_EXPORTER": "file", "TELEWRIGHT_REDACTION": redaction}
            said = run(folder, module, **options)
            files = (path for path in folder.rglob("*") if path.is_file())
            return "\n".join([said, *(path.read_text("utf-8", "replace") for path in files)])
        with collector(folder) as (address, out):
            options = {"OTEL_EXPORTER_OTLP_ENDPOINT": address, "TELEWRIGHT_REDACTION": redaction}
            said = run(folder, module, **options)
        return said + out.read_text("utf-8", "replace")


def readable(text):
    """Return *text* and what its escapes and encodings stand for."""
    found = [text, unquote(text)]
    for blob in set(_BLOB.findall(text)):
        try:
            found.append(base64.b64decode(blob + "=" * (-len(blob) % 4)).decode())
        except ValueError:
            continue
    return "\n".join(found)


def texts(text):
    """Return every text in the JSON lines of *text*, each once."""
    found = set()

    def walk(one):
        if isinstance(one, dict):
            for value in one.values():
                walk(value)
        elif isinstance(one, list):
            for value in one:
                walk(value)
        elif isinstance(one, str):
            found.add(one)

    for line in text.splitlines():
        if line.startswith("{"):
            walk(json.loads(line))
    return sorted(found)
