"""Tables of attributes and of their known values, with what is said below them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.emit.semconv.words import (
    ORDER,
    badge,
    examples,
    level,
    link,
    shown_name,
    shown_type,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from telewright_codegen.emit.semconv.words import Notes
    from telewright_codegen.otel.conventions import BodyField, Key

_LEVEL: Final = (
    "[Requirement Level]"
    "(https://opentelemetry.io/docs/specs/semconv/general/attribute-requirement-level/)"
)
_COLUMNS: Final = ("Key", "Stability", _LEVEL, "Value Type", "Description", "Example Values")
_ROLES: Final = {"identifying": "Identity", "descriptive": "Description", None: "Other"}
_GAP: Final = "\n\n"
"""What stands for the notes of an entity that has none, where values follow."""
_SAMPLING: Final = (
    "The following attributes can be important for making sampling decisions\n"
    "and SHOULD be provided **at span creation time** (if provided at all):"
)
_BODY: Final = (
    ":warning: Body fields will be moved to complex attributes once the\n"
    "semantic convention tooling supports complex attributes\n"
    "(see [#1870](https://github.com/open-telemetry/semantic-conventions/issues/1870))."
)
_INDENT: Final = "&nbsp;&nbsp;"
"""What stands before a field of a field."""
_VALUES: Final = (
    "has the following list of well-known values. If one of them applies, then the respective "
    "value MUST be used; otherwise, a custom value MAY be used."
)


def attributes(keys: Sequence[Key], notes: Notes, *, has_roles: bool = False) -> Iterator[str]:
    """Yield the paragraphs of a table of attributes; notes, sampling and values come below it."""
    if not keys:
        return
    columns = ("Role", *_COLUMNS) if has_roles else _COLUMNS
    rows = [row(columns), row(["---"] * len(columns))]
    for key in _sorted(keys, has_roles=has_roles):
        cells = _cells(key, notes)
        rows.append(row([_ROLES[key.role], *cells] if has_roles else cells))
    yield "**Attributes:**"
    yield "\n".join(rows)
    said = list(notes.paragraphs())
    yield from said
    early = sorted((key for key in keys if key.is_early), key=lambda key: key.name)
    if early:
        yield _SAMPLING
        yield "\n".join(f"* {link(key)}" for key in early)
    gap = _GAP if has_roles and not said else ""
    for key in sorted(keys, key=lambda key: key.name):
        if key.values is not None:
            yield from _values(key, notes, gap)
            gap = ""


def _sorted(keys: Sequence[Key], *, has_roles: bool) -> list[Key]:
    roles = list(_ROLES)
    return sorted(
        keys,
        key=lambda key: (
            roles.index(key.role) if has_roles else 0,
            ORDER.index(key.need),
            key.name,
        ),
    )


def _cells(key: Key, notes: Notes) -> list[str]:
    needed = level(key, notes)
    brief = key.brief.strip() + notes.add(key.note, shown_name(key))
    return [
        link(key),
        badge(key.stability, key.deprecated),
        needed,
        shown_type(key),
        brief,
        examples(key),
    ]


def body(fields: Sequence[BodyField], notes: Notes) -> Iterator[str]:
    """Yield the paragraphs of a table of an event's body; notes and values come below it."""
    if not fields:
        return
    yield "**Body fields:**"
    yield _BODY
    rows = [row(["Field Name", *_COLUMNS[1:]]), row(["---"] * len(_COLUMNS))]
    found = list(_unfolded(fields, 0))
    for depth, one in found:
        name = f"{_INDENT * depth}`{one.key.name}`{':' if one.fields else ''}"
        needed = level(one.key, notes)
        brief = one.key.brief.strip() + notes.add(one.key.note)
        cells = [name, badge(one.key.stability, one.key.deprecated), needed, one.key.type, brief]
        rows.append(row([*cells, examples(one.key)]))
    yield "\n".join(rows)
    yield from notes.paragraphs()
    for key in sorted((one.key for _, one in found), key=lambda key: key.name):
        if key.values is not None:
            yield from _values(key, notes, "")


def _unfolded(fields: Sequence[BodyField], depth: int) -> Iterator[tuple[int, BodyField]]:
    for one in sorted(fields, key=lambda one: one.key.name):
        yield depth, one
        yield from _unfolded(one.fields, depth + 1)


def _values(key: Key, notes: Notes, gap: str) -> Iterator[str]:
    rows = [row(["Value", "Description", "Stability"]), row(["---"] * 3)]
    current = [one for one in key.values or () if one.deprecated is None]
    for value in sorted(current, key=lambda one: _as_sorted(one.value)):
        brief = (value.brief or value.id).strip() + notes.add(value.note)
        rows.append(row([f"`{value.value}`", brief, badge(value.stability, None)]))
    yield f"{gap}---"
    yield f"`{key.name}` {_VALUES}"
    yield "\n".join(rows)
    yield from notes.paragraphs()


def _as_sorted(value: str | float) -> tuple[float, str]:
    return (0, value.lower()) if isinstance(value, str) else (value, "")


def row(cells: Sequence[str]) -> str:
    """Return a row of a table."""
    return "".join(["|", *(f" {cell} |" if cell else " |" for cell in cells)])
