"""Metrics that are due by themselves while telemetry stops."""

from __future__ import annotations

import time

import pytest

import telewright
from telewright import _start
from tests.runtime.sample import kiln


@pytest.mark.parametrize("fast", [False, True], ids=["standard", "fast"])
def test_a_round_that_nobody_asked_for_makes_no_stop_a_failure(receiver, monkeypatch, fast):
    """They are in the last flush, or nowhere.

    Were a round begun after that flush, it would be in the air when the exporter is closed.
    """
    monkeypatch.setenv("OTEL_METRIC_EXPORT_INTERVAL", "10")
    telewright.start("kiln.firing", fast=fast)
    kiln.loaded.add(1)
    pipeline = _start.STATE.pipeline
    flush = pipeline.flush

    def flushing(deadline):
        arrived = flush(deadline)
        receiver.delay = 1.0
        time.sleep(0.1)  # ten times as long as one waits for a round by itself
        return arrived

    monkeypatch.setattr(pipeline, "flush", flushing)
    assert telewright.stop(0.8)
    books = telewright.stats()
    assert books.points.made == books.points.exported
