"""Telemetry and the application's random numbers."""

from __future__ import annotations

import random

import pytest

import telewright
from tests.runtime.collector import free_port
from tests.runtime.sample import kiln

KNOWN = random.Random(7)  # noqa: S311 - the stream is the claim
EXPECTED = [KNOWN.random() for _ in range(3)]


@pytest.mark.parametrize("protocol", ["http/protobuf", "grpc"])
@pytest.mark.behaviour("B090")
def test_an_export_that_is_tried_again_moves_no_stream(protocol, monkeypatch):
    """How long an exporter waits before it tries again is not drawn from what a program seeds."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", protocol)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{free_port()}")
    random.seed(7)
    telewright.start("kiln.firing")
    with kiln.heat():
        pass
    assert not telewright.stop(0.5)
    assert [random.random() for _ in range(3)] == EXPECTED  # noqa: S311 - seeded
