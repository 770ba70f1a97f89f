"""What tests of reading pages share: a page, instruments that are read from it, telemetry."""

from __future__ import annotations

import pytest

import telewright
from telewright import pages
from telewright.base import Source
from tests.runtime.sample import groups
from tests.runtime.scrape.page import Server


@pytest.fixture
def page():
    """Serve a page that a test writes."""
    with Server() as made:
        yield made


@pytest.fixture
def make(monkeypatch):
    """Make instruments that are read from a page every hundredth of a second."""
    monkeypatch.setattr(pages, "FINDERS", dict(pages.FINDERS))
    monkeypatch.setattr("telewright._scrape.FINDERS", pages.FINDERS)
    made = []

    def instrument(kind, name="kiln.read", *, source, integer=False, **keywords):
        page_source = Source("fuel", **{"every": 0.01, "keys": ["kiln.burner"], **source})
        one = kind(
            groups.REGISTRY,
            name,
            unit="1",
            brief="Read.",
            integer=integer,
            source=page_source,
            **keywords,
        )
        made.append(one)
        return one

    yield instrument
    telewright.stop(1)
    for one in made:
        groups.REGISTRY.instruments.remove(one)


@pytest.fixture
def start(tmp_path):
    """Start telemetry into a file."""

    def begin(**keywords):
        return telewright.start("none", exporter="file", path=tmp_path / "f.jsonl", **keywords)

    return begin
