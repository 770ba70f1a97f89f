"""Runs of a part of what is configured: they know nothing of the rest, and remove none of it."""

from __future__ import annotations

import pytest
from tests.codegen.write.making import tree

from telewright_codegen.cli import main

REGISTRY = """\
registry: {name}
version: 1.0.0
brief: Of {name}.
schema_url: https://acme.example/{name}/schemas/1.0.0
"""
TOPIC = """\
topic: {name}
brief: Of {name}.
attributes:
  - id: {name}.key
    type: string
    brief: A key.
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Make a project of three registries; return what writes its configuration and generates."""
    for name in ("a", "b", "c"):
        folder = tmp_path / "specs" / name
        folder.mkdir(parents=True)
        (folder / "registry.yaml").write_text(REGISTRY.format(name=name))
        (folder / f"{name}.yaml").write_text(TOPIC.format(name=name))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CI", "1")

    def configured(*outputs):
        text = "".join(
            "[[output]]\n" + "".join(f"{key} = {value!r}\n" for key, value in output.items())
            for output in outputs
        )
        (tmp_path / "telewright.toml").write_text(text)
        assert main(["generate"]) == 0
        return tmp_path

    return configured


def kept(folder, *arguments):
    """Run a part, and return whether all files that were there still are."""
    before = tree(folder)
    assert main(["generate", *arguments]) == 0
    return before.keys() <= tree(folder).keys()


def test_one_registry_of_two_outputs_with_one_folder(project):
    """`--only` leaves alone what the other output writes there, and what its own has beside."""
    folder = project(
        {"emitter": "python", "into": "src/code", "registries": ["a", "b"]},
        {"emitter": "python", "into": "src/code", "registries": ["c"]},
    )
    for name in ("a", "b", "c"):
        assert kept(folder, "--only", name)


def test_a_part_of_outputs_inside_each_other(project):
    """An output in a folder of another's is left alone by a run that does not make it whole."""
    folder = project(
        {"emitter": "weaver", "into": "out"},
        {"emitter": "otel-schema", "into": "out/a", "registries": ["a"]},
    )
    for name in ("a", "b", "c"):
        assert kept(folder, "--only", name)
    for emitter in ("weaver", "otel-schema"):
        assert kept(folder, "--emitter", emitter, "--into", "out")


@pytest.mark.parametrize(
    ("emitter", "into"), [("python", "src/code"), ("markdown", "docs"), ("markdown", "docs/a")]
)
def test_an_output_that_is_asked_for_beside_those_that_are_configured(project, emitter, into):
    """`--emitter` into a folder of a configured output adds, and removes nothing."""
    folder = project(
        {"emitter": "python", "into": "src/code"},
        {"emitter": "markdown", "into": "docs"},
    )
    assert kept(folder, "--emitter", emitter, "--into", into, "--only", "a")


def test_a_whole_run_removes_what_nothing_makes(project):
    """The positive control: what a part leaves alone goes with the next run of everything."""
    folder = project({"emitter": "python", "into": "src/code"})
    assert kept(folder, "--emitter", "python", "--into", "src/code", "--only", "a")
    assert (folder / "src/code/a.py").exists()
    assert not kept(folder)
    assert not (folder / "src/code/a.py").exists()


def test_only_one_registry_is_written(project):
    """`--only` writes nothing of an output that is not of that registry."""
    folder = project(
        {"emitter": "python", "into": "src/a", "registries": ["a"]},
        {"emitter": "python", "into": "src/b", "registries": ["b"]},
    )
    for path in folder.glob("src/*/*.py"):
        path.unlink()
    assert main(["generate", "--only", "a"]) == 0
    assert (folder / "src/a/a.py").exists()
    assert not (folder / "src/b/b.py").exists()
