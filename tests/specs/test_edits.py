"""What an edit of the specs changes: the places that one expects, and no other."""

from __future__ import annotations

import difflib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.specs.declared import SPECS

_CONFIG: Final = """\
specs = "specs"

[[output]]
emitter = "python"
into = "code/moved"
package = "moved"

[[output]]
emitter = "markdown"
into = "docs"
"""

_ASYNC_SAVE: Final = """\
attributes:
  - id: rl.checkpoint.async_save
    type: boolean
    brief: Whether the save went on in the background.

spans:
"""

_CALL: Final = """\
from moved.rl import checkpoint

with checkpoint.finalize(async_save=True):
    pass
"""


@dataclass(frozen=True)
class Project:
    """A copy of the specs with what is generated from it."""

    home: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the command line in the project."""
        return subprocess.run(
            [sys.executable, "-m", "telewright_codegen", *arguments],
            cwd=self.home,
            capture_output=True,
            text=True,
            check=False,
        )

    def generate(self) -> None:
        """Generate, and expect that nothing is wrong."""
        done = self.run("generate")
        assert done.returncode == 0, done.stdout + done.stderr

    def edit(self, file: str, old: str, new: str) -> None:
        """Put *new* in the place of *old*, which a spec says once."""
        path = self.home / "specs" / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{file} says {old!r} {text.count(old)} times"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def outputs(self) -> dict[str, list[str]]:
        """Return the lines of every generated file."""
        return {
            path.relative_to(self.home).as_posix(): path.read_text(encoding="utf-8").splitlines()
            for folder in ("code", "docs")
            for path in (self.home / folder).rglob("*.*")
            if path.suffix in {".py", ".json", ".md"}
        }

    def changes(self, file: str, old: str, new: str) -> dict[str, list[str]]:
        """Edit and generate; return the lines that came and went, by file."""
        before = self.outputs()
        self.edit(file, old, new)
        self.generate()
        after = self.outputs()
        found = {
            name: [
                line
                for line in difflib.ndiff(before.get(name, []), after.get(name, []))
                if line[:1] in "+-"
            ]
            for name in before | after
            if before.get(name) != after.get(name)
        }
        assert found
        return found

    def types(self, program: str) -> str:
        """Return what the type checker says about *program*."""
        (self.home / "program.py").write_text(program, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--strict", "program.py"],
            cwd=self.home,
            env={
                **os.environ,
                "MYPYPATH": str(self.home / "code"),
                "MYPY_CACHE_DIR": str(self.home / "cache"),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the specs with what is generated from it, which no test changes."""
    home = tmp_path_factory.mktemp("generated")
    shutil.copytree(SPECS, home / "specs")
    (home / "telewright.toml").write_text(_CONFIG)
    Project(home).generate()
    return home


@pytest.fixture
def project(generated: Path, tmp_path: Path) -> Project:
    """Return a generated copy of the specs."""
    return Project(Path(shutil.copytree(generated, tmp_path / "project")))


def _python(changes: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: lines for name, lines in changes.items() if name.endswith(".py")}


def _pages(changes: dict[str, list[str]]) -> set[str]:
    return {name for name in changes if name.endswith(".md")}


def test_a_span_name(project: Project) -> None:
    """A new name changes its helper, its rows and nothing about other spans."""
    found = project.changes(
        "gym/sandbox.yaml", "  - name: gym.sandbox.stop", "  - name: gym.sandbox.release"
    )
    python = _python(found)
    assert set(python) == {"code/moved/gym/sandbox.py"}
    for line in python["code/moved/gym/sandbox.py"]:
        assert "stop" in line or "release" in line
    assert "docs/gym/sandbox.md" in _pages(found)
    for name in _pages(found):
        assert all("release" in line or "stop" in line for line in found[name]), name


