"""What holds of generated Python, whatever the specs say."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from tests import soak
from tests.strategies import registries

from telewright_codegen import pipeline
from telewright_codegen.config import default
from telewright_codegen.diagnostics import Report
from telewright_codegen.emit.emitter import Artifact, Batch, Target
from telewright_codegen.emit.python.emitter import PythonEmitter
from telewright_codegen.write import write

SETTINGS = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def modelled(files, folder):
    """Return the model of *files*; specs that are refused show nothing here."""
    specs = Path(folder) / "specs"
    specs.mkdir()
    for name, data in files.items():
        (specs / name).write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    report = Report()
    model = pipeline.model(default(specs), report)
    for found in report.diagnostics:
        if found.severity == "error":
            event(f"refused: {found.code}")
    assume(not report.has_errors)
    return model


def emitted(model, package="zoo"):
    """Return the files of the package, by path."""
    target = Target(("zoo",), {"zoo": package})
    return {made.path.as_posix(): made.text for made in PythonEmitter().emit(model, target)}


def formatted(folder, width):
    """Return what a formatter would change."""
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--diff"]
    done = subprocess.run(
        [*command, "--line-length", str(width), str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout if done.returncode else ""


def imported(folder, names):
    """Import the modules of a package in a child of their own; return what went wrong."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        failure = ""
        try:
            sys.path.insert(0, str(folder))
            for name in names:
                module = __import__(f"zoo.{name}", fromlist=["__all__"])
                for exported in module.__all__:
                    getattr(module, exported)
        except BaseException as error:  # noqa: BLE001 - the parent tells of it
            failure = f"{name}: {type(error).__name__}: {error}"
        os.write(writing, failure.encode()[:4000])
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        failure = pipe.read()
    os.waitpid(child, 0)
    return failure


@SETTINGS
@given(registries())
def test_every_valid_registry_becomes_good_python(files):
    """It parses, its names are unique, it imports, and no formatter finds anything to do."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        model = modelled(files, folder)
        made = emitted(model)
        package = folder / "out" / "zoo"
        package.mkdir(parents=True)
        for path, text in made.items():
            (package / path).write_text(text, encoding="utf-8")
        modules = [path.removesuffix(".py") for path in made if path.endswith(".py")]
        for module in modules:
            assert_unique(ast.parse(made[f"{module}.py"]), module)
        assert imported(folder / "out", sorted({*modules} - {"__init__"})) == ""
        for width in (88, 320):
            assert formatted(package, width) == ""


def assert_unique(tree, module):
    """Fail where a module, a class or a signature has a name twice."""
    defined = [node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    defined += [node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)]
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            defined += [alias.asname or alias.name for alias in node.names]
    assert not [name for name, count in Counter(defined).items() if count > 1], module
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            inside = [one.name for one in node.body if isinstance(one, ast.FunctionDef)]
            assert len(inside) == len(set(inside)), (module, node.name)


@SETTINGS
@given(registries())
def test_every_text_comes_back_from_its_docstring(files):
    """The brief of each attribute is in the docstring under its constant, spaces aside."""
    with tempfile.TemporaryDirectory() as name:
        model = modelled(files, name)
        made = emitted(model)
    for topic in model.registry("zoo").topics:
        tree = ast.parse(made[f"{topic.module}.py"])
        texts = documented(tree)
        for attribute in topic.attributes:
            brief = " ".join(attribute.spec.brief.split())
            assert brief.removesuffix(".") in texts[attribute.constant]
        brief = " ".join(topic.spec.brief.split())
        assert brief in " ".join(ast.get_docstring(tree).split())


def documented(tree):
    """Return the docstrings under constants, on one line each."""
    found = {}
    for constant, below in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(constant, ast.AnnAssign) and isinstance(below, ast.Expr):
            found[constant.target.id] = " ".join(ast.literal_eval(below.value).split())
    return found


@SETTINGS
@given(registries())
def test_the_data_beside_a_package_says_what_the_specs_say(files):
    """Read back, it has every attribute, enumeration, group, span and metric, as declared."""
    with tempfile.TemporaryDirectory() as name:
        made = emitted(modelled(files, name))
    data = json.loads(made["_registry.json"])
    topics = [text for path, text in files.items() if path != "registry.yaml"]
    declared = {one["id"]: one for topic in topics for one in topic["attributes"]}
    assert data["attributes"].keys() == declared.keys()
    for key, one in declared.items():
        read = data["attributes"][key]
        assert read["brief"] == one["brief"].strip()
        assert read["type"] == one.get("type", "enum")
        assert read.get("members") == (list(one["members"]) if "members" in one else None)
        assert read.get("open", False) == one.get("open", False)
    spans = {one["name"]: one for topic in topics for one in topic["spans"]}
    read_spans = {one.get("pattern", name): one for name, one in data["spans"].items()}
    assert read_spans.keys() == spans.keys()
    for name, one in spans.items():
        assert read_spans[name]["attributes"].keys() == one["attributes"].keys()
        assert read_spans[name]["group"] == one["group"]
    metrics = {name_of(one): one for topic in topics for one in topic["metrics"]}
    assert data["metrics"].keys() == metrics.keys()
    for name, one in metrics.items():
        assert data["metrics"][name]["attributes"] == one["attributes"]
        assert data["metrics"][name]["unit"] == one["unit"]
        assert data["metrics"][name].get("boundaries") == one.get("boundaries")


def name_of(metric):
    """Return the name under the instrument's word."""
    return next(value for key, value in metric.items() if key.endswith(("counter", "gauge", "ram")))


@settings(SETTINGS, max_examples=15)
@given(registries())
def test_writing_twice_writes_nothing(files):
    """The same specs make the same bytes, and a second run finds nothing to do."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        model = modelled(files, name)
        assert emitted(model) == emitted(model)
        for expected in (True, False):
            made = [Artifact(PurePosixPath(path), text) for path, text in emitted(model).items()]
            report = Report()
            changes = write([Batch(root / "out", tuple(made))], report, root=root)
            assert not report.diagnostics
            assert bool(changes.written) is expected


@pytest.mark.soak
def test_many_more_registries_become_good_python(request):
    """The same for twenty thousand registries."""
    good = test_every_valid_registry_becomes_good_python.hypothesis.inner_test
    soak.begin(request).examples(good, registries(), count=20_000, patience=120, base=SETTINGS)
