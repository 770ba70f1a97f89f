"""The cases, and what the generator makes of each."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from telewright_codegen import pipeline
from telewright_codegen.config import default
from telewright_codegen.diagnostics import Report
from telewright_codegen.emit.emitter import Target
from telewright_codegen.emit.python.emitter import PythonEmitter

HERE: Final = Path(__file__).parent

CASES: Final = sorted(path.parent.name for path in HERE.glob("*/README.md"))


def expected(case):
    """Return the files that the repository has for *case*, by path."""
    folder = HERE / case / "expected"
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in folder.rglob("*")
        if path.suffix in {".py", ".json"}
    }


def generated(case):
    """Return the files that the generator makes for *case*, by path."""
    return made(HERE / case / "spec", f"tests.golden.{case}.expected")


def made(specs, package):
    """Return the Python package that *specs* become, by path; findings are mistakes here."""
    model = modelled(specs)
    names = tuple(registry.name for registry in model.registries)
    several = len(names) > 1
    packages = {name: f"{package}.{name}" if several else package for name in names}
    emitted = PythonEmitter().emit(model, Target(names, packages))
    return {artifact.path.as_posix(): artifact.text for artifact in emitted}


def modelled(specs):
    """Return the model of *specs*."""
    report = Report()
    model = pipeline.model(default(specs), report)
    assert not report.has_errors, [f"{one.code} {one.message}" for one in report]
    return model


def rewrite(case):
    """Make the expected files what the generator makes now."""
    folder, files = HERE / case / "expected", generated(case)
    for name in expected(case).keys() - files.keys():
        (folder / name).unlink()
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
