"""A real collector, of another make, that hands what it receives on to where it is decoded."""

from __future__ import annotations

import time

from tests.runtime.collector import Collector
from tests.runtime.faults.peer import Peer

_PATIENCE = 15.0


class Through(Collector):
    """A collector with a receiver behind it that keeps every request."""

    def __init__(self, folder):
        super().__init__(folder)
        self._sink = Peer("http")

    def __exit__(self, *error):
        super().__exit__(*error)
        self._sink.__exit__()

    def _outlet(self):
        where = ("--otlp-exporter-protocol", "http", "--otlp-exporter-endpoint", self._sink.url)
        return ("--exporter", "otlp", "--disable-batching", *where)

    def received(self, is_whole):
        """Return every request handed on, once *is_whole* says so of them, or patience ends."""
        deadline = time.monotonic() + _PATIENCE
        while not is_whole(self._sink.accepted) and time.monotonic() < deadline:
            time.sleep(0.05)
        return list(self._sink.accepted)
