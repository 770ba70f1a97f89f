"""Helpers for the 250 files of OpenTelemetry: importing one namespace loads that namespace."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from tests.shared import shared

from telewright_codegen.cli import main

PROGRAM = """
import json, sys
from made import {module}
print(json.dumps(sorted(name for name in sys.modules if name.split(".")[0] == "made")))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Generate the package of OpenTelemetry's registry, and return the folder that it is in."""
    found = tmp_path_factory.mktemp("python")
    specs = shared("data", "semconv-1.44.0", "model")
    arguments = ["--emitter", "python", "--into", str(found / "made"), "--specs", str(specs), "-q"]
    assert main(["generate", *arguments]) == 0
    return found


@pytest.mark.parametrize("module", ["http", "gen_ai"])
def test_one_namespace_costs_no_other(folder, module):
    """Of all modules that are written, only the one that is asked for is loaded."""
    assert len(list((folder / "made").glob("*.py"))) > 80
    program = PROGRAM.format(module=module)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == ["made", f"made.{module}"]
