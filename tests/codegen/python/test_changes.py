"""A change of a spec changes what one expects of the generated files, and nothing else."""

from __future__ import annotations

import difflib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.golden.cases import made

ROOT = Path(__file__).parents[3]
EVERYTHING = ROOT / "tests" / "golden" / "everything" / "spec"


@pytest.fixture
def specs(tmp_path):
    """Copy the specs of a golden case."""
    copy = tmp_path / "spec"
    shutil.copytree(EVERYTHING, copy)
    return copy


def changed(specs, old, new, file="order.yaml"):
    """Edit a spec; return the lines that go and come in the package, by file."""
    before, path = made(specs, "shop"), specs / file
    text = path.read_text()
    assert text.count(old) == 1, "the edit should be one"
    path.write_text(text.replace(old, new))
    after = made(specs, "shop")
    found = {}
    for name in before.keys() | after.keys():
        lines = difflib.unified_diff(
            before.get(name, "").splitlines(), after.get(name, "").splitlines(), n=0, lineterm=""
        )
        edits = [
            f"{line[0]} {line[1:].strip()}"
            for line in lines
            if line[0] in "+-" and line[:3] not in {"---", "+++"}
        ]
        if edits:
            found[name] = edits
    return found


def test_the_name_of_a_span(specs):
    """A span that is called something else: its name, its class, its docstrings, its data."""
    found = changed(specs, "name: shop.order.idle", "name: shop.order.rest")
    assert found.keys() == {"order.py", "_registry.json"}
    removed, added = (
        {
            line[2:].replace("rest", "idle").replace("Rest", "Idle")
            for line in found["order.py"]
            if line[0] == sign
        }
        for sign in "-+"
    )
    assert removed == added
    assert removed >= {
        '"idle",',
        '"""Span ``shop.order.idle``: wait for the next order.',
        'return _Idle(group, "shop.order.idle", {})',
    }
    assert all("idle" in line.lower() for line in removed)


def test_a_member_of_an_enumeration(specs):
    """A new member: itself, the names of its spans, and the data; no signature changes."""
    found = changed(specs, "send: Send the parcel.}", "send: Send the parcel., wrap: Wrap them.}")
    assert found["order.py"] == [
        '+ WRAP = "wrap"',
        '+ """Wrap them."""',
        "+",
        '+ "wrap": "shop.wrap.work",',
    ] or sorted(found["order.py"]) == sorted(
        ["+ ", '+ WRAP = "wrap"', '+ """Wrap them."""', '+ "wrap": "shop.wrap.work",']
    )
    assert found.keys() == {"order.py", "_registry.json"}


def test_a_list_of_boundaries(specs):
    """Boundaries by a shared name: one line of code, and the data."""
    found = changed(specs, "short: [0.5, 1, 2.5, 10]", "short: [0.5, 1, 5]", "registry.yaml")
    assert found["order.py"] == [
        "- boundaries=(0.5, 1, 2.5, 10),",
        "+ boundaries=(0.5, 1, 5),",
    ]
    old, new = found["_registry.json"]
    assert old[2:].replace("[0.5, 1, 2.5, 10]", "[0.5, 1, 5]") == new[2:]


def test_a_brief(specs):
    """The brief of an attribute: every place that documents it, and no code."""
    found = changed(specs, "brief: What the customer pays.", "brief: What the bill says.")
    assert {
        line[2:].replace("the bill says", "the customer pays") for line in found["order.py"]
    } == {
        '"""What the customer pays. A number."""',
        "total: What the customer pays (``shop.order.total``).",
    }
    assert len(found["order.py"]) == 6
    old, new = found["_registry.json"]
    assert old[2:].replace("the customer pays", "the bill says") == new[2:]


def test_what_is_not_said_in_code_changes_only_the_data(specs):
    """Who may see it changes docs and data; the generated module stays as it is."""
    found = changed(specs, "    overlaps: true\n", "")
    assert found.keys() == {"_registry.json"}
    old, new = found["_registry.json"]
    assert old[2:].replace('"overlaps": true, ', "") == new[2:]


CALL = """
from acme.rl import checkpoint
with checkpoint.finalize(async_save=True):
    pass
"""


@pytest.fixture
def project(tmp_path):
    """Copy this repository's own specs, with a tag that is always true declared again."""
    copy = tmp_path / "specs"
    shutil.copytree(ROOT / "specs", copy)
    checkpoint = copy / "rl" / "checkpoint.yaml"
    text = checkpoint.read_text()
    assert "async_save" not in text
    assert text.count("\nspans:\n") == 1
    text = text.replace(
        "\nspans:\n",
        "\nattributes:\n"
        "  - id: rl.checkpoint.async_save\n"
        "    type: boolean\n"
        "    brief: Whether the checkpoint is saved in the background.\n"
        "\nspans:\n",
    )
    head, span, tail = text.partition("- name: rl.checkpoint.finalize")
    assert span
    assert "    attributes:\n" in tail
    tail = tail.replace(
        "    attributes:\n", "    attributes:\n      rl.checkpoint.async_save: recommended\n", 1
    )
    checkpoint.write_text(head + span + tail)
    return tmp_path


def test_an_attribute_that_is_removed_goes_everywhere(project):
    """Constant, parameter, docs row and data go, and each call site that passes it is an error."""
    site = project / "site.py"
    site.write_text(CALL)
    generated = generate(project)
    for file in ("checkpoint.py", "_registry.json", "checkpoint.md"):
        assert "rl.checkpoint.async_save" in generated[file], file
    data = json.loads(generated["_registry.json"])
    assert "rl.checkpoint.async_save" in data["spans"]["rl.checkpoint.finalize"]["attributes"]
    assert "RL_CHECKPOINT_ASYNC_SAVE: Final" in generated["checkpoint.py"]
    assert "async_save: bool | None = None," in generated["checkpoint.py"]
    assert refused(project, site) == ""

    checkpoint = project / "specs" / "rl" / "checkpoint.yaml"
    checkpoint.write_text((ROOT / "specs" / "rl" / "checkpoint.yaml").read_text())
    for text in generate(project).values():
        assert "async_save" not in text.lower()
    assert 'site.py:3: error: Unexpected keyword argument "async_save"' in refused(project, site)


def generate(project):
    """Generate code and docs of the registry; return the files of one topic."""
    for emitter, into in (("python", "acme"), ("markdown", "docs")):
        command = [sys.executable, "-m", "telewright_codegen", "generate", "--specs", "specs"]
        command += ["--emitter", emitter, "--into", into]
        done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    paths = [project / "acme" / "rl" / "checkpoint.py", project / "acme" / "rl" / "_registry.json"]
    paths += [project / "docs" / "rl" / "checkpoint.md"]
    return {path.name: path.read_text() for path in paths}


def refused(project, site):
    """Return what mypy has against a call site."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--no-pretty"]
    command += ["--config-file", "", "--cache-dir", str(project / "cache"), str(site)]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.stdout
