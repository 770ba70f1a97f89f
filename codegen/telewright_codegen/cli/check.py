"""``telewright check``: find mistakes in specs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from telewright_codegen.cli.session import checked, open_config, says, show

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's own arguments."""
    parser.add_argument("path", nargs="?", help="the same as --specs")
    parser.add_argument(
        "--select", action="append", metavar="CODE", help="report only rules whose code starts so"
    )
    parser.add_argument(
        "--ignore", action="append", metavar="CODE", help="do not report rules whose code starts so"
    )


def run(options: argparse.Namespace) -> int:
    """Load, resolve and lint the specs, and print what is wrong with them."""
    from telewright_codegen import pipeline
    from telewright_codegen.diagnostics import Report

    if options.path is not None:
        options.specs = options.path
    config = open_config(options)
    config = config._replace(
        select=tuple(options.select or config.select),
        ignore=(*config.ignore, *(options.ignore or ())),
    )
    report = Report()
    pipeline.model(config, report)
    code = show(report, options, config)
    if says(options) and not report.has_errors:
        sys.stdout.write(checked(report))
    return code
