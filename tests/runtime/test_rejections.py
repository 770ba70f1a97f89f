"""Partial success: what a receiver takes and says that it did not keep is dropped in the books."""

from __future__ import annotations

import logging

import pytest

import telewright
from tests.runtime.faults.peer import Peer
from tests.runtime.sample import kiln
from tests.runtime.sample.kiln import Stage

PROTOCOLS = {"http": "http/protobuf", "grpc": "grpc"}


@pytest.fixture(params=PROTOCOLS)
def peer(request, monkeypatch):
    """Return a receiver of one protocol, to which exporters are led by the environment."""
    with Peer(request.param) as made:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_PROTOCOL", PROTOCOLS[request.param])
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", made.url)
        yield made
        telewright.stop(timeout=1)  # while there is somebody to take what is left


def started(signal):
    """Start telemetry of one signal."""
    kinds = {name: name == signal for name in ("traces", "metrics", "logs")}
    return telewright.start("kiln.firing", strict=True, **kinds)


def record(signal):
    """Record three items of a signal; of metrics, a flush makes three of that once."""
    for stage in Stage:
        if signal == "traces":
            with kiln.heat():
                pass
        elif signal == "metrics":
            kiln.pots.add(1, stage=stage, batch="b")
        else:
            logging.getLogger("pottery").warning("%s", stage.value)


def book(signal):
    """Return the books of a signal."""
    stats = telewright.stats()
    return {"traces": stats, "metrics": stats.points, "logs": stats.logs}[signal]


@pytest.mark.parametrize("signal", ["traces", "metrics", "logs"])
def test_what_is_rejected_is_dropped_and_the_rest_is_exported(peer, signal, caplog):
    """Two of three: the flush says so, the books and one line in the log know how many, and why."""
    with started(signal):
        record(signal)
        peer.rejects = (2, "older than an hour")
        assert not telewright.flush()
        assert "a receiver rejected 2 items: older than an hour" in caplog.text
        before = book(signal)
        assert before.dropped == {"rejected": 2}
        assert before.made == before.exported + 2
        peer.rejects = (0, "")
        record(signal)
        assert telewright.flush()
    after = book(signal)
    assert after.dropped == {"rejected": 2}
    assert after.made == after.exported + 2 > before.made


@pytest.mark.parametrize("signal", ["traces", "metrics", "logs"])
def test_no_more_is_rejected_than_was_sent(peer, signal):
    """A receiver that says so cannot unbalance the books."""
    peer.rejects = (10**9, "all of them")
    with started(signal):
        record(signal)
        assert not telewright.flush()
        found = book(signal)
    assert found.exported == 0
    assert found.dropped == {"rejected": found.made}
    assert found.made >= 3


def test_it_is_heard_after_a_connection_was_lost(peer):
    """An exporter that has connected anew, as one does when nobody was there, hears it too."""
    with started("traces"):
        peer.arm("503")
        record("traces")
        assert not telewright.flush(0.5)
        peer.rejects = (1, "too long")
        peer.arm("")
        telewright.flush(30)
        record("traces")
        assert not telewright.flush()
    found = book("traces")
    assert (found.made, found.exported, found.dropped) == (6, 4, {"rejected": 2})
