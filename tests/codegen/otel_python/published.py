"""What OpenTelemetry's package for Python declares, and what ours does, read as text."""

from __future__ import annotations

import ast
from importlib import metadata
from pathlib import Path

import pytest

PACKAGE = "opentelemetry-semantic-conventions"
VERSION = "0.66b2"
"""The release that was made from the registry that the tests read."""
FOLDER = "opentelemetry/semconv/"


def published():
    """Return the modules of the installed package, from a path to the text."""
    if metadata.version(PACKAGE) != VERSION:
        pytest.skip(f"needs {PACKAGE} {VERSION}")
    files = {str(file): file for file in metadata.files(PACKAGE) or []}
    return {
        name.removeprefix(FOLDER): Path(str(file.locate())).read_text(encoding="utf-8")
        for name, file in files.items()
        if name.endswith(("_attributes.py", "_metrics.py"))
    }


def declared(modules):
    """Return all that *modules* declare: constants, members and what functions make.

    Each is keyed by its module and its name; a member by its class too.
    """
    constants, members, factories, texts = {}, {}, {}, {}
    for path, text in modules.items():
        before = None
        for node in ast.parse(text).body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Constant):
                before = path, node.target.id
                constants[before] = node.value.value
            elif isinstance(node, ast.Expr) and before is not None:
                texts[before] = node.value.value
            elif isinstance(node, ast.ClassDef):
                texts[path, node.name] = [ast.unparse(one) for one in node.decorator_list]
                members.update(_members(path, node))
            elif isinstance(node, ast.FunctionDef):
                factories[path, node.name] = _made(node)
                texts[path, node.name] = ast.get_docstring(node)
    return constants, members, factories, texts


def _members(path, node):
    for line in node.body:
        if isinstance(line, ast.Assign):
            yield (path, node.name, line.targets[0].id), ast.literal_eval(line.value)


def _made(node):
    """Return the method that a function calls, its arguments, and how it is called itself."""
    call = node.body[-1].value
    arguments = {one.arg: ast.unparse(one.value) for one in call.keywords}
    return call.func.attr, arguments, ast.unparse(node.args), ast.unparse(node.returns)
