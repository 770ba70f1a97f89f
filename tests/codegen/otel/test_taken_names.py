"""Namespaces of OpenTelemetry's dialect that no module, or no file, can have as its name."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.codegen.checking import read
from tests.codegen.otel.test_reading import MANIFEST, model

from telewright_codegen import pipeline
from telewright_codegen.cli import main
from telewright_codegen.config import default
from telewright_codegen.diagnostics import Report

NAMES = ("logging", "json", "class", "aux", "groups")
GROUPS = "groups:\n" + "".join(
    f"  - id: attributes.{name}\n"
    "    brief: Attributes.\n"
    "    stability: stable\n"
    f"    attributes: [{{id: {name}.one, type: string, brief: One of many., stability: stable,"
    " examples: [a]}]\n"
    for name in NAMES
)
MODULES = ["json", "logging", "aux_", "class_", "groups_"]


@pytest.mark.parametrize("files", ["specs/one.yaml", "specs/acme/manifest.yaml"])
def test_they_become_modules(tmp_path, files, capsys):
    """In a file of one's own and in a foreign registry: a module of another name where needed."""
    folder = tmp_path / files.rpartition("/")[0]
    folder.mkdir(parents=True)
    (folder / "one.yaml").write_text(GROUPS, encoding="utf-8")
    if files.endswith("manifest.yaml"):
        (folder / "manifest.yaml").write_text(MANIFEST, encoding="utf-8")
    specs = tmp_path / files if files.endswith("one.yaml") else tmp_path / "specs"
    report = Report()
    pipeline.model(default(specs), report)
    assert "TW206" not in {one.code for one in report}
    into = tmp_path / "made"
    made = main(
        ["generate", "--specs", str(specs), "--emitter", "python", "--into", str(into), "-q"]
    )
    assert made == 0, capsys.readouterr()
    found = sorted(one.stem for one in into.rglob("*.py"))
    assert [one for one in MODULES if one not in found] == []
    script = f"from made import {', '.join(MODULES)}; print(class_.CLASS_ONE, aux_.AUX_ONE)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["class.one", "aux.one"]


def test_what_others_decided_is_read(tmp_path):
    """In a registry that is only read, no name of a member or a successor is refused."""
    text = """
    groups:
      - id: registry.x
        brief: X.
        attributes:
          - {id: x.old, type: int, brief: Old., deprecated: {reason: renamed, renamed_to: y.new}}
          - {id: Odd.One, type: int, brief: Odd.}
          - id: x.kind
            brief: Kind.
            type:
              members: [{id: A-1, value: a}, {id: a 1, value: b}, {id: mro, value: c},
                        {id: ü, value: d}, {id: 2nd, value: e}, {id: Name, value: f}]
    """
    made, report = model(tmp_path, {"x/manifest.yaml": MANIFEST, "x/a.yaml": text})
    assert [str(one) for one in report] == []
    (kind,) = [one for one in made.registry("x").topic("x").attributes if "kind" in one.key]
    assert [(one.constant, one.value) for one in kind.enum.members] == [
        ("A_1", "a"),
        ("MRO_", "c"),
        ("MEMBER_3", "d"),
        ("N_2ND", "e"),
        ("NAME_", "f"),
        ("OTHER", "_OTHER"),
    ]


def test_two_keys_with_one_constant(tmp_path):
    """Of two that are both current the later one is numbered; an owner would have to pin it."""
    text = """
    groups:
      - id: registry.x
        brief: X.
        attributes:
          - {id: x.a_b, type: {members: [{id: one}]}, brief: First.}
          - {id: x.a.b, type: {members: [{id: two}]}, brief: Second.}
    """
    made, report = model(tmp_path, {"x/manifest.yaml": MANIFEST, "x/a.yaml": text})
    assert [str(one) for one in report] == []
    found = made.registry("x").topic("x").attributes
    assert [(one.key, one.constant, one.enum.name) for one in found] == [
        ("x.a_b", "X_A_B", "XAB"),
        ("x.a.b", "X_A_B_2", "XAB2"),
    ]


@pytest.mark.parametrize("name", ["base", "import", "testing"])
def test_a_registry_of_any_name_is_read(tmp_path, name):
    """What a manifest is called matters only where a package of that name is written."""
    files = {
        f"{name}/manifest.yaml": f"name: {name}\n{MANIFEST}",
        f"{name}/a.yaml": "groups:\n  - {id: a.b, brief: A., attributes: []}\n",
    }
    _, report = model(tmp_path, files)
    assert [str(one) for one in report] == []


def test_a_package_that_cannot_be_imported(tmp_path, capsys):
    """Writing a registry called like a keyword asks for another name of its package."""
    config = read(
        tmp_path,
        {
            f"{name}/{file}": text
            for name in ("import", "other")
            for file, text in {
                "manifest.yaml": f"name: {name}\n{MANIFEST}",
                "a.yaml": f"groups:\n  - {{id: a.b, brief: A., attributes: [{{id: {name}.c, "
                "type: int, brief: C.}]}\n",
            }.items()
        },
    )
    arguments = ["--emitter", "python", "--into", str(tmp_path / "made")]
    assert main(["generate", "--specs", str(config.specs), *arguments]) == 2
    assert "`made.import` cannot be imported" in capsys.readouterr().err
