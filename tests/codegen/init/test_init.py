"""`telewright init`: a registry that passes `check`, and whose package imports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft7Validator

from telewright_codegen.cli import main

ROOT = Path(__file__).resolve().parents[3]
PROJECT = '[project]\nname = "acme"\nversion = "1"\n'


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Return an empty project's folder, which is the current one."""
    folder = tmp_path / "acme-app"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def python(folder, program):
    """Run *program* in a fresh interpreter that sees the project and the runtime."""
    path = os.pathsep.join([str(folder), str(folder / "src"), str(ROOT / "runtime")])
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.mark.usefixtures("project")
def test_the_registry_passes_check(capsys):
    """Nothing is found in what was started, not even a warning."""
    assert main(["init"]) == 0
    capsys.readouterr()
    assert main(["check"]) == 0
    assert capsys.readouterr().out == "Checked 2 files.\n"


def test_the_package_imports_and_works(project):
    """What is generated from it imports, and its span opens and closes."""
    assert main(["init"]) == 0
    assert main(["generate"]) == 0
    program = (
        "from acme_app_telemetry import task\n"
        "with task.run(task_id='a') as span:\n"
        "    span.set(items=3)\n"
        "task.retries.add()\n"
        "print(span.on)\n"
    )
    assert python(project, program) == "False\n"
    assert main(["generate", "--check"]) == 0


def test_the_name_may_be_given(project):
    """A registry, its namespace, its folder and its package are called as asked."""
    assert main(["init", "shop"]) == 0
    registry = yaml.safe_load((project / "specs/shop/registry.yaml").read_text())
    assert registry["registry"] == "shop"
    assert registry["namespaces"] == ["shop"]
    settings = tomllib.loads((project / "telewright.toml").read_text())
    assert settings["output"][0]["package"] == "shop_telemetry"


def test_editors_find_the_schema(project):
    """The first line of each file names the schema, which is there and which the file fits."""
    assert main(["init", "shop"]) == 0
    for file in (project / "specs/shop").iterdir():
        first, _, rest = file.read_text().partition("\n")
        assert first.startswith("# yaml-language-server: $schema=")
        schema = file.parent / first.partition("=")[2]
        validator = Draft7Validator(json.loads(schema.read_text()))
        assert [error.message for error in validator.iter_errors(yaml.safe_load(rest))] == []


def test_a_project_keeps_its_pyproject(project):
    """The configuration goes to the end of pyproject.toml; what was there stays, byte for byte."""
    file = project / "pyproject.toml"
    file.write_bytes(PROJECT.replace("\n", "\r\n").encode())
    assert main(["init", "shop"]) == 0
    data = file.read_bytes()
    assert data.startswith(PROJECT.replace("\n", "\r\n").encode())
    assert data.count(b"\n") == data.count(b"\r\n")
    tool = tomllib.loads(data.decode())["tool"]["telewright"]
    assert tool["specs"] == "specs"
    assert [output["emitter"] for output in tool["output"]] == ["python", "markdown", "jsonschema"]
    assert not (project / "telewright.toml").exists()
    assert main(["generate"]) == 0


@pytest.mark.parametrize("package", ["src/acme", "acme"])
def test_code_goes_into_the_package_there_is(project, package):
    """In a project with one package the telemetry becomes a part of it."""
    (project / package).mkdir(parents=True)
    (project / package / "__init__.py").touch()
    assert main(["init", "shop"]) == 0
    assert main(["generate"]) == 0
    assert (project / package / "telemetry" / "task.py").is_file()
    assert python(project, "from acme.telemetry import task; print(task.GATE.on)") == "False\n"


def test_nothing_is_overwritten(project, capsys):
    """A second run says what is there and writes nothing, a broken link in the way included."""
    assert main(["init", "shop"]) == 0
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    assert main(["init", "shop"]) == 1
    assert "`specs/shop/registry.yaml` is there already" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in before} == before
    (project / "specs" / "other").mkdir()
    (project / "specs" / "other" / "task.yaml").symlink_to(project / "nowhere")
    assert main(["init", "other"]) == 1
    assert not (project / "specs" / "other" / "registry.yaml").exists()


def test_a_second_registry_joins_the_first(project, capsys):
    """Where something is configured already, that stays, and the new registry is read with it."""
    assert main(["init", "shop"]) == 0
    settings = (project / "telewright.toml").read_bytes()
    assert main(["init", "depot"]) == 0
    assert (project / "telewright.toml").read_bytes() == settings
    assert "stays as it is" in capsys.readouterr().out
    assert main(["generate"]) == 0
    assert (project / "shop_telemetry" / "depot" / "task.py").is_file()


@pytest.mark.parametrize("name", ["class", "3d", "Shop", "a.b", "os", "a b", "../x"])
def test_a_name_that_cannot_be_is_refused(project, capsys, name):
    """Before anything is written, in one line, as wrong usage."""
    assert main(["init", name]) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: ")
    assert error.count("\n") == 1
    assert list(project.iterdir()) == []


def test_specs_may_lie_elsewhere_in_the_project(project):
    """`--specs` says where, and the configuration says it again."""
    assert main(["--specs", "telemetry/specs", "init", "shop"]) == 0
    assert (project / "telemetry/specs/shop/registry.yaml").is_file()
    assert main(["generate", "--only", "shop"]) == 0
