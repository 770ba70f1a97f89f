"""What importing a generated package costs a process: next to nothing, and nothing of others."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

RUNTIME = Path(__file__).parents[3] / "runtime" / "telewright"
PACKAGES = ["nv", "gym", "rl", "otel"]

LOADED = """
import importlib, json, sys
before = set(sys.modules)
for name in sys.argv[1:]:
    importlib.import_module(name)
print(json.dumps(sorted(set(sys.modules) - before)))
"""


def loaded(*modules):
    """Return what importing *modules* in a new process loads."""
    command = [sys.executable, "-S", "-c", LOADED, *modules]
    site = [path for path in sys.path if path]
    done = subprocess.run(
        command,
        env={"PYTHONPATH": ":".join([str(RUNTIME.parent), *site])},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def modules(package):
    """Return the modules of a generated package."""
    files = sorted((RUNTIME / package).glob("*.py"))
    names = [f"telewright.{package}.{file.stem}" for file in files]
    return [name.removesuffix(".__init__") for name in names]


@pytest.mark.parametrize("package", PACKAGES)
def test_off_nothing_of_others_is_loaded(package):
    """Every module of a package, imported with telemetry off, loads neither of the two."""
    found = loaded(*modules(package))
    assert f"telewright.{package}" in found
    wrong = {"typing", "typing_extensions", "logging", "json", "opentelemetry"}
    assert not [name for name in found if name.partition(".")[0] in wrong]


def test_control_something_would_be_found():
    """Control: the same look finds what does load them."""
    found = loaded("telewright.testing")
    assert "typing" in found
    assert "opentelemetry" in found


def test_a_package_by_itself_loads_no_topic():
    """A process pays for the topics it uses."""
    found = loaded("telewright.gym")
    assert [name for name in found if name.startswith("telewright.gym")] == ["telewright.gym"]


@pytest.mark.parametrize("package", PACKAGES)
def test_modules_import_only_what_they_may(package):
    """The base, their own package, and the packages of registries that theirs uses."""
    data = json.loads((RUNTIME / package / "_registry.json").read_text(encoding="utf-8"))
    allowed = {"__future__", "telewright.base", f"telewright.{package}"}
    allowed |= {f"telewright.{name}" for name in data["uses"]}
    checking = {"typing", "collections.abc"}
    for file in (RUNTIME / package).glob("*.py"):
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.lstrip().startswith("from "):
                module = line.split()[1]
                parent = ".".join(module.split(".")[:2])
                inside = line.startswith("    ") and module in checking | {"telewright.base"}
                assert inside or module in allowed or parent in allowed - {"telewright.base"}, line
            assert not line.startswith("import ")
