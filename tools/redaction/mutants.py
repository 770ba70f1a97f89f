"""Breaks the redaction on purpose, an operator at a time, and says how much of it tests notice.

    python tools/redaction/mutants.py [NUMBER [SEED]]

Takes NUMBER of all possible breaks (100) at random, puts each into a copy of the runtime and runs
the tests of the scan on it. Returns 1 if fewer than nine in ten are noticed; lists the others.
"""

from __future__ import annotations

import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PATTERNS: Final = ("_scan*.py", "_rules.py", "_words.py", "_redact*.py")
TESTS: Final = ("corpus", "rules", "words", "surfaces", "shapes")
ENOUGH: Final = 0.9
_COMPARED: Final = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


def broken(tree: ast.Module) -> Iterator[tuple[int, str, ast.Module]]:
    """Yield the line, the kind and the result of every break of *tree*."""
    nodes = list(ast.walk(tree))
    for index, node in enumerate(nodes):
        for kind in _kinds(node):
            changed = copy.deepcopy(tree)
            _break(list(ast.walk(changed))[index], kind)
            yield getattr(node, "lineno", 0), kind, changed


def _kinds(node: ast.AST) -> tuple[str, ...]:  # noqa: PLR0911 - one for each kind
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARED:
        return ("comparison",)
    if isinstance(node, ast.BoolOp):
        return ("and-or",)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return ("not",)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        return ("plus-minus",)
    if isinstance(node, ast.Continue):
        return ("continue",)
    if isinstance(node, ast.Return) and node.value is not None:
        return ("return",)
    return ()


def _break(node: ast.AST, kind: str) -> None:
    if isinstance(node, ast.Compare):
        node.ops[0] = _COMPARED[type(node.ops[0])]()
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.UnaryOp):
        node.op = ast.UAdd()
        node.operand = ast.Call(ast.Name("bool", ast.Load()), [node.operand], [])
    elif isinstance(node, ast.BinOp):
        node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
    elif isinstance(node, ast.Return):
        node.value = ast.Constant(None)
    elif kind == "continue":
        node.__class__ = ast.Pass


def main(arguments: list[str]) -> int:
    """Break, test, and count."""
    number = int(arguments[0]) if arguments else 100
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    files = sorted({file for one in PATTERNS for file in (ROOT / "runtime/telewright").glob(one)})
    breaks = [(file, *one) for file in files for one in broken(ast.parse(file.read_text()))]
    chosen = random.Random(seed).sample(breaks, min(number, len(breaks)))  # noqa: S311 - a sample
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        runtime = Path(folder) / "runtime"
        shutil.copytree(ROOT / "runtime", runtime)
        for file, line, kind, tree in chosen:
            copied = runtime / "telewright" / file.name
            copied.write_text(ast.unparse(ast.fix_missing_locations(tree)))
            if _passes(runtime):
                survivors.append(f"{file.name}:{line}: {kind}")
                print(f"survived: {survivors[-1]}", flush=True)
            shutil.copy(file, copied)
    noticed = 1 - len(survivors) / len(chosen)
    print(f"{len(chosen)} of {len(breaks)} breaks: {noticed:.0%} noticed")
    return noticed < ENOUGH


def _passes(runtime: Path) -> bool:
    tests = [f"tests/runtime/redaction/test_{name}.py" for name in TESTS]
    found = [test for test in tests if (ROOT / test).exists()]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *found],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{runtime}{os.pathsep}{ROOT}"},
            capture_output=True,
            timeout=240,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
