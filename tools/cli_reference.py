"""Writes docs/reference/cli.md from the parsers of the command line."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from telewright_codegen.cli import VERBS, parser_of

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "reference" / "cli.md"

_HEAD: Final = """\
<!-- Written by tools/cli_reference.py. Do not edit. -->

# The command line

`telewright COMMAND [OPTIONS]`; global options stand before or after the command.

| exit code | means |
|---|---|
| 0 | done; nothing at error level |
| 1 | findings, stale files, or anything else that is wrong with the input or the output place |
| 2 | wrong usage, or a mistake in a plug-in or in telewright, with a request to report it |
| 130 | interrupted |

Findings and results go to standard output, wrong usage and mistakes of our own to standard error.
`full` and `concise` show the first 50 findings and their number, `json` and `github` all of them.
A line of `json` has `code, severity, path, line, column, message, help, labels, url`.

Settings come from `[tool.telewright]` in the nearest `pyproject.toml`, or from `telewright.toml`;
options win over both.
"""
_GLOBAL: Final = "global options"
_REQUIRED: Final = ("positional arguments", "options")


def main() -> int:
    """Rewrite the page; with ``--check``, only say whether it is up to date."""
    new = text()
    if "--check" in sys.argv[1:]:
        stale = PAGE.read_text() != new
        print("docs/reference/cli.md is out of date; run make docs" if stale else "Up to date.")
        return stale
    PAGE.write_text(new)
    return 0


def text() -> str:
    """Return the page."""
    os.environ["COLUMNS"] = "100"
    lines = [_HEAD, "## Global options", "", *_options(parser_of("check"), {_GLOBAL})]
    for verb, summary in VERBS.items():
        parser = parser_of(verb)
        usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
        for action in _actions(parser, {_GLOBAL}):
            usage = re.sub(rf" \[{re.escape(action.option_strings[0])}\b[^]]*]", "", usage)
        lines += ["", f"## {verb}", "", f"{summary}.", "", "```text", usage, "```", ""]
        lines += _options(parser, set(_REQUIRED))
    return "\n".join(lines).rstrip() + "\n"


def _actions(parser: argparse.ArgumentParser, titles: set[str]) -> Iterator[argparse.Action]:
    for group in parser._action_groups:  # noqa: SLF001  argparse has no other way to its options
        if group.title in titles:
            yield from group._group_actions  # noqa: SLF001  the same


def _options(parser: argparse.ArgumentParser, titles: set[str]) -> list[str]:
    rows = [
        f"| {_name(action)} | {_cell(action.help or '')} |"
        for action in _actions(parser, titles)
        if not isinstance(action, argparse._HelpAction)  # noqa: SLF001  the same
    ]
    return ["| option | meaning |", "|---|---|", *rows] if rows else []


def _name(action: argparse.Action) -> str:
    if not action.option_strings:
        return f"`{action.metavar or action.dest}`"
    value = ""
    if action.nargs != 0:
        choices = "|".join(map(str, action.choices or ()))
        value = f" {action.metavar or choices or action.dest.upper()}"
    return ", ".join(f"`{_cell(option + value)}`" for option in action.option_strings)


def _cell(said: str) -> str:
    return said.replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main())
