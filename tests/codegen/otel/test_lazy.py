"""What is generated of 250 files: importing one namespace loads that namespace."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from tests.shared import shared

from telewright_codegen.cli import main

PROGRAM = """
import json, sys
sys.path.insert(0, {folder!r})
before = set(sys.modules)
from made{below} import {module}
print(json.dumps(sorted(name for name in set(sys.modules) - before if name.startswith("made"))))
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Write OpenTelemetry's registry with an emitter, each once, and return the folder above."""
    folders = {}

    def run(emitter):
        if emitter not in folders:
            folders[emitter] = tmp_path_factory.mktemp(emitter)
            into = folders[emitter] / "made"
            specs = shared("data", "semconv-1.44.0", "model")
            arguments = ["--emitter", emitter, "--into", str(into), "--specs", str(specs), "-q"]
            assert main(["generate", *arguments]) == 0
        return folders[emitter]

    return run


@pytest.mark.parametrize(
    ("emitter", "below", "module"),
    [
        ("python", "", "http"),
        ("python", "", "gen_ai"),
        ("otel-python", ".attributes", "http_attributes"),
        ("otel-python", "._incubating.attributes", "gen_ai_attributes"),
        ("otel-python", "._incubating.metrics", "http_metrics"),
    ],
)
def test_one_namespace_costs_no_other(made, emitter, below, module):
    """Of all modules that are written, only the one asked for and what is above it are loaded."""
    folder = made(emitter)
    written = list((folder / "made").rglob("*.py"))
    assert len(written) > 80
    program = PROGRAM.format(folder=str(folder), below=below, module=module)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = json.loads(done.stdout)
    parts = [part for part in below.split(".") if part]
    above = {".".join(["made", *parts[:depth]]) for depth in range(len(parts) + 1)}
    stable = (
        {"made.attributes", f"made.attributes.{module}"} if parts[:1] == ["_incubating"] else set()
    )
    assert f"made{below}.{module}" in loaded
    assert set(loaded) - stable == above | {f"made{below}.{module}"}
