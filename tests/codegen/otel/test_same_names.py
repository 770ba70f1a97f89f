"""What we read of OpenTelemetry's registry is what its own Python package was generated from."""

from __future__ import annotations

import ast
from importlib import metadata
from pathlib import Path

import pytest
from tests.shared import shared

from telewright_codegen import pipeline
from telewright_codegen.config import default
from telewright_codegen.diagnostics import Report

PACKAGE = "opentelemetry-semantic-conventions"
VERSION = "0.66b2"
"""The release that was made from the registry that the tests read."""
CALLED = {"CpythonGcGenerationValues": "CPythonGCGenerationValues"}
"""The one class that OpenTelemetry's own build calls by a name of its own."""


@pytest.fixture(scope="module")
def registry():
    """Return the registry, resolved."""
    folder = shared("data", "semconv-1.44.0", "model")
    return pipeline.model(default(folder), Report()).registry("otel")


@pytest.fixture(scope="module")
def published():
    """Return the constants and the enumerations of the installed package, read as text."""
    if metadata.version(PACKAGE) != VERSION:
        pytest.skip(f"needs {PACKAGE} {VERSION}")
    constants: dict[str, str] = {}
    enums: dict[str, dict[str, object]] = {}
    for file in metadata.files(PACKAGE) or []:
        if file.match("_incubating/attributes/*_attributes.py"):
            tree = ast.parse(Path(str(file.locate())).read_text(encoding="utf-8"))
            for node in tree.body:
                if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Constant):
                    constants[node.target.id] = node.value.value
                elif isinstance(node, ast.ClassDef):
                    enums[node.name] = dict(_members(node))
    return constants, enums


def _members(node):
    for line in node.body:
        if isinstance(line, ast.Assign):
            yield line.targets[0].id, ast.literal_eval(line.value)


def test_every_constant_is_read(registry, published):
    """Each constant of the package is an attribute of ours with the same key."""
    constants, _ = published
    ours = {one.constant: one.key for topic in registry.topics for one in topic.attributes}
    assert len(constants) == 890
    assert {name: ours.get(name) for name in constants} == constants


def test_every_member_is_read(registry, published):
    """Each enumeration of the package has the same members and values here."""
    _, enums = published
    ours = {
        CALLED.get(f"{enum.name}Values", f"{enum.name}Values"): {
            member.constant: member.value for member in enum.members
        }
        for topic in registry.topics
        for enum in topic.enums
    }
    assert set(enums) - set(ours) == set()
    assert ours["RpcGrpcStatusCodeValues"]["CANCELLED"] == 1
    for name in enums:
        found = ours[name]
        if "OTHER" not in enums[name]:
            found.pop("OTHER", None)  # ours: what other values become in metrics
        assert found == enums[name], name
