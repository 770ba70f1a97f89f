"""Libraries of the application that are instrumented, and that telemetry itself exports with."""

from __future__ import annotations

import logging

import pytest
import requests
from opentelemetry import trace
from opentelemetry.instrumentation.utils import is_instrumentation_enabled

import telewright
from tests.runtime.sample import kiln


@pytest.fixture
def instrumented(monkeypatch):
    """Record each request as OpenTelemetry's instrumentation of `requests` does."""
    send = requests.Session.send

    def sending(session, request, **options):
        if not is_instrumentation_enabled():
            return send(session, request, **options)
        with trace.get_tracer("requests").start_as_current_span(request.method):
            return send(session, request, **options)

    monkeypatch.setattr(requests.Session, "send", sending)


@pytest.mark.usefixtures("instrumented")
@pytest.mark.parametrize("fast", [False, True])
def test_what_exports_is_not_recorded(receiver, fast):
    """Neither spans, nor metrics, nor log records beget a span of the request they leave by."""
    with telewright.start("all", logs=True, fast=fast, strict=True):
        with kiln.heat():
            kiln.visitors.add(town="here")
            logging.getLogger("pottery").warning("hot")
        assert telewright.flush()
        assert telewright.flush()
        requests.get(receiver.url, timeout=30)
        assert telewright.stats().made == 2
    assert [span.name for span in receiver.spans] == ["kiln.heat", "GET"]


@pytest.mark.usefixtures("instrumented")
def test_what_a_callback_asks_for_is_recorded(receiver):
    """It is the application's, on whichever thread."""

    def gas():
        requests.get(receiver.url, timeout=30)
        return []

    kiln.gas_used.observe(gas)
    try:
        with telewright.start("all", strict=True):
            assert telewright.flush()
            assert telewright.stats().made == 1
    finally:
        kiln.gas_used.forget(gas)
    assert {span.name for span in receiver.spans} == {"GET"}
