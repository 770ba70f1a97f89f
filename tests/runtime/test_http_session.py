"""Answers over http that are none: they end, cost their own batch, and the next one arrives."""

from __future__ import annotations

import pytest

import telewright
from tests.runtime.faults.peer import Peer
from tests.runtime.sample import kiln


@pytest.mark.parametrize(
    ("fault", "timeout"), [("302", "5"), ("trickle", "1"), ("huge reply", "60")]
)
def test_an_answer_that_is_none_costs_its_own_batch(fault, timeout, monkeypatch):
    """A redirect, a byte now and then, more than anybody reads: failed, and it is over."""
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", timeout)
    with Peer("http") as peer:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", peer.url)
        with telewright.start("kiln.firing", metrics=False):
            peer.arm(fault)
            with kiln.heat():
                pass
            assert not telewright.flush(20)
            assert telewright.stats().dropped == {"export_failed": 1}
            peer.arm("")
            with kiln.heat():
                pass
            assert telewright.flush(20)
        books = telewright.stats()
    assert (books.made, books.exported, books.dropped) == (2, 1, {"export_failed": 1})
    assert len(peer.accepted) == 1
