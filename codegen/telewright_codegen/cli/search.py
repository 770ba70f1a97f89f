"""``telewright search``: find what specs declare by words in names, members, briefs and notes."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Final

from telewright_codegen.cli import CLEAN, FINDINGS, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from telewright_codegen.describe.search import Hit

_MOST: Final = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's own arguments."""
    add = parser.add_argument
    add("words", nargs="+", metavar="WORD", help="what to look for; all of them must be found")
    add("--kind", action="append", metavar="KIND", help="only attributes, spans, metrics, …")
    add("--registry", action="append", metavar="NAME", help="only what this registry has")
    add("--limit", type=int, default=_MOST, metavar="N", help=f"how many (default {_MOST}; 0: all)")
    add("--json", action="store_true", help="print JSON: a list, the best first")


def run(options: argparse.Namespace) -> int:
    """Print what fits the words, the best first; 1 if nothing does."""
    from telewright_codegen import pipeline, targets
    from telewright_codegen.cli.session import open_config, shown
    from telewright_codegen.describe.describe import LISTS, items
    from telewright_codegen.describe.search import search
    from telewright_codegen.diagnostics import Report

    kinds = {_kind(said, LISTS) for said in options.kind or ()}
    config = open_config(options)
    report = Report()
    model = pipeline.model(config, report)
    if report.has_errors:
        stream = sys.stderr if options.json else sys.stdout
        stream.write(shown(report, options, config))
        return FINDINGS
    found = [
        item
        for item in items(model, targets.packages(model, config))
        if (not kinds or item.kind in kinds)
        and (not options.registry or item.registry in options.registry)
    ]
    hits = search(found, options.words)
    kept = hits[: options.limit] if options.limit > 0 else hits
    if options.json:
        data = [hit.data() for hit in kept]
        sys.stdout.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")
    elif hits:
        sys.stdout.write(_table(kept, len(hits)))
    else:
        sys.stderr.write(f"nothing fits {' '.join(map(repr, options.words))}\n")
    return CLEAN if hits else FINDINGS


def _kind(said: str, lists: dict[str, str]) -> str:
    """Return the kind of item that *said* names, in the singular or in the plural."""
    for kind, several in lists.items():
        if said in (kind, several):
            return kind
    from telewright_codegen.suggest import did_you_mean

    hint = did_you_mean(said, lists.values()) or f"there are {', '.join(lists.values())}"
    raise UsageError(f"no kind of item is called `{said}`; {hint}")


def _table(hits: Sequence[Hit], whole: int) -> str:
    from telewright_codegen.describe.search import brief

    wide = max(len(hit.item.kind) for hit in hits)
    lines = [
        f"{hit.item.kind:<{wide}}  {hit.item.name}  ({hit.item.place})\n"
        f"{'':<{wide}}  {brief(hit.item)}\n"
        for hit in hits
    ]
    if whole > len(hits):
        lines.append(f"{len(hits)} of {whole}; `--limit 0` shows all.\n")
    return "".join(lines)
