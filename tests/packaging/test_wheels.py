"""What is in the wheels, and what installing them brings."""

from __future__ import annotations

import json
import subprocess
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

REGISTRIES = sorted(path.parent.name for path in (ROOT / "specs").glob("*/registry.yaml"))


def test_the_runtime_wheel_holds_the_runtime_and_nothing_else(names):
    """Every file is the package's or its metadata: no generator, no specs, no tests."""
    tops = {name.partition("/")[0] for name in names["telewright"]}
    assert tops == {"telewright", "telewright-0.1.0.dist-info"}
    assert not [name for name in names["telewright"] if name.endswith((".yaml", ".jinja"))]


def test_the_runtime_wheel_is_whole(names):
    """Every module of the tree, each registry's data and the marker for type checkers are in it."""
    tree = {
        path.relative_to(ROOT / "runtime").as_posix()
        for path in (ROOT / "runtime" / "telewright").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert tree <= set(names["telewright"])
    assert "telewright/py.typed" in tree
    assert {f"telewright/{name}/_registry.json" for name in REGISTRIES} <= tree
    assert REGISTRIES


def test_the_runtime_needs_the_opentelemetry_api_alone(metadata):
    """Without extras there is one requirement."""
    required = metadata["telewright"].get_all("Requires-Dist")
    assert [line for line in required if "extra ==" not in line] == ["opentelemetry-api>=1.30"]


def test_each_integration_is_an_extra(metadata):
    """The extras are those that error messages name."""
    extras = set(metadata["telewright"].get_all("Provides-Extra"))
    assert {"sdk", "grpc", "prometheus", "ray", "http", "test"} <= extras


def test_the_generator_wheel_brings_what_it_reads_at_run_time(names):
    """Templates, rule pages and the table of OpenTelemetry's names travel in the wheel."""
    files = names["telewright-codegen"]
    assert all(name.startswith("telewright_codegen") for name in files)
    assert [name for name in files if name.endswith(".jinja")]
    pages = {Path(name).stem for name in files if Path(name).stem.startswith("TW")}
    assert pages == {path.stem for path in (ROOT / "docs" / "rules").glob("TW*.md")}


def test_the_generator_wheel_brings_the_registries(names):
    """Owners `use` them by name from repositories that hold no specs but their own."""
    tree = {
        f"telewright_codegen/specs/{path.relative_to(ROOT / 'specs').as_posix()}"
        for path in (ROOT / "specs").rglob("*.yaml")
    }
    assert tree
    assert tree <= set(names["telewright-codegen"])


def test_the_generator_does_not_need_the_runtime(metadata):
    """An owner's machine can check specs without anything that runs in production."""
    required = metadata["telewright-codegen"].get_all("Requires-Dist")
    assert sorted(line.partition(">")[0] for line in required) == [
        "jinja2",
        "libcst",
        "pydantic",
        "pyyaml",
    ]


def test_installing_the_runtime_brings_nothing_more(runtime_only):
    """A fresh environment holds the runtime, opentelemetry-api, and what that itself requires."""
    listed = runtime_only.run(
        textwrap.dedent("""
        import json, re
        from importlib.metadata import distributions, requires
        found = {re.sub("[-_.]+", "-", d.name).lower() for d in distributions()}
        api = {re.match("[A-Za-z0-9-_.]+", line)[0] for line in requires("opentelemetry-api") or ()}
        print(json.dumps([sorted(found - {"pip", "setuptools"}), sorted(api)]))
        """)
    )
    found, required_by_api = json.loads(listed)
    named = {name.replace("_", "-").lower() for name in required_by_api}
    assert {"telewright", "opentelemetry-api"} <= set(found)
    assert set(found) - named - {"telewright", "opentelemetry-api", "zipp"} == set()


def test_importing_the_runtime_loads_no_opentelemetry(runtime_only):
    """`import telewright` and a topic load neither OpenTelemetry nor typing."""
    loaded = runtime_only.run(
        textwrap.dedent("""
        import sys
        import telewright
        from telewright.gym import checkpoint
        print(sorted(name for name in sys.modules if name.startswith(("opentelemetry", "typing"))))
        """)
    )
    assert loaded.strip() == "[]"


def test_call_sites_work_with_the_api_alone(runtime_only):
    """Without the SDK a call site runs, and asking for telemetry says which extra is missing."""
    printed = runtime_only.run(
        textwrap.dedent("""
        import logging
        logging.basicConfig(format="%(message)s")
        import telewright
        from telewright.gym import rollout
        with telewright.start(service="s", exporter="console"):
            with rollout.job():
                print("ran")
        """)
    )
    assert printed.strip() == "ran"


@pytest.mark.long
def test_the_generator_works_from_its_wheel(both, tmp_path):
    """An owner with nothing but the wheels starts a registry, checks it, generates, and imports."""
    telewright = both.bin / "telewright"

    def run(*arguments: str) -> str:
        command = [telewright, *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("init", "acme")
    run("check")
    run("generate", "--emitter", "python", "--into", "acme_telemetry")
    code = "import sys; sys.path.insert(0, '.'); from acme_telemetry.groups import REGISTRY as r"
    assert both.run(code + "; print(r.name)", cwd=tmp_path).strip() == "acme"
    assert "TW001" in run("explain", "TW001")
