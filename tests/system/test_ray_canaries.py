"""Canaries through Ray: one run with a server, a client, workers and a forked loader."""

from __future__ import annotations

import pytest
from tests.runtime.redaction.canaries import KINDS, SURFACES, body
from tests.runtime.redaction.runs import left, readable

pytest.importorskip("ray")
pytest.importorskip("fastapi")
pytest.importorskip("aiohttp")

pytestmark = pytest.mark.system

_LEAST = 380
_EXPORTERS = pytest.mark.parametrize("exporter", ["file", "otlp"])


def _left(exporter, redaction):
    everything = readable(left(exporter, redaction, "tests.system.ray_leaky")).lower()
    assert "kiln.pot" in everything
    assert "http get" in everything
    return {
        (kind, surface)
        for kind in KINDS
        for surface in SURFACES
        if body(kind, surface).lower() in everything
    }


@_EXPORTERS
def test_no_canary_leaves_a_worker(exporter):
    """Of 400 none is in any byte that driver, workers and loader export, or in what they log."""
    assert sorted(_left(exporter, "default")) == []


@_EXPORTERS
def test_the_canaries_were_there(exporter):
    """With redaction off the same run shows at least 380 of them."""
    seen = _left(exporter, "off")
    assert len(seen) >= _LEAST, {surface for _, surface in seen}
