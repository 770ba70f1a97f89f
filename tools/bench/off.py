"""O1 to O4: what a call site costs while telemetry is off.

Each helper is compared with a bare function of its own signature, called with the same arguments.
A ratio against a call of another shape would flatter or slander.
"""

from __future__ import annotations

import contextlib
import inspect
import sys
from collections.abc import Callable, Iterator
from typing import Any, Final

from harness import Bench
from result import VERSION, Result, report, rounds

import telewright
from telewright.gym import checkpoint, rollout, sandbox
from telewright.gym.checkpoint import CheckpointEvent, CheckpointOperation, ParticipantKind
from telewright.rl import training
from telewright.rl.training import Algorithm

_PLAIN: Final = "a bare call, f()"


def twin(function: Callable[..., Any]) -> Callable[..., None]:
    """Return a function of the same parameters that does nothing."""
    parameters = [
        one.replace(annotation=inspect.Parameter.empty)
        for one in inspect.signature(function).parameters.values()
    ]
    space: dict[str, Any] = {}
    exec(f"def bare{inspect.Signature(parameters)}: pass", space)  # noqa: S102 - the same code
    bare: Callable[..., None] = space["bare"]
    return bare


def positional(first: int, second: int) -> int:
    """Return the first of two arguments."""
    return first


def mixed(first: int, second: int = 0, *, third: int | None = None) -> int:
    """Return the first of three arguments."""
    return first


async def awaited(first: int, second: int = 0, *, third: int | None = None) -> int:
    """Return the first of three arguments."""
    return first


def nothing() -> None:
    """Do nothing: the bare call that others are measured in."""


HELPERS: Final[dict[str, tuple[Callable[..., Any], str]]] = {
    "operation(x, three keywords)": (
        checkpoint.operation,
        "(COMMIT, checkpoint_id='c', participant_kind=AGENT, instance='i')",
    ),
    "dispatch(two keywords)": (rollout.dispatch, "(dispatch_name='n', rollout_id='i')"),
    "coordinate(x, one keyword)": (checkpoint.coordinate, "(COMMIT, checkpoint_id='c')"),
    "exec_(one keyword)": (sandbox.exec_, "(provider='docker')"),
    "step(x)": (training.step, "(GRPO)"),
    "scope iteration(1)": (training.iteration, "(1)"),
    "job()": (rollout.job, "()"),
}

CALLS: Final = {
    "traced f(1, 2)": (positional, "(1, 2)", 2.6),
    "traced f(1, 2, third=3)": (mixed, "(1, 2, third=3)", 2.6),
}


def measure() -> Iterator[Result]:
    """Time everything off; telemetry never starts here."""
    add: Callable[..., None] = type(checkpoint.events).add
    names: dict[str, Any] = {
        "f": nothing,
        "nullcontext": contextlib.nullcontext,
        "GATE": checkpoint.GATE,
        "COMMIT": CheckpointOperation.COMMIT,
        "AGENT": ParticipantKind.AGENT,
        "GRPO": Algorithm.GRPO,
        "LEASE": CheckpointEvent.LEASE_EXPIRED,
        "events": checkpoint.events,
        "bare_events": type("Bare", (), {"add": twin(add)})(),
        "awaited": awaited,
        "traced_awaited": telewright.traced(rollout.job)(awaited),
    }
    bench = Bench(rounds=rounds(61), names=names)
    bench.add(_PLAIN, "f()")
    bench.add("gate", "if GATE.on: pass")
    bench.add("a block of nothing", "with nullcontext(): pass")
    for number, (name, (helper, arguments)) in enumerate(HELPERS.items()):
        names |= {f"helper{number}": helper, f"twin{number}": twin(helper)}
        bench.add(name, f"with helper{number}{arguments}: pass")
        bench.add(f"bare {name}", f"twin{number}{arguments}")
    for number, (name, (function, arguments, _)) in enumerate(CALLS.items()):
        traced = telewright.traced(rollout.job)(function)
        names |= {f"traced{number}": traced, f"untraced{number}": function}
        bench.add(name, f"traced{number}{arguments}")
        bench.add(f"bare {name}", f"untraced{number}{arguments}")
    arguments = "(1, 2, third=3)"
    bench.add("await traced", f"await traced_awaited{arguments}", is_async=True)
    bench.add("await bare", f"await awaited{arguments}", is_async=True)
    recorded = ".add(event=LEASE, checkpoint_id='c')"
    bench.add("recorder", "events" + recorded)
    bench.add("bare recorder", "bare_events" + recorded)
    bench.run()
    yield from _figures(bench)


def _figures(bench: Bench) -> Iterator[Result]:
    def ratio(number: str, case: str, base: str, goal: float | None, name: str = "") -> Result:
        detail = f"{bench.ns(case):.1f} ns against {bench.ns(base):.1f} ns"
        return Result(number, name or case, bench.ratio(case, base), goal=goal, detail=detail)

    yield ratio("O1", "gate", _PLAIN, 0.45 if VERSION < (3, 13) else 1.0, "if GATE.on:")
    for number, name in enumerate(HELPERS):
        yield ratio("O2", name, f"bare {name}", None if number else 3.2, f"with {name}")
    yield ratio("O2", "job()", "a block of nothing", 1.0, "with job(), against nullcontext()")
    for name in HELPERS:
        added = bench.added(name, f"bare {name}", _PLAIN)
        yield Result("O2", f"with {name} adds, in calls of f()", added, goal=6.0)
    for name, (_, _, goal) in CALLS.items():
        yield ratio("O3", name, f"bare {name}", goal)
    goal = 2.1 if VERSION < (3, 12) else 1.6
    yield ratio("O3", "await traced", "await bare", goal, "await traced f(1, 2, third=3)")
    yield ratio("O4", "recorder", "bare recorder", 1.4, "events.add(two keywords)")


if __name__ == "__main__":
    report(measure())
    loaded = sorted(name for name in sys.modules if name.startswith("opentelemetry"))
    if loaded:
        sys.exit(f"off, and yet loaded: {', '.join(loaded)}")
