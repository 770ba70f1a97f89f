"""``telewright explain``: say what a rule means and how to satisfy it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from telewright_codegen.cli import CLEAN, UsageError

if TYPE_CHECKING:
    import argparse

_PACKAGE: Final = Path(__file__).parents[1]
_FOLDERS: Final = (_PACKAGE / "rules", _PACKAGE.parents[1] / "docs" / "rules")
"""Where the pages are: in an installed package, in a checkout."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's own arguments."""
    parser.add_argument("code", nargs="?", help="TW305, or the rule's name; all are listed without")


def run(options: argparse.Namespace) -> int:
    """Print the page of a rule, or a list of all rules."""
    pages = _pages()
    if options.code is None:
        for page in pages.values():
            sys.stdout.write(f"{_title(page)}\n")
        return CLEAN
    asked = options.code.strip()
    if asked.upper() in pages:
        sys.stdout.write(pages[asked.upper()].read_text(encoding="utf-8"))
        return CLEAN
    names = {_title(page).partition(" ")[2]: page for page in pages.values()}
    if asked in names:
        sys.stdout.write(names[asked].read_text(encoding="utf-8"))
        return CLEAN
    from telewright_codegen.suggest import did_you_mean

    hint = did_you_mean(asked, [*pages, *names]) or "`telewright explain` lists them"
    raise UsageError(f"no rule `{asked}`; {hint}")


def _pages() -> dict[str, Path]:
    for folder in _FOLDERS:
        if folder.is_dir():
            return {page.stem: page for page in sorted(folder.glob("TW[0-9][0-9][0-9].md"))}
    return {}


def _title(page: Path) -> str:
    with page.open(encoding="utf-8") as lines:
        return lines.readline().removeprefix("#").strip()
