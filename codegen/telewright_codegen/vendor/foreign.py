"""Attributes as OpenTelemetry's model files declare them, in either of their two formats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Node = Mapping[str, Any]
"""A mapping of a model file, as YAML gave it."""

_KEYS: Final = ("id", "key")
"""What an attribute's own name is called: in ``groups:``, and in ``definition/2``."""


class ForeignMember(NamedTuple):
    """A member of an enumeration; its value may be a number."""

    id: str
    value: str | int
    brief: str
    deprecated: Node | None = None


@dataclass(frozen=True, slots=True)
class ForeignAttribute:
    """One attribute, before it is put into our words."""

    key: str
    type: str
    """As written; ``enum`` where it has members."""
    brief: str
    stability: str
    members: tuple[ForeignMember, ...] = ()
    examples: tuple[object, ...] = field(default=())
    deprecated: Node | None = None


def attributes(documents: Iterable[object]) -> dict[str, ForeignAttribute]:
    """Return every attribute that *documents* declare, by key; references to others are skipped.

    Where a key is declared twice, the declaration that is not deprecated wins.
    """
    found: dict[str, ForeignAttribute] = {}
    for document in documents:
        for node in _declarations(document):
            attribute = _attribute(node)
            known = found.get(attribute.key)
            if known is None or known.deprecated is not None:
                found[attribute.key] = attribute
    return found


def _declarations(document: object) -> Iterator[Node]:
    if not isinstance(document, Mapping):
        return
    top = cast("Node", document)
    owners: list[Node] = _mappings(top.get("groups"))
    if "file_format" in top:
        owners.append(top)
    for owner in owners:
        for node in _mappings(owner.get("attributes")):
            if "type" in node and any(key in node for key in _KEYS):
                yield node


def _mappings(value: object) -> list[Node]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        return []
    items = cast("Sequence[object]", value)
    return [cast("Node", item) for item in items if isinstance(item, Mapping)]


def _attribute(node: Node) -> ForeignAttribute:
    kind = node["type"]
    members: tuple[ForeignMember, ...] = ()
    if isinstance(kind, Mapping):
        members = tuple(map(_member, _mappings(cast("Node", kind).get("members"))))
        kind = "enum"
    return ForeignAttribute(
        key=str(next(node[key] for key in _KEYS if key in node)),
        type=str(kind),
        brief=str(node.get("brief") or ""),
        stability=str(node.get("stability") or "development"),
        members=members,
        examples=_examples(node.get("examples")),
        deprecated=_deprecation(node.get("deprecated")),
    )


def _member(node: Node) -> ForeignMember:
    value = node.get("value", node["id"])
    return ForeignMember(
        id=str(node["id"]),
        value=value if isinstance(value, int) else str(value),
        brief=str(node.get("brief") or ""),
        deprecated=_deprecation(node.get("deprecated")),
    )


def _examples(value: object) -> tuple[object, ...]:
    if value is None:
        return ()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(cast("Sequence[object]", value))
    return (value,)


def _deprecation(value: object) -> Node | None:
    """Return a deprecation as a mapping, which older files write as a sentence."""
    if isinstance(value, Mapping):
        return cast("Node", value)
    return {"note": str(value)} if value else None
