"""``telewright show``: print what the specs come to, whole, by name, or in numbers."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from telewright_codegen.cli import CLEAN, FINDINGS, UsageError

if TYPE_CHECKING:
    import argparse

    from telewright_codegen.describe.item import Item
    from telewright_codegen.model.registry import Model


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's own arguments."""
    add = parser.add_argument
    add("name", nargs="?", help="an attribute, span, metric, group, constant, …; all, without")
    add("--json", action="store_true", help="print JSON: one object for everything, or for NAME")
    add("--redaction", action="store_true", help="say what becomes of NAME's values, and why")
    add("--schema", action="store_true", help="print the JSON Schema of `show --json`")
    add("--summary", action="store_true", help="print how much there is of everything")


def run(options: argparse.Namespace) -> int:
    """Print items with where their values came from, or everything, or numbers."""
    if options.schema:
        from telewright_codegen.describe.schema import schema

        sys.stdout.write(_json(schema()))
        return CLEAN
    from telewright_codegen import pipeline, targets
    from telewright_codegen.cli.session import open_config, shown
    from telewright_codegen.diagnostics import Report

    config = open_config(options)
    report = Report()
    model = pipeline.model(config, report)
    if report.has_errors:
        # whoever asked for JSON gets nothing else on stdout
        stream = sys.stderr if options.json else sys.stdout
        stream.write(shown(report, options, config))
        return FINDINGS
    packages = targets.packages(model, config)
    if options.redaction:
        sys.stdout.write(_redaction(options, model, packages))
    elif options.name is None:
        sys.stdout.write(_everything(options, model, packages))
    else:
        sys.stdout.write(_named(options, model, packages))
    return CLEAN


def _everything(options: argparse.Namespace, model: Model, packages: dict[str, str]) -> str:
    from telewright_codegen.describe import summary
    from telewright_codegen.describe.describe import describe, items

    if options.json and not options.summary:
        return _json(describe(model, packages))
    numbers = summary.summary(items(model, packages))
    return _json(numbers) if options.json else summary.text(numbers)


def _named(options: argparse.Namespace, model: Model, packages: dict[str, str]) -> str:
    from telewright_codegen.describe.describe import find, items, names
    from telewright_codegen.describe.text import page

    found = find(model, packages, options.name)
    if not found:
        from telewright_codegen.suggest import did_you_mean

        known = {name for item in items(model, packages) for name in names(item)}
        hint = did_you_mean(options.name, sorted(known)) or "`telewright show --json` has all names"
        raise UsageError(f"nothing is called `{options.name}`; {hint}")
    if options.json:
        return _json([_object(item) for item in found])
    return "\n".join(map(page, found))


def _redaction(options: argparse.Namespace, model: Model, packages: dict[str, str]) -> str:
    from telewright_codegen.describe.describe import find
    from telewright_codegen.describe.redaction import declared, undeclared

    if options.name is None or options.json:
        raise UsageError("`--redaction` is about one NAME, and for people to read")
    found = [one for one in find(model, packages, options.name) if one.kind == "attribute"]
    return "\n".join(map(declared, found)) or undeclared(options.name.strip())


def _object(item: Item) -> dict[str, object]:
    return {"item": item.kind, **item.data(), "origins": item.origins()}


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
