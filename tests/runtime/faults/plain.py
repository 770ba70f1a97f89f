"""The same faults for the SDK alone: what its own processor and exporter make of them.

Run as a program, it is the application; `run_plain` runs it under a receiver of ours.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
ASKED = 1.0
"""Seconds that the flush may take."""


def run_plain(fault, folder):
    """Run the SDK against *fault*; return how long its flush took, and what it said."""
    from tests.runtime.faults.peer import Peer

    with Peer("http") as peer, (Path(folder) / "plain.err").open("wb") as errors:
        peer.arm(fault)
        done = subprocess.run(
            [sys.executable, "-m", "tests.runtime.faults.plain"],
            cwd=ROOT,
            env={**os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": peer.url},
            stdout=subprocess.PIPE,
            stderr=errors,
            check=False,
            timeout=120,
        )
        return {**json.loads(done.stdout), "arrived": len(peer.accepted), "asked": ASKED}


def main():
    """Record one span, flush, and say what that was like."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    provider.get_tracer("plain").start_span("plain").end()
    begun = time.monotonic()
    flushed = provider.force_flush(int(ASKED * 1000))
    said = {"took": time.monotonic() - begun, "flushed": flushed}
    os.write(1, json.dumps(said).encode())
    os._exit(0)


if __name__ == "__main__":
    main()
