"""The committed packages are what linters and formatters would leave as it is."""

from __future__ import annotations

import subprocess
import sys
from keyword import iskeyword
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telewright_codegen.emit.python import order
from telewright_codegen.emit.python.imports import Imports

ROOT = Path(__file__).parents[3]
PACKAGES = [
    str(ROOT / "runtime" / "telewright" / name) for name in ("nv", "gym", "rl", "otel", "self")
]
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z_0-9]{0,12}", fullmatch=True).filter(
    lambda name: name.isidentifier() and not iskeyword(name)
)


def ruff(*arguments, text=None):
    """Run the linter."""
    return subprocess.run(
        [sys.executable, "-m", "ruff", *arguments],
        cwd=ROOT,
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_rule_holds_at_88_columns():
    """All rules of this repository, at the width of generated code."""
    done = ruff("check", "--line-length", "88", *PACKAGES)
    assert (done.returncode, done.stdout.strip()) == (0, "All checks passed!")


@pytest.mark.parametrize("width", ["88", "100", "320"])
def test_a_formatter_finds_nothing_to_do(width):
    """At 88 columns and at more."""
    done = ruff("format", "--isolated", "--diff", "--line-length", width, *PACKAGES)
    assert (done.returncode, done.stdout) == (0, "")


@settings(max_examples=40, deadline=None)
@given(st.lists(NAMES, min_size=2, max_size=12, unique=True))
def test_exports_are_in_the_order_that_linters_expect(names):
    """`__all__` is sorted as ruff sorts it."""
    shown = sorted(names, key=order.exported)
    module = f"__all__ = {shown!r}\n".replace("'", '"')
    done = ruff("check", "--isolated", "--select", "RUF022", "--preview", "-", text=module)
    assert done.returncode == 0, done.stdout


@settings(max_examples=40, deadline=None)
@given(st.lists(NAMES, min_size=1, max_size=12, unique=True), st.lists(NAMES, max_size=3))
def test_imports_are_in_the_order_that_linters_expect(names, taken):
    """Blocks of imports are sorted as ruff sorts them, those that step aside too."""
    imports = Imports({*names[:2], *taken})
    for name in names:
        imports.base(name)
        imports.name("telewright.acme.groups", name)
    statements = [line for block in imports.blocks() for line in block]
    module = "\n".join(statements) + "\n"
    done = ruff("check", "--isolated", "--select", "I001", "--line-length", "88", "-", text=module)
    assert done.returncode == 0, done.stdout
