"""The architecture page describes this tree and no other."""

from __future__ import annotations

import shutil

import pytest
from tools.architecture import PAGE, ROOT, rewrite


def test_the_tables_are_those_of_the_tree():
    """The module map and the import table say what `make docs` would write."""
    page = PAGE.read_text()
    assert page == rewrite(page, ROOT), "run make docs"


@pytest.fixture
def copy(tmp_path):
    """A copy of both packages that a test may change."""
    for folder in ("runtime", "codegen"):
        shutil.copytree(
            ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__")
        )
    return tmp_path


@pytest.mark.parametrize("package", ["runtime/telewright", "codegen/telewright_codegen"])
def test_a_new_module_changes_the_page(copy, package):
    """A new module makes the page stale; its row is the sentence that it opens with."""
    page = PAGE.read_text()
    (copy / package / "planted.py").write_text('"""Grows quietly."""\n')
    assert "planted` | Grows quietly. |" in rewrite(page, copy)


def test_a_new_import_changes_the_page(copy):
    """An import between two parts of the generator shows in the table of imports."""
    page = PAGE.read_text()
    (copy / "codegen/telewright_codegen/source.py").write_text(
        '"""Text and where it is."""\nfrom telewright_codegen import pipeline\nimport libcst\n'
    )
    assert "| `source` | `pipeline` | `libcst` |" in rewrite(page, copy)
