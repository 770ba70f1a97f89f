"""Writes docs/asks.md from tools/asks.yaml: what has been asked for, and what became of it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

ROOT: Final = Path(__file__).resolve().parent.parent
TABLE: Final = ROOT / "tools" / "asks.yaml"
PAGE: Final = ROOT / "docs" / "asks.md"

STATES: Final = {
    "done": "It works.",
    "declared": "The specs have it; emitting it is a line at its owner's call site.",
    "elsewhere": "Not ours, and the answer says why.",
}

Table = Mapping[str, Sequence[Mapping[str, Any]]]
"""Sections, each with its entries."""


def main() -> int:
    """Rewrite the page; with ``--check``, only say whether it is up to date."""
    old = PAGE.read_text() if PAGE.exists() else ""
    new = render(read())
    if "--check" in sys.argv[1:]:
        print("docs/asks.md is out of date; run make docs" if old != new else "Up to date.")
        return old != new
    PAGE.write_text(new)
    return 0


def read(path: Path = TABLE) -> Table:
    """Return the table."""
    table: Table = yaml.safe_load(path.read_text())
    return table


def render(table: Table) -> str:
    """Return the page."""
    return "\n".join([*_head(table), *(line for name in table for line in _section(name, table))])


def _head(table: Table) -> Iterator[str]:
    counts = Counter(entry["state"] for entries in table.values() for entry in entries)
    yield "# What has been asked for"
    yield ""
    yield "<!-- Generated from tools/asks.yaml by tools/asks.py. Do not edit. -->"
    yield ""
    yield "Users and maintainers of Gym, RL and the library below them have asked for these things."
    yield ""
    yield "| answer | how many | what it means |"
    yield "|---|---|---|"
    for state, meaning in STATES.items():
        yield f"| {state} | {counts[state]} | {meaning} |"
    yield ""


def _section(name: str, table: Table) -> Iterator[str]:
    yield f"## {name}"
    yield ""
    yield "| | asked for | answer | where |"
    yield "|---|---|---|---|"
    for entry in table[name]:
        where = ", ".join(map(_place, entry["where"]))
        answer = f"{entry['state'].capitalize()}. {entry['answer']}"
        yield f"| {entry['ask']} | {_cell(entry['wish'])} | {_cell(answer)} | {where} |"
    yield ""


def _place(where: str) -> str:
    """Return a link to a file, or a name as code."""
    if "/" not in where:
        return f"`{where}`"
    target = where.removeprefix("docs/") if where.startswith("docs/") else f"../{where}"
    return f"[{where.rpartition('/')[2]}]({target})"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(main())
