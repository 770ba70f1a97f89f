"""The benchmark of many rollouts runs, small, and nothing of it is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "tools" / "bench"


def test_rollouts_are_measured_and_every_span_arrives():
    """Lag, cost and memory are figures, and the books of each run have no loss."""
    done = subprocess.run(
        [sys.executable, BENCH / "rollouts.py", "--most", "1", "--seconds", "0.2"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [result["id"] for result in results] == [*["R1", "R2", "R3", "R3"] * 2, "R1", "R2", "R3"]
    assert [result["value"] for result in results if "dropped" in result["name"]] == [0, 0]
    assert all(result["value"] >= 0 for result in results if result["id"] != "R3")
