"""The policies of tools/layout.py: the tree keeps them, and each of them can find something."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools import layout


@pytest.mark.parametrize("rule", layout.RULES, ids=lambda rule: rule.__name__)
def test_the_tree_keeps_the_rule(rule):
    """No file of this project breaks the rule."""
    assert list(rule(layout.ROOT)) == []


def plant(root: Path, name: str, text: str) -> None:
    """Write *text* under *root* and let git know it."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)


SENTENCE = '"""A module that does something."""\n'


@pytest.mark.parametrize(
    ("rule", "name", "text"),
    [
        (layout.long_modules, "runtime/a.py", SENTENCE + "x = 1\n" * 400),
        (layout.long_modules, "tests/test_a.py", SENTENCE + "x = 1\n" * 400),
        (layout.module_docstrings, "codegen/a.py", "x = 1\n"),
        (layout.module_docstrings, "codegen/a.py", '"""One sentence. And another."""\n'),
        (layout.module_docstrings, "codegen/a.py", '"""No full stop"""\n'),
        (layout.test_docstrings, "tests/test_a.py", "def test_it(): pass\n"),
        (
            layout.test_docstrings,
            "tests/test_a.py",
            "class TestA:\n    async def test_it(self): ...\n",
        ),
        (layout.unjustified_exceptions, "tools/a.py", SENTENCE + "x = 1  # no" + "qa\n"),
        (
            layout.unjustified_exceptions,
            "tools/a.py",
            SENTENCE + "x = 1  # no" + "qa: S101, S102\n",
        ),
        (
            layout.unjustified_exceptions,
            "tests/a.py",
            SENTENCE + "x = 1  # type" + ": ignore[arg-type]\n",
        ),
        (
            layout.unjustified_exceptions,
            "tests/a.py",
            SENTENCE + "x = 1  # type" + ": ignore[arg-type]  # pyright" + ": ignore[reportAny]\n",
        ),
        (layout.unfinished, "demo/a.py", SENTENCE + "# TO" + "DO later\n"),
        (layout.changelog_fragments, "changelog.d/thing.new.md", "A thing.\n"),
        (layout.changelog_fragments, "changelog.d/thing.added.md", "A thing\n"),
    ],
)
def test_a_planted_fault_is_found(tmp_path, rule, name, text):
    """Each rule names the file that breaks it."""
    plant(tmp_path, name, text)
    found = list(rule(tmp_path))
    assert len(found) == 1
    assert found[0].startswith(f"{name}:")


@pytest.mark.parametrize(
    ("rule", "name", "text"),
    [
        (
            layout.long_modules,
            "runtime/a.py",
            layout.GENERATED + " from a.yaml.\n" + "x = 1\n" * 400,
        ),
        (
            layout.module_docstrings,
            "codegen/a.py",
            '"""One sentence.\n\nThen more. Much more.\n"""\n',
        ),
        (layout.unjustified_exceptions, "tools/a.py", "x = 1  # no" + "qa: S101  # a reason\n"),
        (layout.changelog_fragments, "changelog.d/a-thing.fixed.md", "A thing works.\n"),
    ],
)
def test_what_a_rule_allows_passes(tmp_path, rule, name, text):
    """Generated files may be long, docstrings may go on, and exceptions may have reasons."""
    plant(tmp_path, name, text)
    assert list(rule(tmp_path)) == []


def test_a_path_of_this_machine_is_found(tmp_path):
    """A tracked file that names the checkout's own folder is reported with its line."""
    plant(tmp_path, "docs/a.md", f"First line\nSee {tmp_path}/docs for more.\n")
    assert list(layout.machine_paths(tmp_path)) == ["docs/a.md:2: a path of this machine"]


def test_the_program_prints_what_it_finds_and_fails(tmp_path, monkeypatch, capsys):
    """`python tools/layout.py` prints each broken rule and returns 1."""
    plant(tmp_path, "tools/a.py", "x = 1\n")
    monkeypatch.setattr(layout, "ROOT", tmp_path)
    assert layout.main() == 1
    assert "tools/a.py:1: no docstring" in capsys.readouterr().out
