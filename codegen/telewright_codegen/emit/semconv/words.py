"""Badges, levels, examples and notes, as OpenTelemetry's pages have them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.otel.conventions import Key, Need, Retirement

_BADGES: Final = {
    "stable": "![Stable](https://img.shields.io/badge/-stable-lightgreen)",
    "release_candidate": "![Release Candidate](https://img.shields.io/badge/-rc-mediumorchid)",
    "beta": "![Beta](https://img.shields.io/badge/-beta-yellow)",
    "alpha": "![Alpha](https://img.shields.io/badge/alpha-mediumpurple)",
    "development": "![Development](https://img.shields.io/badge/-development-blue)",
}
_DEPRECATED: Final = "![Deprecated](https://img.shields.io/badge/-deprecated-red)"
_LEVELS: Final[dict[Need, str]] = {
    "required": "`Required`",
    "conditionally_required": "`Conditionally Required`",
    "recommended": "`Recommended`",
    "opt_in": "`Opt-In`",
}
ORDER: Final = tuple(_LEVELS)
"""Levels as tables sort them."""
_SHORT: Final = 50
"""A condition of so many characters stands in the table."""
_SHOWN: Final = 3
"""So many members stand for all of them, where there are no examples."""


@dataclass(slots=True)
class Notes:
    """What is said below a table, numbered through all tables of a snippet."""

    _waiting: list[str] = field(default_factory=list[str])
    _done: int = 0

    def add(self, text: str, name: str = "") -> str:
        """Return the mark of a note; nothing where there is no text."""
        if not text:
            return ""
        number = self._done + len(self._waiting) + 1
        about = f" `{name}`" if name else ""
        said = text.strip()
        gap = "\n\n" if said.startswith(">") else " "
        self._waiting.append(f"**[{number}]{about}:**{gap}{said}")
        return f" [{number}]"

    def paragraphs(self) -> Iterator[str]:
        """Yield the notes that were added since this was last asked for."""
        yield from self._waiting
        self._done += len(self._waiting)
        self._waiting = []


def badge(stability: str | None, deprecated: Retirement | None) -> str:
    """Return how far something can be relied on."""
    if deprecated is not None:
        return f"{_DEPRECATED}<br>{deprecated.note.strip()}"
    return _BADGES[stability or "development"]


def level(key: Key, notes: Notes) -> str:
    """Return how much an attribute is needed; a long condition becomes a note."""
    shown = _LEVELS[key.need]
    condition = key.condition.strip()
    if not condition or key.need in {"required", "opt_in"}:
        return shown
    if len(condition) > _SHORT:
        return shown + notes.add(condition, shown_name(key))
    return f"{shown} {condition}"


def shown_name(key: Key) -> str:
    """Return the name of an attribute; that of a template with its placeholder."""
    return f"{key.name}.<key>" if key.type.startswith("template[") else key.name


def shown_type(key: Key) -> str:
    """Return the type of an attribute's values."""
    return (
        key.type.removeprefix("template[").removesuffix("]")
        if "template[" in key.type
        else key.type
    )


def link(key: Key) -> str:
    """Return the name of an attribute, linked to the page of the group that declares it."""
    parts = [part for part in key.home.split(".") if part != "registry"]
    return f"[`{shown_name(key)}`](/docs/registry/attributes/{kebab(parts[0])}.md)"


def kebab(text: str) -> str:
    """Return *text* as the name of a page, or of a place in one."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def examples(key: Key) -> str:
    """Return the examples of an attribute, else its first members."""
    said = key.examples
    if said is None:
        current = [one for one in key.values or () if one.deprecated is None]
        return "; ".join(f"`{one.value}`" for one in current[:_SHOWN])
    if isinstance(said, str | int | float):
        return _example([said] if key.type.endswith("[]") else said)
    if key.type.endswith("[]") and not any(isinstance(one, list) for one in said):
        return _example(list(said))
    return "; ".join(_example(one) for one in said)


def _example(value: object) -> str:
    text = _plain(value).strip()
    if "\n" not in text:
        return f"`{text}`"
    lines = (re.sub("^ +", lambda blank: "&nbsp;" * len(blank[0]), one) for one in text.split("\n"))
    return "<br>".join(lines)


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_quoted, cast('list[object]', value)))}]"
    return str(value)


def _quoted(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else _plain(value)
