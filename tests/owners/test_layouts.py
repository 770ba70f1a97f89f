"""The same specs in two layouts: with the runtime, and in Gym's own package."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.owners.call_sites import SCENARIOS

ROOT = Path(__file__).resolve().parents[2]
OWN = "nemo_gym.telemetry"
CONFIG = """
specs = "specs"

[[output]]
emitter = "python"
into = "nemo_gym/telemetry"
package = "nemo_gym.telemetry"
"""
NEW = """
topic: tool_use
brief: "Tools: what an agent calls."
group: agent

attributes:
  - id: nemo.gym.tool.name
    type: string
    brief: Name of the tool.
    examples: [calculator]
    max_values: 64

spans:
  - name: gym.tool_use.call
    brief: One call of a tool.
    attributes:
      nemo.gym.tool.name: required

metrics:
  - counter: gym.tool_use.calls_total
    unit: "{call}"
    value: int
    brief: Calls of tools.
    attributes:
      nemo.gym.tool.name: required
"""


def telewright(*arguments, cwd):
    """Run the generator as an owner does."""
    command = [sys.executable, "-m", "telewright_codegen", *arguments]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def python(*arguments, cwd):
    """Run a program that finds the owner's package, and return its lines."""
    path = os.pathsep.join([str(cwd), str(ROOT), str(ROOT / "runtime")])
    environ = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, check=False, env=environ, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """Return a repository that holds Gym's specs and no others, generated into its package."""
    folder = tmp_path_factory.mktemp("gym")
    shutil.copytree(ROOT / "specs" / "gym", folder / "specs")
    (folder / "telewright.toml").write_text(CONFIG)
    (folder / "nemo_gym").mkdir()
    (folder / "nemo_gym" / "__init__.py").write_text("")
    telewright("generate", cwd=folder)
    return folder


@pytest.mark.parametrize("package", ["telewright.gym", OWN])
def test_call_sites_run_in_both_layouts(repository, package, tmp_path):
    """The same call sites do the same with either package."""
    lines = python("-m", "tests.owners.call_sites", package, tmp_path / "out.jsonl", cwd=repository)
    assert lines[:-1] == [one.__name__ for one in SCENARIOS] + ["what_leaves_was_declared"]
    loaded = "" if package == "telewright.gym" else "not "
    assert lines[-1] == f"telewright.gym is {loaded}loaded"


def test_the_package_imports_the_base_itself_and_used_registries(repository):
    """Nothing of the runtime but its base, and of registries those that the specs use."""
    imported = set()
    for module in (repository / "nemo_gym" / "telemetry").glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(node.module)
    ours = {name for name in imported if name.startswith("telewright")}
    assert "telewright.base" in ours
    used = {".".join(name.split(".")[:2]) for name in ours - {"telewright.base"}}
    assert used == {"telewright.nv", "telewright.otel"}
    rest = imported - ours
    assert {name.partition(".")[0] for name in rest} <= {
        "__future__",
        "collections",
        "nemo_gym",
        "typing",
    }


def test_both_layouts_hold_the_same(repository):
    """Apart from the file that it names and where it imports from, each module is the same."""
    shipped = ROOT / "runtime" / "telewright" / "gym"
    own = repository / "nemo_gym" / "telemetry"
    names = sorted(path.name for path in shipped.glob("*.py"))
    assert names == sorted(path.name for path in own.glob("*.py"))
    for name in names:
        one, other = (_meaning(folder / name) for folder in (shipped, own))
        assert one == other, name


def _meaning(path):
    text = path.read_text(encoding="utf-8").replace(OWN, "telewright.gym")
    tree = ast.parse(text)
    imports = {ast.unparse(node) for node in tree.body if isinstance(node, ast.ImportFrom)}
    rest = [ast.unparse(node) for node in tree.body if not isinstance(node, ast.ImportFrom)]
    return imports, rest


def test_a_new_series_needs_no_release_of_ours(repository, tmp_path):
    """A topic that Gym adds is generated, checked, and leaves the process like any other."""
    folder = tmp_path / "gym"
    shutil.copytree(repository, folder)
    (folder / "specs" / "tool_use.yaml").write_text(NEW)
    telewright("check", cwd=folder)
    telewright("generate", cwd=folder)
    program = """
import sys, telewright
telewright.start("default,agent", exporter="file", path=sys.argv[1])
from nemo_gym.telemetry import tool_use
with tool_use.call(tool_name="calculator"):
    tool_use.calls.add(tool_name="calculator")
print(telewright.stop())
"""
    out = tmp_path / "out.jsonl"
    assert python("-c", program, out, cwd=folder) == ["True"]
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert {kind for line in lines for kind in line} == {"resourceSpans", "resourceMetrics"}
    for kind in ("resourceSpans", "resourceMetrics"):
        (one,) = [json.dumps(line) for line in lines if kind in line]
        assert '"nemo.gym.tool.name"' in one, kind
        assert '"calculator"' in one, kind


def test_a_stale_package_is_found(repository, tmp_path):
    """In the owner's CI, specs that nobody has generated from fail the check."""
    folder = tmp_path / "gym"
    shutil.copytree(repository, folder)
    telewright("generate", "--check", cwd=folder)
    (folder / "specs" / "tool_use.yaml").write_text(NEW)
    command = [sys.executable, "-m", "telewright_codegen", "generate", "--check"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "tool_use.py" in done.stdout + done.stderr
