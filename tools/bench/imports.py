"""I1: what importing generated topics costs, in fresh interpreters, while telemetry is off.

The package is compiled first, as installing a wheel leaves it. What the collector of garbage takes
is part of the figure and told beside it. It has done its work before, so that it looks at what the
import makes, and not besides at what Python made when it began, once in some programs and not in
others.
"""

from __future__ import annotations

import compileall
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

import hollow
from result import Result, report, rounds

import telewright

TOPICS: Final = (
    "from telewright.nv import common; from telewright.gym import checkpoint, rollout; "
    "from telewright.rl import training"
)

CASES: Final = {
    "four topics": TOPICS,
    "those and gym.sandbox": f"{TOPICS}; from telewright.gym import sandbox",
    "telewright alone": "import telewright",
    "opentelemetry.trace": "import opentelemetry.trace",
    "opentelemetry.sdk.trace": "import opentelemetry.sdk.trace",
    "logfire": "import logfire",
    "nemo.lens": "import nemo.lens",
}

_PROGRAM: Final = """
import enum, gc, json, os, re, sys, time
spent = []
gc.callbacks.append(lambda phase, _: spent.append(time.process_time_ns()))
gc.collect()
spent.clear()
begin = time.process_time_ns()
{statement}
taken = time.process_time_ns() - begin
heavy = [name for name in ("opentelemetry", "typing") if name in sys.modules]
collecting = sum(spent[1::2]) - sum(spent[::2])
print(json.dumps([taken / 1e6, heavy, collecting / 1e6]))
"""


def measure() -> Iterator[Result]:
    """Time each import in turn, round after round, in interpreters that have loaded `enum`."""
    compileall.compile_dir(Path(telewright.__file__).parent, quiet=1)
    with TemporaryDirectory() as folder:
        yield from _measure({**CASES, "four topics, hollow": hollow.write(Path(folder), TOPICS)})


def _measure(cases: dict[str, str]) -> Iterator[Result]:
    taken: dict[str, list[float]] = {}
    loaded: dict[str, list[str]] = {}
    collecting: dict[str, list[float]] = {}
    for _ in range(rounds(15)):
        for name, statement in cases.items():
            program = _PROGRAM.format(statement=statement)
            command = [sys.executable, "-c", program]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode == 0:
                milliseconds, loaded[name], pause = json.loads(done.stdout)
                taken.setdefault(name, []).append(milliseconds)
                collecting.setdefault(name, []).append(pause)
    for name, times in taken.items():
        goal = 5.0 if name == "four topics" else None
        pause = collecting[name][times.index(min(times))]
        detail = f"best {min(times):.1f} ms ({pause:.1f} of it collecting garbage)"
        detail += f", median {median(times):.1f} ms"
        if loaded[name]:
            detail += f", loads {' and '.join(loaded[name])}"
        yield Result("I1", f"import {name}", min(times), unit="ms", goal=goal, detail=detail)
    heavy = float(len(loaded["four topics"]))
    title = "heavy modules that four topics load: opentelemetry, typing"
    yield Result("I1", title, heavy, unit="", goal=0.0)


if __name__ == "__main__":
    report(measure())
