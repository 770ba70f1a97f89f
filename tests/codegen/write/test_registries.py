"""Registries that come and go: the whole command, over the outputs of a configuration."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.codegen.write.making import tree

from telewright_codegen.cli import main

CONFIG = """
[[output]]
emitter = "markdown"
into = "docs"

[[output]]
emitter = "python"
into = "docs/code"
package = "code"

[[output]]
emitter = "otel-python"
into = "names"

[[output]]
emitter = "otel-schema"
into = "schemas"

[[output]]
emitter = "weaver"
into = "weaver"
"""


def declare(specs, name):
    """Write the specs of a registry."""
    folder = specs / name
    folder.mkdir(parents=True)
    (folder / "registry.yaml").write_text(
        f"registry: {name}\nversion: 0.1.0\nbrief: Of a {name}.\nnamespaces: [{name}]\n"
        f"schema_url: https://{name}.invalid/schemas/0.1.0\n"
    )
    (folder / "order.yaml").write_text(
        "topic: order\nbrief: Orders.\n"
        f"attributes:\n  - {{id: {name}.order.count, type: int, brief: How many.}}\n"
    )


def generate(*arguments):
    """Run `generate` and return its exit code."""
    return main(["generate", "-q", *arguments])


@pytest.fixture(params=[False, True], ids=["remembered", "in CI"])
def project(tmp_path, monkeypatch, request):
    """A project with three registries and an output of each kind, generated and checked."""
    for name in ("shop", "till", "gym"):
        declare(tmp_path / "specs", name)
    (tmp_path / "telewright.toml").write_text(CONFIG)
    monkeypatch.chdir(tmp_path)
    if request.param:
        monkeypatch.setenv("CI", "true")
    else:
        monkeypatch.delenv("CI", raising=False)
    assert generate() == 0
    assert generate("--check") == 0
    return tmp_path


def fresh(project, tmp_path_factory):
    """Return what is generated from the specs of *project* where nothing was before."""
    elsewhere = tmp_path_factory.mktemp("fresh")
    for path, data in tree(project).items():
        if path.startswith("specs/") or path == "telewright.toml":
            (elsewhere / path).parent.mkdir(parents=True, exist_ok=True)
            (elsewhere / path).write_bytes(data)
    assert generate("--config", str(elsewhere / "telewright.toml")) == 0
    return _generated(elsewhere)


def _generated(project):
    return {path: data for path, data in tree(project).items() if not path.startswith(".")}


@pytest.mark.parametrize("gone", [("till",), ("till", "gym")])
@pytest.mark.parametrize("renamed", [False, True])
def test_nothing_is_left_of_a_registry(project, gone, renamed, tmp_path_factory):
    """`check` fails, then what is there is what specs make that never had the registry."""
    for name in gone:
        for path in (project / "specs" / name).iterdir():
            path.unlink()
        (project / "specs" / name).rmdir()
        if renamed:
            declare(project / "specs", f"new_{name}")
    assert generate("--check") == 1
    assert generate() == 0
    assert generate("--check") == 0
    assert _generated(project) == fresh(project, tmp_path_factory)
    for name in gone:
        assert [path for path in project.rglob(name) if path.is_dir()] == []


def test_schemas_that_nobody_publishes_any_more_go(project):
    """A configured output that makes no file at all tidies its folder; a person's asks for none."""
    for path in (project / "specs").glob("*/registry.yaml"):
        path.write_text(path.read_text().partition("schema_url")[0])
    assert generate("--check") == 1
    assert generate() == 0
    assert list((project / "schemas").iterdir()) == []
    assert generate("--check") == 0
    assert generate("--emitter", "markdown", "--into", "named") == 0
    before = _generated(project)
    assert generate("--emitter", "otel-schema", "--into", "named") == 0
    assert _generated(project) == before


def test_an_output_that_fills_pages_removes_none(project):
    """It makes no file of its own: what was generated in its folder is somebody else's."""
    page = project / "guide" / "generated" / "page.md"
    page.parent.mkdir(parents=True)
    page.write_bytes((project / "docs" / "README.md").read_bytes())
    with (project / "telewright.toml").open("a") as config:
        config.write('[[output]]\nemitter = "tables"\ninto = "guide"\n')
    assert generate() == 0
    assert page.exists()


@pytest.mark.parametrize(
    "place", ["docs/bar/order.md", "docs/deep/er/order.md", "docs/code/old.py", "schemas/old.yaml"]
)
def test_a_file_that_comes_back_is_noticed(project, place):
    """By a check that had nothing to do before, as after a merge that brings an old page again."""
    assert generate("--check") == 0
    old = project / place
    old.parent.mkdir(parents=True, exist_ok=True)
    source = "docs/README.md" if place.endswith(".md") else "docs/code/shop/order.py"
    old.write_bytes(Path(source).read_bytes())
    assert generate("--check") == 1
    assert generate() == 0
    assert not old.exists()


def test_a_part_of_the_outputs_leaves_the_others_alone(project):
    """`--only`, and an emitter that a person names: above, in and beside what is configured."""
    before = _generated(project)
    assert generate("--only", "shop") == 0
    assert _generated(project) == before
    for emitter, into in (("python", "."), ("json", "."), ("markdown", "names")):
        assert generate("--emitter", emitter, "--package", "code", "--into", into) == 0
        now = _generated(project)
        assert {path: now.get(path) for path in before} == before
        assert len(now) > len(before)


def test_a_folder_outside_the_project_is_not_tidied_throughout(project, tmp_path_factory):
    """A person names one, and what is below may be anybody's; one in the project is tidied."""
    for into in (tmp_path_factory.mktemp("elsewhere"), project / "named"):
        asked = ("--emitter", "json", "--into", str(into))
        assert generate(*asked) == 0
        assert generate(*asked, "--only", "shop") == 0
        left = {path for path in tree(into) if "/" in path}
        assert bool(left) is not into.is_relative_to(project)
        assert "_registry.json" in tree(into)
