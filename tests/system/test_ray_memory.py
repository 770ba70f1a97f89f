"""Memory of the hosts of a real Ray cluster, read from the page that Ray has on each node."""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.runtime import written

pytestmark = pytest.mark.system

ROOT = Path(__file__).resolve().parents[2]
BARE = "ray>=2.40"


def run(python, path, seconds, **environment):
    """Run the driver with *python*; return what it printed and what it logged."""
    return subprocess.run(
        [python, "-m", "tests.system.ray_memory", path, str(seconds)],
        cwd=ROOT,
        env={**os.environ, "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", **environment},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )


def points(path, name):
    """Return the points of a gauge in a file, by worker groups: the last of each."""
    found = {}
    for point in written.points(path, name):
        attributes = {pair["key"]: pair["value"]["stringValue"] for pair in point["attributes"]}
        found[attributes.pop("rl.worker_groups")] = (int(point["asInt"]), attributes)
    return found


def memory_of_this_host():
    """Return how many bytes this host has."""
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemTotal:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no MemTotal")


@pytest.mark.behaviour("B147")
def test_memory_of_every_node_is_exported(tmp_path):
    """Used and total, in bytes, for each node of the cluster, with its name, from the driver."""
    if importlib.util.find_spec("ray") is None:
        pytest.skip("Ray is not installed")
    file = tmp_path / "driver.jsonl"
    done = run(sys.executable, file, 120)
    assert done.returncode == 0, done.stderr[-3000:]
    used, total = points(file, "rl.host.memory.used"), points(file, "rl.host.memory.total")
    assert sorted(used) == sorted(total) == ["group-0", "group-1"], done.stdout + done.stderr
    *_, detected = done.stdout.splitlines()
    driver, worker, (job, node, itself) = json.loads(detected.removeprefix("detected "))
    assert worker == driver | {"ray.node.id": node, "ray.worker.id": itself}
    assert worker["ray.worker.id"] != driver["ray.worker.id"]
    assert job == driver["ray.job.id"]
    for group, (bytes_, attributes) in used.items():
        assert attributes == total[group][1] == {"host.name": socket.gethostname()}
        assert 2**26 < bytes_ < total[group][0] <= memory_of_this_host()


@pytest.fixture(scope="module")
def bare(request):
    """Return an interpreter that has Ray without `default`, kept between runs; or skip."""
    folder = Path(request.config.cache.mkdir("ray-bare"))
    python, done = folder / "bin" / "python", folder / "installed"
    if not done.exists() or done.read_text() != BARE:
        needs = [BARE, "opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-http"]
        commands = [
            [sys.executable, "-m", "venv", "--clear", str(folder)],
            [str(python), "-m", "pip", "install", "--quiet", *needs, "prometheus-client"],
        ]
        alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        for command in commands:
            made = subprocess.run(
                command, env=alone, capture_output=True, text=True, timeout=280, check=False
            )
            if made.returncode:
                pytest.skip(f"Ray cannot be installed: {made.stderr.strip()[-300:]}")
        done.write_text(BARE)
    return str(python)


@pytest.mark.behaviour("B149", "B135")
def test_without_default_there_is_no_page(bare, tmp_path):
    """Ray alone has no pages: one line says so, nothing raises, and the gauges are empty."""
    file = tmp_path / "driver.jsonl"
    done = run(bare, file, 35, PYTHONPATH=str(ROOT / "runtime"))
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.splitlines()[-3:-1] == [
        "rl.host.memory.used []",
        "rl.host.memory.total []",
    ]
    said = [line for line in done.stderr.splitlines() if "rl.host.memory" in line]
    assert len(said) == 1, done.stderr[-3000:]
    assert "pip install 'ray[default]'" in said[0]
    assert not file.exists() or points(file, "rl.host.memory.used") == {}
