"""What most verbs begin and end with: the configuration, and the findings."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from telewright_codegen import config as configuration
from telewright_codegen.cli import CLEAN, FINDINGS, InputError, ReportedError, UsageError

if TYPE_CHECKING:
    import argparse

    from telewright_codegen.config import Config
    from telewright_codegen.diagnostics import Report


def open_config(options: argparse.Namespace) -> Config:
    """Return the configuration that the options ask for, or that is the nearest."""
    file: Path | None = None
    asked = None if options.specs is None else Path(os.path.abspath(options.specs))  # noqa: PTH100  resolve() would follow links
    try:
        file = _file(options.config, asked)
        if file is None:
            return configuration.default(asked or Path.cwd() / configuration.DEFAULT_SPECS)
        found = configuration.read(file)
    except configuration.UnreadableConfigError as error:
        raise InputError(str(error)) from error
    except configuration.ConfigError as error:
        if file is None or not error.text:
            raise UsageError(str(error)) from error
        sys.stdout.write(_misconfigured(error, file, options))
        raise ReportedError from error
    return found if asked is None else found._replace(specs=asked)


def _misconfigured(
    error: configuration.ConfigError, file: Path, options: argparse.Namespace
) -> str:
    """Return the finding about a configuration that does not fit."""
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.source import Place, SourceFile

    report = Report()
    report.files[file.name] = SourceFile(file, file.name, error.text.encode())
    place = Place(file.name, error.line, error.column, error.width)
    report.error("TW036", str(error), place, "in the configuration")
    return shown(report, options, configuration.default(file.parent / configuration.DEFAULT_SPECS))


def _file(asked: str | None, specs: Path | None) -> Path | None:
    if asked is not None:
        return Path(os.path.abspath(asked))  # noqa: PTH100  as above
    return configuration.find(Path.cwd() if specs is None else specs.parent)


def show(report: Report, options: argparse.Namespace, config: Config) -> int:
    """Print the findings in the format that was asked for; return the exit code they mean."""
    sys.stdout.write(shown(report, options, config))
    return FINDINGS if report.has_errors else CLEAN


def shown(report: Report, options: argparse.Namespace, config: Config) -> str:
    """Return the findings in the format that was asked for."""
    if not report.diagnostics:
        return ""
    from telewright_codegen.render.paths import Paths
    from telewright_codegen.render.render import render
    from telewright_codegen.render.style import Style, wanted

    paths = Paths(config.root, Path.cwd())
    style = Style(wanted(options.color, sys.stdout, os.environ))
    return "".join(render(report, options.output_format, paths, style))


def checked(report: Report) -> str:
    """Return ``Checked 9 files, 3 warnings.``."""
    from telewright_codegen.render.render import counted

    warnings = len(report.diagnostics)
    text = f"Checked {counted(len(report.files), 'file')}"
    return text + (f", {counted(warnings, 'warning')}.\n" if warnings else ".\n")


def says(options: argparse.Namespace) -> bool:
    """Whether people read the output, and want more than the findings."""
    return not options.quiet and options.output_format in ("full", "concise")
