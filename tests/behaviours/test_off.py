"""Gates and what is not installed: behaviours that no test of one module shows."""

from __future__ import annotations

import pytest

import telewright
from telewright import _guard
from tests.behaviours.processes import run
from tests.layout.test_imports import SDK
from tests.runtime.sample import kiln


@pytest.mark.behaviour("B045")
def test_with_metrics_alone_a_span_is_the_object_of_a_shut_gate(probe):
    """A process that exports metrics only pays for a span what one pays whose telemetry is off."""
    shut = kiln.heat(), kiln.write(), kiln.pot(potter="ann"), kiln.round_(1)
    probe.start("all", traces=False)
    assert kiln.GATE.timed
    open_ = kiln.heat(), kiln.write(), kiln.pot(potter="ann"), kiln.round_(1)
    assert all(one is other for one, other in zip(shut, open_, strict=True))


@pytest.mark.behaviour("B048")
@pytest.mark.parametrize("groups", ["default", "kiln.firing"])
def test_off_is_an_object_of_the_same_type_and_setters_take_none(probe, groups):
    """A helper never yields None; on or off, what is not known is set as None and left out."""
    probe.start(groups, metrics=False)
    with kiln.write() as span:
        assert type(span).__mro__[:2] == (type(span), kiln.Write) or type(span) is kiln.Write
        assert isinstance(span, kiln.Write)
        span.set(lines=None)
        assert span.on is (groups == "kiln.firing")
    assert [one.attributes for one in probe.spans] == ([{}] if groups == "kiln.firing" else [])
    assert not _guard.VALUES


@pytest.mark.behaviour("B050")
def test_no_metric_waits_for_a_span_group(probe):
    """With every group off, counters, gauges and durations are recorded all the same."""
    probe.start("")
    kiln.faults.add(code="timeout")
    kiln.temperature.set(900)
    with kiln.fire(kiln.Stage.GLAZE, batch="b", kind="k"):
        pass
    assert probe.points("kiln.faults_total") == {("timeout",): 1}
    assert probe.points("kiln.temperature") == {(): 900.0}
    assert probe.counts("kiln.firing_ms") == {("glaze", "ok"): 1}
    assert not probe.spans


@pytest.mark.behaviour("B067")
def test_what_a_process_without_the_sdk_can_reach_imports_without_it():
    """Every module but those that start, export and detect; and a start says what is missing."""
    code = f"""
        import importlib, pkgutil
        import telewright
        others = {sorted(SDK)!r}
        for module in pkgutil.walk_packages(telewright.__path__, "telewright."):
            if module.name not in others:
                importlib.import_module(module.name)
        print(telewright.start("all").on, telewright.carrier(), telewright.stop())
        print([name for name in sys.modules if name.startswith("opentelemetry.sdk")])
    """
    assert run(code, blocked=["opentelemetry.sdk"]) == ["False {} True", "[]"]


@pytest.mark.behaviour("B185")
def test_importing_what_is_declared_does_nothing_else():
    """No thread, no variable, no file and no library of others: neither telemetry nor training."""
    code = """
        import importlib, os, pkgutil, threading
        import telewright.gym, telewright.nv, telewright.otel, telewright.rl
        before, files = dict(os.environ), len(os.listdir("/proc/self/fd"))
        for package in (telewright.gym, telewright.nv, telewright.otel, telewright.rl):
            for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
                importlib.import_module(module.name)
        others = ("opentelemetry", "numpy", "torch", "ray", "yaml", "pydantic", "wandb")
        print([name for name in sys.modules if name.partition(".")[0] in others])
        same = dict(os.environ) == before and len(os.listdir("/proc/self/fd")) == files
        print(same, threading.active_count(), sum(map(len, sys.modules["telewright.rl"].__path__)))
    """
    loaded, rest = run(code)
    assert loaded == "[]"
    assert rest.startswith("True 1 ")


@pytest.mark.behaviour("B183")
def test_a_name_that_nobody_declares_costs_one_line(receiver, caplog):
    """An unknown group is told and ignored; an unknown key is told once, dropped and counted."""
    telewright.start("kiln.firing", metrics=False)
    assert telewright.select("kiln.firing,kiln.firng") == {"kiln.firng"}
    for _ in range(3):
        with kiln.write() as span:
            span._set("kiln.colour", "red")
    assert telewright.stop()
    told = [record.message for record in caplog.records if record.levelname == "WARNING"]
    assert len([line for line in told if "kiln.firng" in line]) == 1
    assert len([line for line in told if "kiln.colour" in line]) == 1
    assert all(not span.attributes for span in receiver.spans)
    assert telewright.stats().values["undeclared"] == 3
