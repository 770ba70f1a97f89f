"""``telewright vendor``: copy the OpenTelemetry names that the specs use, at a pinned version."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from telewright_codegen.cli import CLEAN, FINDINGS, InputError, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from telewright_codegen.config import Config
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.emit.emitter import Artifact
    from telewright_codegen.vendor.foreign import ForeignAttribute
    from telewright_codegen.write import Changes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's own arguments."""
    add = parser.add_argument
    add("registry", choices=("otel",), help="whose names to copy")
    add("--from", metavar="DIR", required=True, dest="source", help="a folder of its model files")
    add("--all", action="store_true", help="copy every name, not only those that the specs use")
    add("--pin", metavar="VERSION", help="the version, where the folder does not say it")
    add("--check", action="store_true", help="write nothing; exit 1 if something is out of date")


def run(options: argparse.Namespace) -> int:
    """Write ``specs/otel``, or say how it would change."""
    from telewright_codegen.cli.session import open_config, show
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.emit.emitter import Batch
    from telewright_codegen.vendor.dialect import closure
    from telewright_codegen.vendor.folder import otel
    from telewright_codegen.write import write

    config = open_config(options)
    report = Report()
    known, version = _source(options, report)
    names = known if options.all else _used(config, report)
    if report.has_errors:
        return show(report, options, config)
    attributes = closure(names, known)
    into = _target(config)
    artifacts = otel(attributes, version=version)
    batch = Batch(into, _with_licence(artifacts, options), explicit=options.specs is not None)
    changes = write([batch], report, root=config.root, check=options.check)
    if report.has_errors:
        return show(report, options, config)
    stale = bool(changes.written or changes.removed)
    if not options.quiet:
        sys.stdout.write(_said(changes, len(attributes), version, check=options.check))
    return FINDINGS if options.check and stale else CLEAN


def _source(
    options: argparse.Namespace, report: Report
) -> tuple[Mapping[str, ForeignAttribute], str]:
    from telewright_codegen.vendor import foreign, source

    folder = Path(options.source)
    if not folder.is_dir():
        raise InputError(f"`{folder}` is no folder")
    found = source.read(folder, report)
    known = foreign.attributes(found.documents)
    version = options.pin or found.version
    if not known and not report.has_errors:
        raise InputError(f"no OpenTelemetry model files in `{folder}`")
    if version is None:
        raise UsageError(f"no manifest in `{folder}` says the version; add `--pin VERSION`")
    return known, version


def _used(config: Config, report: Report) -> set[str]:
    """Return the names that our own registries use and do not declare."""
    from telewright_codegen.load.discover import discover
    from telewright_codegen.load.parse import parse
    from telewright_codegen.load.validate import validate
    from telewright_codegen.load.vendored import CHANGED
    from telewright_codegen.vendor.used import foreign_names

    files = [file for file in discover(config, report) if not file.foreign]
    # That the folder was changed by hand is no reason not to write it anew.
    report.diagnostics[:] = [one for one in report.diagnostics if one.code != CHANGED]
    documents = [document for file in files if (document := parse(file, report)) is not None]
    return foreign_names(one.spec for one in validate(documents, report) if not one.foreign)


def _target(config: Config) -> Path:
    """Return the folder that is written: among the registries, or beside the one there is."""
    specs = config.specs
    if specs.is_file():
        raise UsageError("`--specs` must be a folder of registries to put `otel` into")
    among = specs.parent if (specs / "registry.yaml").is_file() else specs
    return among / "otel"


def _with_licence(
    artifacts: tuple[Artifact, ...], options: argparse.Namespace
) -> tuple[Artifact, ...]:
    """Return the files, with the licence that lies beside the source."""
    from pathlib import PurePosixPath

    from telewright_codegen.emit.emitter import Artifact

    for folder in (Path(options.source), Path(options.source).parent):
        licence = folder / "LICENSE"
        if licence.is_file():
            text = licence.read_text(encoding="utf-8", errors="replace")
            return (*artifacts, Artifact(PurePosixPath("LICENSE"), text))
    return artifacts


def _said(changes: Changes, attributes: int, version: str, *, check: bool) -> str:
    done = f"{attributes} attributes of OpenTelemetry {version}"
    if check:
        stale = sorted({*changes.written, *changes.removed})
        names = "".join(f"  {path.name}\n" for path in stale)
        return f"{done}: {'out of date' if stale else 'up to date'}.\n{names}"
    counts = f"{len(changes.written)} files written, {len(changes.unchanged)} unchanged"
    removed = f", {len(changes.removed)} removed" if changes.removed else ""
    return f"{done}: {counts}{removed}.\n"
