"""From OpenTelemetry's registry comes what OpenTelemetry publishes for Python: no difference."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.codegen.otel_python.published import declared, published
from tests.shared import shared

from telewright_codegen import pipeline
from telewright_codegen.config import default
from telewright_codegen.diagnostics import Report
from telewright_codegen.emit.emitter import Target
from telewright_codegen.emit.otel_python.emitter import OtelPythonEmitter

IMPORTED = "opentelemetry.semconv"


def emitted(model, package=IMPORTED):
    """Return the modules that are made from *model*, from a path to the text."""
    target = Target(("otel",), {"otel": package})
    return {str(made.path): made.text for made in OtelPythonEmitter().emit(model, target)}


@pytest.fixture(scope="module")
def model():
    """Return OpenTelemetry's registry."""
    return pipeline.model(default(shared("data", "semconv-1.44.0", "model")), Report())


@pytest.fixture(scope="module")
def ours(model):
    """Return our modules."""
    return {path: text for path, text in emitted(model).items() if "__init__" not in path}


def test_nothing_differs(ours):
    """Modules, constants, members, and what is made with which name, text and unit, are equal."""
    theirs = published()
    assert set(ours) == set(theirs)
    found, expected = declared(ours), declared(theirs)
    for part, wanted in zip(found, expected, strict=True):
        assert part == wanted
    constants, members, factories, _ = expected
    attributes = [path for path, _ in constants if path.endswith("_attributes.py")]
    incubating = [path for path in attributes if path.startswith("_incubating/")]
    assert len(incubating) == 890
    assert len(attributes) - len(incubating) == 105
    assert sum(path.startswith("_incubating/") for path, _, _ in members) == 849
    assert len(factories) == 430


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("attributes/http_attributes.py", '"http.route"', '"http.rout"'),
        ("_incubating/attributes/rpc_attributes.py", "CANCELLED = 1", "CANCELLED = 2"),
        ("_incubating/metrics/http_metrics.py", 'unit="s"', 'unit="ms"'),
        ("_incubating/metrics/http_metrics.py", "create_histogram(", "create_counter("),
        ("_incubating/metrics/process_metrics.py", "description=", "descriptions="),
        ("_incubating/attributes/db_attributes.py", "@deprecated(", "@deprecate("),
    ],
)
def test_a_difference_is_noticed(ours, path, old, new):
    """A value, a number, a unit, a kind, a text or a warning that is another is a difference."""
    changed = ours | {path: ours[path].replace(old, new, 1)}
    assert changed != ours
    assert declared(changed) != declared(published())


def test_a_namespace_costs_no_other(tmp_path, model):
    """Importing the names of one namespace imports no module of another."""
    for path, text in emitted(model, "conventions").items():
        file = tmp_path / "conventions" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    program = (
        "import sys; from conventions._incubating.attributes import http_attributes as http; "
        "assert http.HTTP_ROUTE == 'http.route'; "
        "print(sorted(name for name in sys.modules if name.startswith('conventions')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(
        [
            "conventions",
            "conventions._incubating",
            "conventions._incubating.attributes",
            "conventions._incubating.attributes.http_attributes",
        ]
    )
