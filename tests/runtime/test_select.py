"""Which groups a selection opens (behaviours B190 to B198)."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from telewright._group import REGISTRIES
from telewright._select import resolve
from tests.runtime.sample import depot, groups, kiln

ROOT = Path(__file__).resolve().parents[2]


def chosen(text):
    """Return the groups that *text* selects, and the names it should not have."""
    registries = [REGISTRIES["kiln"], REGISTRIES["depot"]]
    found, unknown = resolve(text, registries)
    return sorted(group.name for group in found), sorted(unknown)


@pytest.mark.behaviour("B190", "B191", "B192", "B195")
@pytest.mark.parametrize(
    ("text", "names", "unknown"),
    [
        ("", [], []),
        ("default", ["depot.firing", "kiln.pot", "kiln.shift"], []),
        ("kiln.default", ["kiln.pot", "kiln.shift"], []),
        ("default,-kiln.shift", ["depot.firing", "kiln.pot"], []),
        ("firing", ["depot.firing", "kiln.firing"], []),
        ("firing,-depot.firing,tpyo", ["kiln.firing"], ["tpyo"]),
        (" Kiln.Firing , kiln.pot ", ["kiln.firing", "kiln.pot"], []),
        ("all,-depot.all", ["kiln.firing", "kiln.pot", "kiln.shift"], []),
        ("per_pot,-default", [], []),
        ("kiln.nothing", [], ["kiln.nothing"]),
    ],
)
def test_names_presets_and_exceptions(text, names, unknown):
    """A bare name reaches every registry that has it; a typo is named."""
    assert chosen(text) == (names, unknown)


@pytest.mark.behaviour("B196")
def test_a_preset_of_one_registry_opens_no_group_of_another(probe):
    """The depot's default holds firing; the kiln's firing is opt-in."""
    probe.start("default")
    assert depot.FIRING.on
    assert not kiln.GATE.on


@pytest.mark.behaviour("B054")
def test_several_groups_in_one_topic_switch_apart(probe):
    """What is per item opens by name only."""
    probe.start("kiln.pot")
    assert (groups.POT.on, groups.SHIFT.on, groups.FIRING.on) == (True, False, False)
    with kiln.shift(), kiln.heat(), kiln.pot(potter="ann"):
        pass
    assert [span.name for span in probe.spans] == ["kiln.pot"]


@pytest.mark.behaviour("B191", "B194", "B198")
def test_a_registry_imported_late_joins():
    """The selection is kept, and resolved again for what comes later."""
    code = """
        from telewright.testing import captured
        with captured("kiln.firing") as got:
            from tests.runtime.sample import kiln
            with kiln.heat() as span:
                print(span.on)
            kiln.faults.add(code="x")
            print(got.value("kiln.faults_total"))
    """
    run = [sys.executable, "-c", textwrap.dedent(code)]
    said = subprocess.run(run, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    assert said == ["True", "1.0"]
