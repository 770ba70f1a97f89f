"""Who may import whom: the contracts are kept, and each of them can be broken."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = ROOT / "runtime"

SDK = {
    "telewright._added": "flushes processors of the SDK",
    "telewright._adopt_guard": "finds exporters of the SDK",
    "telewright._exemplars": "keeps exemplars for the SDK's aggregations",
    "telewright._exporters": "makes exporters and readers",
    "telewright._fast_cells": "makes data points of the SDK's kinds",
    "telewright._fast_family": "makes metrics of the SDK's kind",
    "telewright._fast_gauge": "makes data points of the SDK's kind",
    "telewright._fast_meter": "adds metrics to what the SDK collects",
    "telewright._fast_parts": "takes the limits of the SDK's spans",
    "telewright._fast_span": "hands its spans to the SDK's processors",
    "telewright._fast_tracer": "makes spans in the place of the SDK's tracer",
    "telewright._guard_export": "reads what is about to be exported",
    "telewright._guard_points": "adds up what is about to be exported",
    "telewright._file": "encodes OTLP",
    "telewright._ids": "makes ids for the SDK's provider",
    "telewright._judge": "judges finished spans",
    "telewright._logs": "makes log records for exporters",
    "telewright._open_spans": "reads the SDK's open spans",
    "telewright._pipeline": "makes the SDK's providers",
    "telewright._resource": "asks the SDK's resource detectors",
    "telewright._processor": "is a span processor",
    "telewright._rejections": "reads what receivers answer",
    "telewright._reentrant": "makes lists as spans of the SDK have",
    "telewright._redact_sdk": "cleans what the SDK hands to exporters",
    "telewright._sampler": "is a sampler",
    "telewright.detectors": "are the SDK's detectors",
}
"""The only modules of the runtime that may import the SDK, exporters or protobuf, and why."""

ALWAYS = {"__future__", "collections.abc", "typing"}
"""What annotations need; `__future__` apart, it stands where type checkers alone look."""


def linted(root: Path) -> subprocess.CompletedProcess[str]:
    """Hold the tree under *root* against the contracts of its pyproject.toml."""
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    return subprocess.run(
        command,
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{root / 'runtime'}:{root / 'codegen'}"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_contracts_are_kept():
    """No import of either distribution breaks a contract."""
    done = linted(ROOT)
    assert done.returncode == 0, done.stdout


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """Return a copy of both distributions and of the contracts."""
    root = tmp_path_factory.mktemp("copy")
    for folder in ("runtime", "codegen"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, root / folder, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", root)
    return root


@pytest.mark.parametrize(
    ("module", "planted", "contract"),
    [
        ("source", "from telewright_codegen import pipeline", "Each stage knows only"),
        ("resolve/names", "from telewright_codegen.emit import emitter", "Each stage knows only"),
        ("lint/run", "from telewright_codegen.load import discover", "Emitters and rules see"),
        ("model/registry", "import libcst", "pays for LibCST"),
        ("lint/run", "import jinja2", "Only emitters render"),
        ("resolve/names", "import yaml", "Only the loader knows"),
        ("source", "import telewright", "The generator never needs"),
        ("../../runtime/telewright/_values", "import pydantic", "The runtime never needs"),
        ("planted", '"""New."""', "Each stage knows only"),
    ],
)
def test_a_planted_import_breaks_its_contract(copy, module, planted, contract):
    """Each contract names what it forbids when somebody does it; a new part needs a place."""
    path = copy / "codegen/telewright_codegen" / f"{module}.py"
    kept = path.read_text() if path.exists() else None
    try:
        path.write_text(f"{kept or ''}\n{planted}\n")
        done = linted(copy)
    finally:
        path.unlink() if kept is None else path.write_text(kept)
    broken = [line for line in done.stdout.splitlines() if " BROKEN" in line]
    assert done.returncode == 1
    assert any(contract in line for line in broken), done.stdout


def imported(path: Path) -> set[str]:
    """Return the modules that a file names in its imports, wherever they stand."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def sdk_users(folder: Path) -> set[str]:
    """Return the modules below *folder* that import the SDK, an exporter or protobuf."""
    heavy = ("opentelemetry.sdk", "opentelemetry.exporter", "opentelemetry.proto", "google")
    return {
        ".".join(path.relative_to(folder).with_suffix("").parts)
        for path in folder.rglob("*.py")
        if any(name.startswith(heavy) for name in imported(path))
    }


@pytest.mark.behaviour("B064")
def test_the_sdk_stays_in_its_modules(copy):
    """Only the modules named here import it, and a planted import is seen."""
    assert sdk_users(RUNTIME) <= set(SDK)
    values = copy / "runtime/telewright/_values.py"
    kept = values.read_text()
    values.write_text(f"{kept}\nfrom opentelemetry.sdk import trace\n")
    assert "telewright._values" in sdk_users(copy / "runtime")
    values.write_text(kept)


def generated() -> list[Path]:
    """Return the folders of the generated packages."""
    return sorted(path.parent for path in (RUNTIME / "telewright").glob("*/_registry.json"))


def outsiders(package: Path) -> set[str]:
    """Return what modules of a generated package import that they may not."""
    used = {"telewright.base", f"telewright.{package.name}"}
    registry = json.loads((package / "_registry.json").read_text())
    used |= {f"telewright.{name}" for name in registry.get("uses", ())}
    return {
        name
        for path in package.glob("*.py")
        for name in imported(path) - ALWAYS
        if not any(name == one or name.startswith(f"{one}.") for one in used)
    }


@pytest.mark.parametrize("package", generated(), ids=lambda package: package.name)
def test_generated_modules_import_the_base_and_what_they_use(package):
    """They also live in other repositories: `telewright.base`, their own, the used ones."""
    assert outsiders(package) == set()


def test_an_outsider_in_a_generated_module_is_found(copy):
    """An import of the runtime's inside is reported."""
    package = copy / "runtime/telewright/gym"
    (package / "planted.py").write_text("from telewright._span import Span\n")
    assert outsiders(package) == {"telewright._span"}
