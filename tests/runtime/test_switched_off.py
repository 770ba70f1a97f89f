"""One variable at the next start, and there is no telemetry: the application is what it was.

`make off` runs the tests of the runtime so. Here one application is run with telemetry and without,
and the rules of those runs are held against tests that break them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

APPLICATION = """
import asyncio, json, logging, os, pathlib, random, sys, threading
import telewright
from telewright.gym import checkpoint, rollout
from telewright.gym.checkpoint import CheckpointEvent, CheckpointOperation, ParticipantKind
from telewright.rl import training
from telewright.rl.training import Algorithm

random.seed(7)
before = dict(os.environ)
telewright.start("all", exporter="file", path=sys.argv[1], logs=True)
said = []

async def attempt(number):
    with rollout.dispatch(rollout_id=str(number), dispatch_name="math"):
        await asyncio.sleep(0)
        checkpoint.events.add(event=CheckpointEvent.LEASE_EXPIRED, checkpoint_id=str(number))
        if number == 2:
            raise LookupError(number)
        return number * random.random()

async def run():
    with rollout.job(), training.iteration(4), training.step(Algorithm.GRPO):
        said.append(sorted(telewright.carrier()) == [] or "carried")
        return await asyncio.gather(*map(attempt, range(4)), return_exceptions=True)

said[:] = [repr(one) for one in asyncio.run(run())]
try:
    with checkpoint.operation(CheckpointOperation.COMMIT, checkpoint_id="c",
                              participant_kind=ParticipantKind.AGENT):
        raise KeyError("mine")
except KeyError as error:
    said.append(repr(error))
logging.getLogger("app").warning("done")
said.append(random.random())
links = [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")
         if os.path.exists(f"/proc/self/fd/{fd}")] if os.path.isdir("/proc/self/fd") else []
print(json.dumps({
    "said": said,
    "threads": sorted(t.name for t in threading.enumerate() if t.name.startswith("telewright")),
    "sdk": sorted(m for m in sys.modules if m.startswith(("opentelemetry.sdk", "google", "grpc"))),
    "sockets": [link for link in links if link.startswith("socket")],
    "environment": dict(os.environ) == before,
    "made": telewright.stats().made,
    "stopped": telewright.stop(),
}), flush=True)
sys.exit(3)
"""


def run(folder, **environment):
    """Run the application; return its exit code, and what it said."""
    done = subprocess.run(
        [sys.executable, "-c", APPLICATION, str(folder / "out.jsonl")],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.mark.behaviour("B041", "B201")
@pytest.mark.parametrize("variable", ["TELEWRIGHT_OFF", "OTEL_SDK_DISABLED"])
def test_an_application_is_what_it_was(tmp_path, monkeypatch, variable):
    """Same results, exceptions, random stream and exit code; no thread, socket, file or SDK."""
    monkeypatch.delenv("OTEL_SDK_DISABLED", raising=False)
    monkeypatch.delenv("TELEWRIGHT_OFF", raising=False)
    code, off = run(tmp_path, **{variable: "true"})
    said = off.pop("said")
    assert code == 3
    assert off == {
        "threads": [],
        "sdk": [],
        "sockets": [],
        "environment": True,
        "made": 0,
        "stopped": True,
    }
    assert list(tmp_path.iterdir()) == []

    code, on = run(tmp_path)  # the positive control: the same application, with telemetry
    assert (code, on["said"]) == (3, said)
    assert {"telewright-logs", "telewright-metrics", "telewright-spans"} <= set(on["threads"])
    assert on["sdk"]
    assert not on["environment"]
    assert on["made"] > 5
    assert list(tmp_path.iterdir()) == [tmp_path / "out.jsonl"]


BREAKS = """
import threading, telewright
from telewright import _values

def test_that_looks_for_a_span(receiver):
    telewright.start("default")
    assert receiver.spans

def test_in_which_the_runtime_fails(monkeypatch):
    monkeypatch.setattr(_values, "_LISTS", None, raising=False)
    _values.clean(3)

def test_that_leaves_a_thread():
    wait = threading.Event().wait
    threading.Thread(target=wait, args=(9,), daemon=True, name="telewright-x").start()

def test_that_says_something_in_spite_of_all(receiver, monkeypatch):
    monkeypatch.delenv("TELEWRIGHT_OFF")
    telewright.start("none", strict=True)
"""


def test_what_breaks_the_rules_is_noticed(tmp_path):
    """The positive control of `make off`: only a test that looks for telemetry may fail."""
    inside = tmp_path / "test_planted_off.py"
    inside.write_text(BREAKS)
    (tmp_path / "conftest.py").write_text("from tests.runtime.conftest import *\n")
    path = os.pathsep.join([str(ROOT), str(ROOT / "runtime")])
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-rA", "-p", "no:cacheprovider"),
            *("--rootdir", str(tmp_path), "-o", "addopts=", str(inside)),
        ],
        cwd=ROOT,
        env={**os.environ, "SUITE_OFF": "TELEWRIGHT_OFF", "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    last = {line.split("::")[1].split(" ")[0]: line.split()[0] for line in _lines(done.stdout)}
    assert last == {
        "test_that_looks_for_a_span": "XFAIL",
        "test_in_which_the_runtime_fails": "FAILED",
        "test_that_leaves_a_thread": "ERROR",
        "test_that_says_something_in_spite_of_all": "ERROR",
    }


def _lines(said):
    words = ("XFAIL ", "FAILED ", "ERROR ")
    return [line for line in said.splitlines() if line.startswith(words) and "::" in line]
