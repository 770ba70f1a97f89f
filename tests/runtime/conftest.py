"""What tests of the runtime share: helpers recorded by either backend, and an OTLP receiver."""

from __future__ import annotations

import logging
from contextlib import nullcontext
from threading import current_thread

import pytest
from opentelemetry.trace import get_current_span

import telewright
from telewright import _gates, _guard, _run, _start
from tests.runtime import switched_off
from tests.runtime.export_threads import Sink, threads
from tests.runtime.probes import FastProbe, RecordingProbe, SdkProbe
from tests.runtime.receiver import Receiver


@pytest.fixture(autouse=True)
def clean_process(caplog, monkeypatch):
    """Leave no telemetry, no environment and no current span behind, and log no detach error."""
    for name in ("TELEWRIGHT_RUN_ID", "SLURM_JOB_ID", "OTEL_SDK_DISABLED", "TELEWRIGHT_OFF"):
        monkeypatch.delenv(name, raising=False)
    if switched_off.VARIABLE is not None:
        monkeypatch.setenv(switched_off.VARIABLE, "true")
    _guard.FAILURES.clear()
    _guard.VALUES.clear()
    _start.STATE.books = _start.Books()
    earlier = threads()
    with (
        caplog.filtering(lambda _: current_thread() not in earlier),
        caplog.at_level(logging.DEBUG),
    ):
        yield
    remains = [] if switched_off.VARIABLE is None else switched_off.remains()
    telewright.stop(timeout=1)
    _gates.shut()
    _run.unshare()
    assert not get_current_span().get_span_context().is_valid, "a span leaked out of the test"
    assert "Failed to detach context" not in caplog.text
    assert not remains, "telemetry is off, and there is something of it"


@pytest.fixture
def sink():
    """Return where batches go, and let nobody wait for it in the end."""
    made = Sink()
    yield made
    made.open.set()


def pytest_collection_modifyitems(items):
    """Leave out what has nothing to do where the whole suite runs with telemetry off."""
    if switched_off.VARIABLE is not None:
        switched_off.leave_out(items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call():
    """Where the whole suite runs with telemetry off, no test waits for it for ever."""
    with nullcontext() if switched_off.VARIABLE is None else switched_off.hurried():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call):
    """Where the whole suite runs with telemetry off, let tests that look for it see nothing."""
    report = yield
    if switched_off.VARIABLE is not None:
        switched_off.judge(report, call)
    return report


@pytest.fixture(params=[RecordingProbe, SdkProbe, FastProbe], ids=["recording", "sdk", "fast"])
def probe(request):
    """Record what helpers do: with the backend of `telewright.testing`, and in either tier."""
    made = request.param()
    yield made
    made.close()


@pytest.fixture
def sdk_probe():
    """Record what helpers do with the real SDK, for what only that has."""
    made = SdkProbe()
    yield made
    made.close()


@pytest.fixture
def receiver(monkeypatch):
    """Receive OTLP over http on a port of its own, which exporters find by the environment."""
    with Receiver() as made:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", made.url)
        yield made
        telewright.stop(timeout=1)  # while there is somebody to take what is left
        if switched_off.VARIABLE is not None:
            arrived = switched_off.of_ours([*made.traces, *made.metrics])
            assert arrived == [], "telemetry is off, and something arrived"
