"""``telewright generate``: write code and docs from specs, or say what is out of date."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's own arguments."""
    add = parser.add_argument
    add("--check", action="store_true", help="write nothing; exit 1 if something is out of date")
    add("--diff", action="store_true", help="the same, and show how it differs")
    add("--only", metavar="REGISTRY", help="write one registry")
    add("--emitter", metavar="NAME", help="run this emitter instead of the configured outputs")
    add("--into", metavar="DIR", help="where the emitter writes")
    add("--package", metavar="NAME", help="what generated Python is imported as")


def run(options: argparse.Namespace) -> int:
    """Run every stage, and print what is wrong, what was written, or what would be."""
    from telewright_codegen.cli.generating import generate

    options.check = options.check or options.diff
    return generate(options)
