"""``telewright generate``: write code and docs from specs, or say what is out of date."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from telewright_codegen.cli import CLEAN, FINDINGS, UsageError
from telewright_codegen.cli.session import open_config, says, show

if TYPE_CHECKING:
    import argparse

    from telewright_codegen.config import Config
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.write import Changes


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's own arguments."""
    add = parser.add_argument
    add("--check", action="store_true", help="write nothing; exit 1 if something is out of date")
    add("--diff", action="store_true", help="with --check, show how it differs")
    add("--only", metavar="REGISTRY", help="write one registry")
    add("--emitter", metavar="NAME", help="run this emitter instead of the configured outputs")
    add("--into", metavar="DIR", help="where the emitter writes")
    add("--package", metavar="NAME", help="what generated Python is imported as")


def run(options: argparse.Namespace) -> int:
    """Run every stage, and print what is wrong, what was written, or what would be."""
    from telewright_codegen import pipeline  # noqa: PLC0415  only once there is something to do
    from telewright_codegen.config import ConfigError  # noqa: PLC0415
    from telewright_codegen.diagnostics import Report  # noqa: PLC0415

    config = _with_outputs(open_config(options), options)
    report = Report()
    try:
        outcome = pipeline.generate(config, report, check=options.check)
    except ConfigError as error:
        raise UsageError(str(error)) from error
    code = show(report, options, config)
    if outcome.changes is None or report.has_errors:
        return code
    if options.check:
        return _say_stale(outcome.changes, options)
    if says(options):
        _say_written(outcome.changes, report)
    return code


def _with_outputs(config: Config, options: argparse.Namespace) -> Config:
    if options.emitter is None:
        if options.into is not None or options.package is not None:
            raise UsageError("`--into` and `--package` go with `--emitter`")
        if not config.outputs:
            raise UsageError(
                "nothing to write; add an `[[tool.telewright.output]]` to pyproject.toml,"
                " or say `--emitter python --into FOLDER`"
            )
        return replace(config, only=options.only)
    if options.into is None:
        raise UsageError("`--emitter` needs `--into`")
    from telewright_codegen.config import Output  # noqa: PLC0415  only here

    into = Path(os.path.abspath(options.into))  # noqa: PTH100  resolve() would follow links
    registries = None if options.only is None else (str(options.only),)
    output = Output(options.emitter, into, options.package, registries)
    return replace(config, outputs=(output,))


def _say_stale(changes: Changes, options: argparse.Namespace) -> int:
    stale = sorted({*changes.written, *changes.removed})
    if not stale:
        if says(options):
            sys.stdout.write("Everything is up to date.\n")
        return CLEAN
    are = "1 file is" if len(stale) == 1 else f"{len(stale)} files are"
    sys.stdout.write(f"error: {are} out of date\n")
    for path in stale:
        sys.stdout.write(f"  {_shown(path)}\n")
        if options.diff and path in changes.diffs:
            sys.stdout.write(changes.diffs[path])
    sys.stdout.write("  = help: run `telewright generate`\n")
    return FINDINGS


def _say_written(changes: Changes, report: Report) -> None:
    from telewright_codegen.render.render import counted  # noqa: PLC0415  only for people

    warnings = len(report.diagnostics)
    text = f"Checked {counted(len(report.files), 'file')}"
    text += f", {counted(warnings, 'warning')}.\n" if warnings else ".\n"
    text += f"Wrote {counted(len(changes.written), 'file')}"
    if changes.removed:
        text += f", removed {len(changes.removed)}"
    text += f", {len(changes.unchanged)} unchanged.\n"
    text += "".join(f"  {_shown(path)}\n" for path in sorted(changes.written))
    text += "".join(f"  {_shown(path)} (removed)\n" for path in sorted(changes.removed))
    sys.stdout.write(text)


def _shown(path: Path) -> str:
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()
