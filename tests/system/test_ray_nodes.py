"""A Ray cluster of two nodes: what workers of the other node record belongs to their caller."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from demo.otlp import read

pytestmark = pytest.mark.system

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.behaviour("B027", "B108", "B112")
@pytest.mark.parametrize("how", ["node", "client"])
def test_the_trace_and_the_scopes_arrive_on_the_other_node(tmp_path, how):
    """From a driver that is a node of the cluster, and from one behind Ray Client, by `call`."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("Ray is not installed")
    done = subprocess.run(
        [sys.executable, "-m", "tests.system.ray_nodes", how, tmp_path],
        cwd=ROOT,
        env={
            **{key: text for key, text in os.environ.items() if not key.startswith("OTEL_")},
            "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
            "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
            "RAY_raylet_start_wait_time_s": "120",  # a busy machine needs more than it has
        },
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    said = json.loads(done.stdout.splitlines()[-1])
    assert said["nodes"] == [said["there"]] * 6
    assert said["flushed"]
    assert done.stderr.count("stranger takes no carrier") == 1

    spans = read(tmp_path).spans
    (shift,) = [span for span in spans if span.name == "kiln.shift"]
    writes = [span for span in spans if span.name == "kiln.write"]
    heats = [span for span in spans if span.name == "kiln.heat"]
    assert len(spans) == 1 + 2 + 5
    assert {span.trace for span in spans} == {shift.trace}
    assert {span.attributes.get("kiln.round") for span in spans} == {7}
    assert [span.parent for span in writes] == [shift.id] * 2
    (within,) = [span for span in heats if span.parent != shift.id]
    assert within.parent in {span.id for span in writes}
    assert len(list(tmp_path.iterdir())) >= 4  # the driver, two actors, and who ran the tasks
