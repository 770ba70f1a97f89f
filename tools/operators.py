"""Small breaks that can be made anywhere in Python code: an operator, a value or a call at a time.

What is only for type checkers is left alone, and so are calls that only tell a person something:
nothing that a program does follows from them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice
from typing import Final

COMPARED: Final = {
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
KINDS: Final = ("comparison", "and-or", "not", "plus-minus", "continue", "return", "value", "call")
"""Every kind of break."""

_TOLD: Final = frozenset({"say", "failed", "super"})


def places(text: str, kinds: frozenset[str]) -> list[tuple[int, int, str]]:
    """Return where *text* can be broken: the number of the node, its line, and the kind."""
    tree = ast.parse(text)
    skipped = set(_unreached(tree))
    return [
        (number, getattr(node, "lineno", 0), kind)
        for number, node in enumerate(ast.walk(tree))
        if (kind := _kind(node)) in kinds and node not in skipped
    ]


def broken(text: str, number: int, kind: str) -> str:
    """Return *text* with the break at a place that `places` has found."""
    tree = ast.parse(text)
    _break(next(islice(ast.walk(tree), number, None)), kind)
    return ast.unparse(ast.fix_missing_locations(tree))


def _unreached(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield what no program runs: blocks for type checkers, annotations, and docstrings."""
    for node in ast.walk(tree):
        apart: list[ast.AST | None] = []
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            apart += node.body
        elif isinstance(node, ast.AnnAssign):
            apart.append(node.annotation)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            apart.append(node.returns)
            apart += [one.annotation for one in ast.walk(node.args) if isinstance(one, ast.arg)]
        elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "TYPE_CHECKING":
            apart.append(node.value)
        for one in apart:
            if one is not None:
                yield from ast.walk(one)


def _kind(node: ast.AST) -> str:  # noqa: PLR0911 - one for each kind
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
        return "comparison"
    if isinstance(node, ast.BoolOp):
        return "and-or"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return "not"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        return "plus-minus"
    if isinstance(node, ast.Continue):
        return "continue"
    if isinstance(node, ast.Return) and not _is_none(node.value):
        return "return"
    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int):
        return "value"
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and not _tells(node.value):
        return "call"
    return ""


def _is_none(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value is None)


def _tells(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in _TOLD


def _break(node: ast.AST, kind: str) -> None:
    if isinstance(node, ast.Compare):
        node.ops[0] = COMPARED[type(node.ops[0])]()
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.UnaryOp):
        node.op = ast.UAdd()
        node.operand = ast.Call(ast.Name("bool", ast.Load()), [node.operand], [])
    elif isinstance(node, ast.BinOp):
        node.op = ast.Sub() if isinstance(node.op, ast.Add) else ast.Add()
    elif isinstance(node, ast.Return):
        node.value = ast.Constant(None)
    elif isinstance(node, ast.Constant):
        node.value = not node.value if isinstance(node.value, bool) else int(str(node.value)) + 1
    elif isinstance(node, ast.Expr):
        node.value = ast.Constant(None)
    elif kind == "continue":
        node.__class__ = ast.Pass
