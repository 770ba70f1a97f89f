"""How much there is of everything."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Final

from telewright_codegen.describe.describe import LISTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from telewright_codegen.describe.item import Item, Json

_SPLIT: Final = {
    "attribute": ("type", "stability", "sensitivity", "deprecated"),
    "metric": ("kind", "unit", "stability", "deprecated"),
    "span": ("group", "kind", "cardinality", "stability", "deprecated"),
    "enum": ("open",),
    "event": ("on", "stability", "deprecated"),
    "signal": ("signal", "instrument", "unit", "span_kind", "stability", "deprecated"),
}
"""What kinds of items are counted by, besides registry."""


def summary(items: Iterable[Item]) -> dict[str, Json]:
    """Return the numbers: for each registry how many of each kind, and how these divide."""
    found = list(items)
    registries: dict[str, Json] = {}
    for name in dict.fromkeys(item.registry for item in found):
        kinds = Counter(item.kind for item in found if item.registry == name)
        registries[name] = {
            LISTS[kind]: kinds[kind] for kind in LISTS if kind != "registry" and kinds[kind]
        }
    by: dict[str, Json] = {}
    for kind, fields in _SPLIT.items():
        same = [item for item in found if item.kind == kind]
        divided = {field: _counted(same, field) for field in fields}
        by[LISTS[kind]] = {field: counts for field, counts in divided.items() if counts}
    totals = Counter(item.kind for item in found)
    total: dict[str, Json] = {LISTS[kind]: totals[kind] for kind in LISTS}
    return {"total": total, "registries": registries, "by": by}


def _counted(items: list[Item], field: str) -> dict[str, Json]:
    counts: Counter[str] = Counter()
    for item in items:
        value = item.fields.get(field)
        if field == "deprecated":
            counts["yes" if value is not None else "no"] += 1
        elif value is not None:
            counts[json.dumps(value.value).strip('"')] += 1
    most_first = sorted(counts, key=lambda value: (-counts[value], value))
    return {value: counts[value] for value in most_first}


def text(numbers: dict[str, Json]) -> str:
    """Return the numbers as tables."""
    registries = _mapping(numbers["registries"])
    columns = [
        name for name in LISTS.values() if any(name in _mapping(one) for one in registries.values())
    ]
    rows = [["", *columns]]
    for name, counts in registries.items():
        rows.append([name, *(str(_mapping(counts).get(column, "")) for column in columns)])
    if len(registries) > 1:
        total = _mapping(numbers["total"])
        rows.append(["all", *(str(total[column]) for column in columns)])
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    lines.append("")
    for kind, divided in _mapping(numbers["by"]).items():
        for field, counts in _mapping(divided).items():
            said = ", ".join(f"{count} {value}" for value, count in _mapping(counts).items())
            lines.append(f"{kind} by {field}: {said}")
    return "\n".join(lines) + "\n"


def _mapping(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}