def test_an_enum_member(project: Project) -> None:
    """A member that goes takes its constant and its row along."""
    found = project.changes("rl/setup.yaml", "      dtensor_v2: DTensor, second version.\n", "")
    python = _python(found)
    assert set(python) == {"code/moved/rl/setup.py"}
    text = "\n".join(python["code/moved/rl/setup.py"])
    assert "DTENSOR_V2" in text
    assert not [line for line in python["code/moved/rl/setup.py"] if line.startswith("+ ")]
    assert "docs/rl/setup.md" in _pages(found)
    assert not [name for name in found if "/gym/" in name or "/nv/" in name]


def test_a_boundary_list(project: Project) -> None:
    """Shared boundaries change in the histograms that name them."""
    found = project.changes(
        "gym/registry.yaml", "  sandbox_ms: [250, ", "  sandbox_ms: [125, 250, "
    )
    python = _python(found)
    assert set(python) == {"code/moved/gym/sandbox.py"}
    assert {line[2:].strip() for line in python["code/moved/gym/sandbox.py"]} <= {"125,", ""}
    assert len(python["code/moved/gym/sandbox.py"]) == 2, "one for each of two histograms"


def test_a_brief(project: Project) -> None:
    """A brief changes in the docstring and on the pages, and in no line of code."""
    found = project.changes(
        "gym/sandbox.yaml", "brief: Provision one sandbox.", "brief: Make one sandbox ready."
    )
    python = _python(found)
    assert set(python) == {"code/moved/gym/sandbox.py"}
    for lines in python.values():
        assert {line[2:].strip() for line in lines if line[0] in "+-"} == {
            '"""Span ``gym.sandbox.start``: provision one sandbox.',
            '"""Span ``gym.sandbox.start``: make one sandbox ready.',
        }


def test_what_is_stale_is_shown_with_the_command_that_repairs_it(project: Project) -> None:
    """The check fails on an edit that was not generated, and passes once it was."""
    assert project.run("generate", "--check").returncode == 0
    project.edit("gym/sandbox.yaml", "brief: Provision one sandbox.", "brief: Make one.")
    done = project.run("generate", "--check", "--diff")
    said = done.stdout + done.stderr
    assert done.returncode == 1
    assert "code/moved/gym/sandbox.py" in said
    assert '-    """Span ``gym.sandbox.start``: provision one sandbox.' in said
    assert '+    """Span ``gym.sandbox.start``: make one.' in said
    assert "telewright generate" in said
    project.generate()
    assert project.run("generate", "--check").returncode == 0


@pytest.mark.long
def test_an_attribute_that_goes_takes_everything_along(project: Project) -> None:
    """Constant, parameter, row and entry go, and a call that passes it is a type error."""
    project.edit("rl/checkpoint.yaml", "spans:\n", _ASYNC_SAVE)
    project.edit(
        "rl/checkpoint.yaml",
        "      rl.iteration: recommended\n",
        "      rl.iteration: recommended\n      rl.checkpoint.async_save: recommended\n",
    )
    project.generate()
    with_it = {name: "\n".join(lines) for name, lines in project.outputs().items()}
    assert "RL_CHECKPOINT_ASYNC_SAVE" in with_it["code/moved/rl/checkpoint.py"]
    assert "rl.checkpoint.async_save" in with_it["docs/rl/checkpoint.md"]
    assert "async_save: bool | None = None," in with_it["code/moved/rl/checkpoint.py"]
    data = json.loads(with_it["code/moved/rl/_registry.json"])
    assert "rl.checkpoint.async_save" in data["attributes"]
    assert "rl.checkpoint.async_save" in data["spans"]["rl.checkpoint.finalize"]["attributes"]
    assert "Success" in project.types(_CALL)

    project.edit("rl/checkpoint.yaml", _ASYNC_SAVE, "spans:\n")
    project.edit("rl/checkpoint.yaml", "      rl.checkpoint.async_save: recommended\n", "")
    project.generate()
    for name, lines in project.outputs().items():
        assert "async_save" not in "\n".join(lines).lower(), name
    assert 'program.py:3: error: Unexpected keyword argument "async_save"' in project.types(_CALL)
