"""`telewright.testing` and the pytest fixture, as an application's tests use them."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import telewright
from telewright.testing import captured
from tests.runtime.sample import kiln
from tests.runtime.sample.kiln import Stage

ROOT = Path(__file__).resolve().parents[2]
pytest_plugins = ["pytester"]


def test_spans_are_plain_to_look_at():
    """Name, attributes, parent, links, status, events: strings and dictionaries, ids in hex."""
    with captured() as telemetry:
        with kiln.shift(), kiln.pot(potter="ann"):
            pass
        with pytest.raises(ValueError, match="x"), kiln.fire(Stage.GLAZE, batch="b", kind="k"):
            with kiln.heat():
                pass
            raise ValueError("x")
    pot, shift, heat, fire = telemetry.spans
    assert (pot.name, pot.kind, pot.links[0].span_id) == ("kiln.pot", "client", shift.span_id)
    assert (heat.parent, heat.parent_id) == ("kiln.fire.glaze", fire.span_id)
    assert (fire.status, fire.description) == ("error", "ValueError")
    assert [event.name for event in fire.events] == ["exception"]
    assert len(fire.trace_id) == 32
    assert fire.seconds >= heat.seconds > 0


def test_metrics_are_values_by_attributes():
    """Sums add up, gauges keep the last value, histograms count."""
    with captured() as telemetry:
        for code in ("timeout", "timeout", "odd"):
            kiln.faults.add(2, code=code)
        kiln.temperature.set(3)
        kiln.temperature.set(4)
        kiln.firing_ms.record(10, stage=Stage.COOL, outcome="ok")
        kiln.firing_ms.record(30, stage=Stage.COOL, outcome="ok")
    assert telemetry.value("kiln.faults_total", fault_code="timeout") == 4
    assert telemetry.value("kiln.temperature") == 4
    (point,) = telemetry.points("kiln.firing_ms")
    assert (point.count, point.value, point.unit) == (2, 40, "ms")
    with pytest.raises(LookupError, match="2 series"):
        telemetry.value("kiln.faults_total")
    with pytest.raises(LookupError, match="0 series"):
        telemetry.value("kiln.nothing")


def test_a_span_that_is_missing_says_which_there_are():
    """A test that fails says why."""
    with captured() as telemetry, kiln.heat():
        pass
    with pytest.raises(
        LookupError, match=r"0 spans are called 'kiln\.haet'; there are: kiln\.heat"
    ):
        telemetry.span("kiln.haet")


def test_what_ran_before_goes_on_after_it(receiver):
    """Recording in the middle of a running program takes that program's telemetry aside."""
    with telewright.start("kiln.firing", metrics=False):
        with captured("all") as telemetry, kiln.heat():
            pass
        with captured("") as nothing, captured("all"), kiln.heat():
            pass
        with kiln.write():
            pass
    assert [span.name for span in telemetry.spans] == ["kiln.heat"]
    assert nothing.spans == []
    assert [span.name for span in receiver.spans] == ["kiln.write"]


def test_the_gates_are_as_before_after_an_exception():
    """A test that fails leaves no telemetry on for the next."""
    with pytest.raises(ValueError, match="x"), captured():
        raise ValueError("x")
    assert not kiln.GATE.timed


def test_it_needs_no_sdk():
    """OpenTelemetry's API alone records spans and metrics."""
    code = """
        import sys
        from telewright.testing import captured
        from tests.runtime.sample import kiln
        with captured() as telemetry:
            with kiln.heat():
                kiln.faults.add(code="timeout")
        print(telemetry.span("kiln.heat").name, telemetry.value("kiln.faults_total"))
        print([m for m in sys.modules if m.startswith(("opentelemetry.sdk", "google", "requests"))])
    """
    said = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    assert said.stdout.split("\n")[:2] == ["kiln.heat 1.0", "[]"]


def test_pytest_finds_the_fixture(pytester):
    """An application's test asks for `telemetry`, and says by a marker what it wants."""
    pytester.makepyfile(
        """
        import pytest
        from telewright.gym import checkpoint, groups

        def test_default(telemetry):
            assert groups.CHECKPOINT.on
            checkpoint.events.add(event="lease_expired", checkpoint_id="c")
            assert telemetry.value("gym.checkpoint.events_total") == 1

        @pytest.mark.telemetry("gym.job", metrics=False)
        def test_marked(telemetry):
            assert (groups.CHECKPOINT.on, groups.JOB.on) == (False, True)
            assert telemetry.spans == []
        """
    )
    outcome = pytester.runpytest_subprocess("--strict-markers")
    outcome.assert_outcomes(passed=2)
