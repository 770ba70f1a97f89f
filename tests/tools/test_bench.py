"""The benchmarks run, and say so when a goal is missed. What they measure is not tested here."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[2] / "tools" / "bench"


def load(name):
    """Return a module of the benchmarks, which are scripts."""
    spec = importlib.util.spec_from_file_location(f"bench_{name}", BENCH / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("script", ["off.py", "spans.py", "metrics.py", "imports.py"])
def test_a_script_prints_one_result_a_line(script):
    """Each line has a goal's number, a name, a value and, where there is one, the goal."""
    done = subprocess.run(
        [sys.executable, BENCH / script, "2"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(results) > 3
    assert {result["id"][0] for result in results} <= set("OMNI")
    assert all(result["value"] >= 0 or "adds" in result["name"] for result in results)
    assert any(result["goal"] is not None for result in results)


@pytest.mark.behaviour("B043")
def test_a_shut_gate_is_held_against_a_block_of_nothing():
    """That a helper which is off costs less than `contextlib.nullcontext` is a goal of its own."""
    done = subprocess.run(
        [sys.executable, BENCH / "off.py", "2"], capture_output=True, text=True, check=False
    )
    results = [json.loads(line) for line in done.stdout.splitlines()]
    (found,) = [one for one in results if "nullcontext" in one["name"]]
    assert (found["id"], found["goal"]) == ("O2", 1.0)


def test_a_missed_goal_is_missed():
    """A figure above its goal is not met; one that rounds to it, or has none, is."""
    result = load("result").Result
    assert not result("O1", "x", 1.02, goal=1.0).is_met
    assert result("O1", "x", 1.004, goal=1.0).is_met
    assert result("", "x", 99.0).is_met


def test_the_harness_tells_more_work_from_less():
    """A case that does a thing a hundred times takes many times as long as doing it once."""
    bench = load("harness").Bench(rounds=5)
    bench.add("once", "len(())")
    bench.add("often", "for _ in range(100): len(())")
    bench.add("awaited", "len(())", is_async=True)
    bench.run()
    assert bench.ratio("often", "once") > 10
    assert bench.ratio("once", "once") == 1
    assert bench.added("often", "once", "once") > 10
    assert "awaited" in bench
    assert "absent" not in bench


def test_a_case_that_waits_is_refused():
    """A coroutine that suspends would be measured without its end."""
    bench = load("harness").Bench(rounds=1)
    bench.add("waits", "await __import__('asyncio').sleep(0)", is_async=True)
    with pytest.raises(RuntimeError, match="waited"):
        bench.run()
