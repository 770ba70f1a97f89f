"""What the generator writes, compared with what it should write."""

from __future__ import annotations

import ast
import os
import subprocess
import sys

import pytest

from tests.golden.cases import CASES, HERE, expected, generated, rewrite

RUFF = [sys.executable, "-m", "ruff"]


@pytest.fixture(params=CASES)
def case(request):
    """Name each case; with TELEWRIGHT_GOLDEN=write its expected files are made anew."""
    if os.environ.get("TELEWRIGHT_GOLDEN") == "write":
        rewrite(request.param)
    return request.param


def test_what_is_generated_is_what_is_expected(case):
    """Each file is expected, to the letter; `make golden` rewrites them."""
    assert generated(case) == expected(case)


def test_each_case_says_what_it_shows(case):
    """A case has a sentence about itself."""
    assert (HERE / case / "README.md").read_text().rstrip().endswith(".")


def test_every_module_parses_and_sorts_what_it_exports(case):
    """A module exports what it defines, each name once."""
    for name, text in expected(case).items():
        if not name.endswith(".py"):
            continue
        tree = ast.parse(text)
        assert ast.get_docstring(tree), name
        exported = _exported(tree)
        assert len(exported) == len(set(exported)), name
        assert set(exported) <= _defined(tree), name


@pytest.mark.parametrize("width", [88, 89, 100, 120, 200, 320])
def test_a_formatter_finds_nothing_to_do(width):
    """Generated code is a fixed point of `ruff format` at 88 columns and at more."""
    command = [*RUFF, "format", "--isolated", "--diff", "--line-length", str(width)]
    done = subprocess.run([*command, *_folders()], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_a_formatter_would_find_something(tmp_path):
    """Control: the same command complains about code that is not formatted."""
    (tmp_path / "bad.py").write_text("x=1\n")
    command = [*RUFF, "format", "--isolated", "--diff", "--line-length", "88", str(tmp_path)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1


def _folders():
    return [str(HERE / case / "expected") for case in CASES]


def _exported(tree):
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and target.id == "__all__":
                return ast.literal_eval(node.value)
    return []


def _defined(tree):
    names = set()
    for node in tree.body:
        if isinstance(node, ast.AnnAssign):
            names.add(node.target.id)
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    return names
