"""``telewright init``: start a registry that passes `check` and generates code that imports."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from telewright_codegen.cli import CLEAN, FINDINGS, UsageError

if TYPE_CHECKING:
    import argparse

_NOT_A_WORD: Final = re.compile(r"[^a-z0-9]+")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's own arguments."""
    add = parser.add_argument
    add("name", nargs="?", help="the registry's name (default: that of this folder)")
    add("--into", metavar="DIR", help="where generated Python goes (default: inside the package)")
    add("--package", metavar="NAME", help="what it is imported as (default: from --into)")


def run(options: argparse.Namespace) -> int:
    """Write a registry and the configuration for it; whatever is there already stays as it is."""
    from telewright_codegen.cli import starter

    root = Path.cwd()
    name = options.name or _NOT_A_WORD.sub("_", root.name.lower()).strip("_")
    specs = root / (options.specs or "specs")
    if not specs.is_relative_to(root):
        raise UsageError(f"`{specs}` is outside this folder; begin where the project is")
    inside = specs.relative_to(root).as_posix()
    files = starter.files(name, name.replace("_", " "))
    _try(files)
    wanted = {specs / name / file: text for file, text in files.items()}
    for path in wanted:
        if os.path.lexists(path):
            sys.stderr.write(f"error: `{path.relative_to(root)}` is there already\n")
            return FINDINGS
    schema = specs / starter.SCHEMA
    if not os.path.lexists(schema):
        wanted[schema] = _schema()
    for path, text in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
    told = [f"  {path.relative_to(root).as_posix()}\n" for path in wanted]
    into = options.into or _into(root, name)
    package = options.package or ".".join(Path(into.removeprefix("src/")).parts)
    told.append(_configure(root, specs=inside, into=into, package=package))
    if not options.quiet:
        sys.stdout.write(f"Started the registry `{name}`:\n{''.join(told)}")
        sys.stdout.write("Change it, then run `telewright generate`.\n")
    return CLEAN


def _into(root: Path, name: str) -> str:
    """Return where generated Python goes: into the one package that there is, or beside."""
    for below in ("src", "."):
        packages = [path.parent for path in sorted((root / below).glob("*/__init__.py"))]
        named = [path for path in packages if path.name == name]
        if named or len(packages) == 1:
            package = (named or packages)[0]
            return (package / "telemetry").relative_to(root).as_posix()
    return f"{name}_telemetry"


def _try(files: dict[str, str]) -> None:
    """Check the registry before anything is written: its name may be none."""
    import tempfile

    from telewright_codegen import pipeline
    from telewright_codegen.config import default
    from telewright_codegen.diagnostics import Report

    with tempfile.TemporaryDirectory() as folder:
        for file, text in files.items():
            (Path(folder) / file).write_text(text, encoding="utf-8")
        report = Report()
        pipeline.model(default(Path(folder)), report)
    for found in report:
        raise UsageError(f"{found.message}; choose another name for the registry")


def _schema() -> str:
    from telewright_codegen.emit.emitter import Target
    from telewright_codegen.emit.jsonschema import JsonSchemaEmitter
    from telewright_codegen.model.registry import Model

    (made,) = JsonSchemaEmitter().emit(Model(()), Target(()))
    return made.text


def _configure(root: Path, *, specs: str, into: str, package: str) -> str:
    """Add the configuration, unless there is one; return what to say about it."""
    from telewright_codegen.cli.starter import settings
    from telewright_codegen.config import find

    found = find(root)
    if found is not None:
        name = os.path.relpath(found, root)
        return f"`{name}` says already what is generated, and stays as it is.\n"
    project = root / "pyproject.toml"
    text = settings(specs=specs, into=into, package=package, in_pyproject=project.is_file())
    if not project.is_file():
        with (root / "telewright.toml").open("x", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        return "  telewright.toml\n"
    before = project.read_bytes()
    end = "\r\n" if b"\r\n" in before else "\n"
    gap = "" if not before else end if before.endswith(b"\n") else 2 * end
    with project.open("ab") as stream:
        stream.write((gap + text.replace("\n", end)).encode())
    return "  pyproject.toml ([tool.telewright])\n"
