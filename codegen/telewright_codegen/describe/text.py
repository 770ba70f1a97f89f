"""Items for people to read in a terminal: each value with where it came from."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.describe.item import Item, Json, Value

_WIDTH = 16


def page(item: Item) -> str:
    """Return everything about one item."""
    where = f"{item.registry}/{item.topic}" if item.topic is not None else item.registry
    lines = [f"{item.kind} {item.name}  ({where}, {item.place})"]
    if item.python is not None:
        lines.append(f"  {'python':<{_WIDTH}} {'.'.join(map(str, item.python.values()))}")
    for name, value in item.fields.items():
        lines += _field(name, value)
    return "\n".join(lines) + "\n"


def _field(name: str, value: Value) -> Iterator[str]:
    origin = _origin(value)
    if _is_short(value.value):
        yield f"  {name:<{_WIDTH}} {_shown(value.value)}  [{origin}]"
        return
    yield f"  {name:<{_WIDTH}} [{origin}]"
    for line in _lines(value.value):
        yield f"    {line}"


def _origin(value: Value) -> str:
    parts = {
        "own": "own",
        "inherited": f"from {value.source}",
        "derived": f"from {value.source}" if value.source else "resolved",
        "default": "default",
    }
    said = parts[value.origin]
    return f"{said}, {value.place}" if value.place else said


def _is_short(value: Json) -> bool:
    if isinstance(value, list):
        return not any(isinstance(one, dict | list) for one in value)
    return not isinstance(value, dict)


def _shown(value: Json) -> str:
    if isinstance(value, list):
        return ", ".join(map(_shown, value))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _inline(value: Json) -> str:
    return _shown(value) if _is_short(value) else json.dumps(value, ensure_ascii=False)


def _lines(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for name, one in value.items():
            yield f"{name}: {_inline(one)}"
    elif isinstance(value, list):
        for one in value:
            yield _row(one) if isinstance(one, dict) else _shown(one)


def _row(one: dict[str, Json]) -> str:
    """Return a member or a use on one line: its name, what it is, where it stands."""
    rest = [
        f"{name} {_inline(value)}" for name, value in one.items() if name not in {"name", "place"}
    ]
    place = one.get("place")
    return f"{one.get('name')}: {', '.join(rest)}" + (f"  [{_shown(place)}]" if place else "")
