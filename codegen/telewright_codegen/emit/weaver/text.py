"""Plain data as YAML: blocks, and texts in double quotes, which mean the same to every reader."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

_WIDE: Final = 0xFFFF
_STEP: Final = "  "


def yaml(data: dict[str, Any]) -> str:
    """Return *data* as a document."""
    return "\n".join(_mapping(data, "")) + "\n"


def _mapping(data: dict[str, Any], indent: str) -> Iterator[str]:
    for key, value in data.items():
        name = key if key.isidentifier() and key.isascii() else _text(key)
        block = _block(value, indent + _STEP)
        if block:
            yield f"{indent}{name}:"
            yield from block
        else:
            yield f"{indent}{name}: {_scalar(value)}"


def _block(value: object, indent: str) -> list[str]:
    """Return the lines of what has parts; none where it has none."""
    if isinstance(value, dict):
        return list(_mapping(cast("dict[str, Any]", value), indent))
    lines: list[str] = []
    for item in cast("list[object]", value) if isinstance(value, list) else ():
        first, *rest = _block(item, indent + _STEP) or [_scalar(item)]
        lines += [f"{indent}- {first.removeprefix(indent + _STEP)}", *rest]
    return lines


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float):
        whole, exponent, power = repr(value).partition("e")
        return f"{whole}.0e{power}" if exponent and "." not in whole else repr(value)
    return json.dumps(value)


def _text(text: str) -> str:
    return f'"{"".join(map(_character, text))}"'


def _character(one: str) -> str:
    if one in {'"', "\\"}:
        return f"\\{one}"
    if one.isprintable():
        return one
    if one == "\n":
        return "\\n"
    return f"\\U{ord(one):08x}" if ord(one) > _WIDE else f"\\u{ord(one):04x}"
