"""nemo-lens with our guard before its exporters, and started after us."""

from __future__ import annotations

import pytest

from tests.lens.test_lens import program

LEAK = """
import logging
CANARY = "sk-proj-" + "a1B2" * 12

def leaks():
    spans.clear()
    with managed_span("job", "theirs", what=CANARY):
        pass
    metrics.get_meter("theirs").create_counter("theirs").add(1, {"who": CANARY})
    names()
    made = "".join(span.to_json() for span in spans.get_finished_spans())
    return "theirs" in made, "a1B2" in made, "a1B2" in points.get_metrics_data().to_json()
"""


def leaking(code):
    """Return a program that sets nemo-lens up, and can leak through it."""
    return program(f"{LEAK}\nlens()\n{code}")


@pytest.mark.behaviour("B168", "B171")
def test_the_guard_goes_before_its_exporters(run):
    """What nemo-lens's own helpers record leaks without the guard, not with it, and after it."""
    lines = run(
        leaking(
            """
adapter.adopt()
print(*leaks())
print(telewright.adopt(guard=True, strict=True).on, *leaks())
telewright.stop()
print(*leaks())
"""
        )
    )
    assert lines == ["True True True", "True True False False", "True True True"]


@pytest.mark.behaviour("B168")
def test_the_environment_asks_for_the_guard(run):
    """`NEMO_LENS_GUARD` is the variable of what joins nemo-lens."""
    lines = run(leaking("adapter.adopt()\nprint(*leaks())\n"), NEMO_LENS_GUARD="1")
    assert lines == ["True False False"]


@pytest.mark.behaviour("B072")
def test_set_up_after_us_it_is_left_alone(run):
    """Ours go where they went, its own go its way where it can, and both end by themselves."""
    lines = run(
        program("""
        telewright.start("gym.rollout", exporter="none", process="driver")
        try:
            handle = lens()
        except Exception as error:
            handle = error
        with rollout.dispatch(dispatch_name="x"):
            pass
        print(telewright.stop(), isinstance(handle, Exception))
        print(rollout.GATE.on)
        """)
    )
    assert lines == ["True False", "False"]
