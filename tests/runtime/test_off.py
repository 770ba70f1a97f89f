"""Off means off."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path

import pytest

import telewright
from tests.runtime.interpreter import run
from tests.runtime.sample import kiln
from tests.runtime.sample.kiln import Mishap, Outcome, Stage

ROOT = Path(__file__).resolve().parents[2]


def shut():
    """Return what every kind of helper yields."""
    return [
        kiln.fire(Stage.GLAZE, batch="b", kind="k"),
        kiln.heat(),
        kiln.write(),
        kiln.shift(),
        kiln.pot(potter="ann"),
        kiln.sale(),
        kiln.inspection(),
        kiln.round_(1),
        telewright.within({"traceparent": "x"}),
    ]


@pytest.mark.behaviour("B040", "B041", "B042")
def test_a_shut_gate_yields_one_object_that_keeps_nothing():
    """The same object every time, with no slot but its switches filled."""
    for one, two in zip(shut(), shut(), strict=True):
        assert one is two
        assert not one.live
        with one as entered:
            assert entered is one
        slots = {name for kind in type(one).__mro__ for name in getattr(kind, "__slots__", ())}
        assert {name for name in slots if hasattr(one, name)} <= {"live", "on"}


@pytest.mark.behaviour("B063")
def test_set_on_the_off_object_has_the_real_signature_and_keeps_nothing():
    """A call that does not fit is a TypeError, on and off alike; any other is accepted."""
    with kiln.fire(Stage.GLAZE, batch="b", kind="k") as span:
        assert isinstance(span, kiln.Firing)
        assert not span.on
        assert span.set(shelves=3, outcome=Outcome.ERROR) is None
        span.fail("timeout")
        span.failures.append(ValueError())
        assert span.failures == []
        with pytest.raises(TypeError):
            span.set(shelf=3)
    assert not hasattr(span, "_said")


@pytest.mark.behaviour("B046")
def test_exceptions_leave_the_off_object_as_they_are():
    """The wrapped work raises what it raises."""
    error = KeyError("k")
    for span in shut():
        with pytest.raises(KeyError) as caught, span:
            raise error
        assert caught.value is error


def test_exit_stacks_take_the_off_object():
    """`contextlib` calls enter and exit in a way of its own."""
    for span in shut():
        with contextlib.ExitStack() as stack:
            assert stack.enter_context(span) is span
        with pytest.raises(KeyError), contextlib.ExitStack() as stack:
            stack.enter_context(span)
            raise KeyError


@pytest.mark.behaviour("B042")
def test_a_span_opened_by_hand_is_free_too():
    """Open, current and close on the off object do nothing."""
    for make in (kiln.heat, lambda: kiln.fire(Stage.COOL, batch="b", kind="k")):
        span = make().open()
        with span.current():
            pass
        span.close(ValueError())


@pytest.mark.behaviour("B042")
def test_nothing_is_allocated():
    """A thousand blocks and recordings leave no memory behind."""

    def loop(count):
        for _ in range(count):
            with kiln.fire(Stage.GLAZE, batch="b", kind="k") as span:
                span.set(shelves=1, outcome=Outcome.OK)
            kiln.mishaps.add(mishap=Mishap.GAS_LOW)

    loop(10)
    before = sys.getallocatedblocks()
    loop(1000)
    assert sys.getallocatedblocks() - before < 5


@pytest.mark.behaviour("B060")
def test_no_library_is_loaded_and_little_of_the_standard_one():
    """Declarations need neither OpenTelemetry nor `typing`, imported and used while off."""
    code = (
        "import os, sys, enum; before = set(sys.modules)\n"
        "import telewright\n"
        "from tests.runtime.sample import kiln\n"
        "with kiln.heat(), kiln.round_(1), kiln.shift(): telewright.carrier()\n"
        "kiln.mishaps.add(mishap=kiln.Mishap.GAS_LOW)\n"
        "telewright.stop(); telewright.flush(); telewright.select('all')\n"
        "ours = ('telewright', 'tests')\n"
        "print(*sorted(m for m in set(sys.modules) - before if not m.startswith(ours)))"
    )
    paths = [str(ROOT), str(Path(telewright.__file__).parents[1])]
    run = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = {paths!r}\n{code}"]
    said = subprocess.run(run, check=False, capture_output=True, text=True)
    assert not said.stderr
    assert set(said.stdout.split()) <= {"__future__", "contextvars", "_contextvars"}


@pytest.mark.parametrize(
    ("line", "more"),
    [
        ("pass", []),
        ("telewright.traced", ["_guard", "_traced"]),
        ("from telewright.base import IntEnum", ["_enum_numbers"]),
        ("telewright.carry", ["_carry", "_guard", "_nesting", "_values"]),
    ],
)
def test_importing_topics_loads_what_every_span_and_metric_needs(line, more):
    """The rest of the runtime is loaded where it is used, and each module once."""
    code = (
        "import sys, telewright\n"
        "from telewright.gym import checkpoint, rollout, sandbox\n"
        "from telewright.rl import training\n"
        f"{line}\n"
        "print(*sorted(m.split('.')[1] for m in sys.modules if m.startswith('telewright._')))"
    )
    paths = [str(ROOT), str(Path(telewright.__file__).parents[1])]
    run = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:0] = {paths!r}\n{code}"]
    said = subprocess.run(run, check=False, capture_output=True, text=True)
    core = "_enum _group _instrument _late _measured _span _variants"
    assert (said.stderr, said.stdout.split()) == ("", sorted([*core.split(), *more]))


def test_what_goes_wrong_while_off_is_told_without_opentelemetry():
    """A mistake of whoever sets things up costs what telling of it costs, and raises nothing."""
    said = run(
        """
        import sys
        from telewright.self.books import items_made
        from telewright.gym import checkpoint
        bound = checkpoint.records.bound({"a": "b"})
        bound.add(1)
        print(items_made.point(3, signal="nonsense")[0], "opentelemetry" in sys.modules)
        """
    )
    assert said.stdout.split() == ["3", "False"], said.stderr
    assert "cannot be bound" in said.stderr


def test_the_off_object_is_itself_as_the_interpreter_ends(tmp_path):
    """What an application does when its objects are deleted at last finds it as ever."""
    tmp_path.joinpath("app.py").write_text(
        "from telewright.gym import rollout\n"
        "class Pool:\n"
        "    def __init__(self): self.me = self\n"
        "    def __del__(self):\n"
        "        with rollout.job() as job: print('on:', job.on)\n"
        "pool = Pool()\n"
    )
    said = run(f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import app")
    assert (said.stdout, said.stderr) == ("on: False\n", "")


def test_carry_is_the_function_itself_and_carriers_are_empty():
    """A call made with telemetry off is made as it was."""
    assert telewright.carry(len) is len
    assert telewright.carrier() == {}
    assert telewright.inject({"a": "b"}, "http://localhost") == {"a": "b"}
