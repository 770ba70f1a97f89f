"""Which numbered behaviours tests assert, and which are none of this project's, with the reason.

    python tools/behaviours.py

A test carries the numbers of its marker, `@pytest.mark.behaviour("B001")`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import yaml

ROOT: Final = Path(__file__).resolve().parent.parent
NOT_OURS: Final = ROOT / "tests" / "behaviours" / "not_ours.yaml"
MARKER: Final = "behaviour"
APART: Final = frozenset({"system", "soak"})
"""Marks of tests that not every run has."""
HEAVY: Final = ("tests/lens/", "tests/runtime/faults/", "tests/runtime/test_hostile.py")
"""Where tests take so long that they notice breaks only where no other test does."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A test that carries numbers."""

    name: str
    """As pytest has it: a file, `::`, and a function."""
    numbers: tuple[str, ...]
    apart: bool
    """Whether it runs only where it is asked for, or for long."""


@cache
def carried(root: Path = ROOT) -> list[Numbered]:
    """Read which tests carry numbers, without running anything."""
    return [
        test for path in sorted((root / "tests").rglob("test_*.py")) for test in _of(path, root)
    ]


def _of(path: Path, root: Path) -> Iterator[Numbered]:
    text = path.read_text(encoding="utf-8")
    if f".{MARKER}(" not in text:
        return
    tree = ast.parse(text)
    always = [node.value for node in tree.body if isinstance(node, ast.Assign) and _marks_all(node)]
    for prefix, node, above in _functions(tree.body, ""):
        marks = [mark for one in (*always, *above, *node.decorator_list) for mark in _marks(one)]
        numbers = tuple(word for name, words in marks if name == MARKER for word in words)
        if numbers:
            place = f"{path.relative_to(root).as_posix()}::{prefix}{node.name}"
            apart = place.startswith(HEAVY) or any(name in APART for name, _ in marks)
            yield Numbered(place, numbers, apart)


def _marks_all(node: ast.Assign) -> bool:
    return any(isinstance(name, ast.Name) and name.id == "pytestmark" for name in node.targets)


_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(
    body: list[ast.stmt], prefix: str, above: tuple[ast.expr, ...] = ()
) -> Iterator[tuple[str, _Function, tuple[ast.expr, ...]]]:
    for node in body:
        if isinstance(node, _Function) and node.name.startswith("test"):
            yield prefix, node, above
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            inside = (*above, *node.decorator_list)
            yield from _functions(node.body, f"{prefix}{node.name}::", inside)


def _marks(expression: ast.AST) -> Iterator[tuple[str, list[str]]]:
    """Yield every mark in a decorator, and the words that it is given."""
    for node in ast.walk(expression):
        if isinstance(node, ast.Attribute):
            yield node.attr, []
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            words = [word.value for word in node.args if isinstance(word, ast.Constant)]
            yield node.func.attr, [word for word in words if isinstance(word, str)]


def not_ours() -> dict[str, str]:
    """Read why each of the other numbers is none of this project's."""
    found: dict[str, str] = yaml.safe_load(NOT_OURS.read_text(encoding="utf-8"))
    return found


def table() -> dict[str, list[str]]:
    """Return each number that tests carry, in order, with the tests."""
    found: dict[str, list[str]] = {}
    for test in carried():
        for number in test.numbers:
            found.setdefault(number, []).append(test.name)
    return dict(sorted(found.items()))


def main() -> int:
    """Print each number with its tests, or with the reason why it has none."""
    rows = {**table(), **{number: [reason] for number, reason in not_ours().items()}}
    for number, texts in sorted(rows.items()):
        for text in texts:
            print(f"{number}  {text}")
    print(f"\n{len(table())} in tests, {len(not_ours())} not ours")
    return 0


if __name__ == "__main__":
    sys.exit(main())
