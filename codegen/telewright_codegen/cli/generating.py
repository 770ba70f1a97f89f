"""What `telewright generate` does when there is something to do."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from telewright_codegen import pipeline
from telewright_codegen.cli import CLEAN, FINDINGS, UsageError, fresh
from telewright_codegen.cli.session import checked, open_config, says, shown
from telewright_codegen.config import ConfigError, Output, read
from telewright_codegen.diagnostics import Report
from telewright_codegen.render.render import counted
from telewright_codegen.source import Place

if TYPE_CHECKING:
    import argparse

    from telewright_codegen.config import Config
    from telewright_codegen.pipeline import Outcome
    from telewright_codegen.write import Changes


def generate(options: argparse.Namespace) -> int:
    """Run every stage, and print what is wrong, what was written, or what would be."""
    config = _with_outputs(open_config(options), options)
    report = Report()
    try:
        outcome = pipeline.generate(config, report, check=options.check)
    except ConfigError as error:
        raise UsageError(str(error)) from error
    found = shown(report, options, config)
    sys.stdout.write(found)
    changes = outcome.changes
    if changes is None or report.has_errors:
        return FINDINGS
    stale = bool(changes.written or changes.removed)
    if options.check and stale:
        _say_stale(changes, options, config)
        return FINDINGS
    if says(options):
        sys.stdout.write(_summary(report, changes, options))
    _remember(options, config, outcome, report, found)
    return CLEAN


def _with_outputs(config: Config, options: argparse.Namespace) -> Config:
    if options.emitter is None:
        if options.into is not None or options.package is not None:
            raise UsageError("`--into` and `--package` go with `--emitter`")
        if not config.outputs:
            raise UsageError(
                "nothing to write; add an `[[tool.telewright.output]]` to pyproject.toml,"
                " or say `--emitter python --into FOLDER`"
            )
        if options.specs is not None and config.file is not None:
            _same_specs(config.file, config.specs)
        return config._replace(only=options.only)
    if options.into is None:
        raise UsageError("`--emitter` needs `--into`")
    into = Path(os.path.abspath(options.into))  # noqa: PTH100  resolve() would follow links
    registries = None if options.only is None else (str(options.only),)
    output = Output(options.emitter, into, options.package, registries, explicit=True)
    return config._replace(outputs=(output,), left_out=config.outputs)


def _same_specs(file: Path, asked: Path) -> None:
    """Refuse to write other specs over what is made of the configured ones."""
    configured = read(file).specs
    if configured.resolve() != asked.resolve():
        raise UsageError(
            f"the outputs in {file.name} are made of `{_shown(configured)}`;"
            " say `--only REGISTRY`, or `--emitter NAME --into FOLDER` for other specs"
        )


def out_of_date(changes: Changes) -> Report:
    """Return what a run that wrote nothing found: a finding for each file that it would change."""
    report = Report()
    for path in sorted({*changes.written, *changes.removed}):
        report.error(
            "TW708",
            f"`{_shown(path)}` is out of date",
            Place(path.as_posix(), 1, 1),
            help="run `telewright generate`",
        )
    return report


def _say_stale(changes: Changes, options: argparse.Namespace, config: Config) -> None:
    if options.output_format in ("json", "github"):
        sys.stdout.write(shown(out_of_date(changes), options, config))
        return
    stale = sorted({*changes.written, *changes.removed})
    are = "1 file is" if len(stale) == 1 else f"{len(stale)} files are"
    sys.stdout.write(f"error: {are} out of date\n")
    for path in stale:
        sys.stdout.write(f"  {_shown(path)}\n")
        if options.diff and path in changes.diffs:
            sys.stdout.write(changes.diffs[path])
    sys.stdout.write("  = help: run `telewright generate`\n")


def _summary(report: Report, changes: Changes, options: argparse.Namespace) -> str:
    if options.check:
        return "Everything is up to date.\n"
    text = f"{checked(report)}Wrote {counted(len(changes.written), 'file')}"
    if changes.removed:
        text += f", removed {len(changes.removed)}"
    text += f", {len(changes.unchanged)} unchanged.\n"
    text += "".join(f"  {_shown(path)}\n" for path in sorted(changes.written))
    return text + "".join(f"  {_shown(path)} (removed)\n" for path in sorted(changes.removed))


def _shown(path: Path) -> str:
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def _remember(
    options: argparse.Namespace, config: Config, outcome: Outcome, report: Report, found: str
) -> None:
    """Keep what was read and written, so that the next run can see that nothing changed."""
    changes = outcome.changes
    if config.file is None or changes is None:
        return
    again = replace(
        changes, written=(), removed=(), unchanged=(*changes.unchanged, *changes.written)
    )
    text = found + (_summary(report, again, options) if says(options) else "")
    files = {config.file, *(file.path for file in report.files.values()), *again.unchanged}
    folders = {path.parent for path in files}
    if config.specs.is_dir():
        folders |= {config.specs, *(below for below in config.specs.iterdir() if below.is_dir())}
    for output in config.outputs:
        pages, below = _pages(output.into)
        files |= pages
        folders |= below
    fresh.remember(
        options.given, text, files=map(str, sorted(files)), folders=map(str, sorted(folders))
    )


def _pages(into: Path) -> tuple[set[Path], set[Path]]:
    """Return the pages that could be given tables to hold, and the folders that can get some.

    Where *into* is missing, that is the folder nearest above, which can get it.
    """
    pages = {into} if into.is_file() else set[Path]()
    there = next(path for path in (into, *into.parents) if path.exists())
    folders = {there if there.is_dir() else there.parent}
    for parent, below, names in os.walk(into):
        below[:] = [name for name in below if name != "__pycache__"]
        folders.add(Path(parent))
        pages |= {Path(parent, name) for name in names if name.endswith((".md", ".mdx"))}
    return pages, folders
