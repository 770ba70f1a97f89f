"""Our items as OpenTelemetry's second format has them, and back, as plain data.

What the format has a field for stands there, for every tool. The rest is in
``annotations.telewright``: each field that reading the item back would not give as it was said,
and under `left_out` what it would give though nobody said it. So nothing is lost, nothing is said
twice, and a change of the file by hand counts.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Item = dict[str, Any]

OURS: Final = "telewright"
"""The annotation that only we read."""
SECTIONS: Final = {
    "attributes": "attributes",
    "metrics": "metrics",
    "spans": "spans",
    "events": "events",
    "resources": "entities",
}
"""Lists of a topic, and what they are called there."""
LEFT_OUT: Final = "left_out"
DEVELOPMENT: Final = "development"
_SAME: Final = ("brief", "note", "stability")
_INSTRUMENTS: Final = {
    "counter": "counter",
    "updowncounter": "up_down_counter",
    "gauge": "gauge",
    "histogram": "histogram",
}


def annotated(item: Item, said: Mapping[str, Any], section: str) -> Item:
    """Return *item* with the annotation that makes *said* of it when it is read back."""
    base = _READ[section](item)
    more = {name: value for name, value in said.items() if not _is_same(base, name, value)}
    unsaid = [name for name in base if name not in said]
    if unsaid:
        more[LEFT_OUT] = unsaid
    if more:
        item.setdefault("annotations", {})[OURS] = more
    return item


def restored(item: Mapping[str, Any], section: str) -> Item:
    """Return what was said about *item* in our language."""
    base = _READ[section](item)
    more = dict(annotation(item))
    unsaid = more.pop(LEFT_OUT, None)
    names = cast("list[object]", unsaid) if isinstance(unsaid, list) else []
    return {name: value for name, value in base.items() if name not in names} | more


def annotation(item: Mapping[str, Any]) -> Item:
    """Return what only we read of *item*."""
    return _mapping(_mapping(item.get("annotations")).get(OURS))


def reference(key: str, requirement: str | Item) -> Item:
    """Return the reference to an attribute that is needed as *requirement* says."""
    made: Item = {"ref": key, "requirement_level": _level(requirement)}
    if json.dumps(_requirement(made)) != json.dumps(requirement):
        made["annotations"] = {OURS: {"requirement": requirement}}
    return made


def deprecation(said: Mapping[str, Any]) -> Item:
    """Return a deprecation of ours in the three forms that the format knows."""
    note, renamed_to = said.get("note"), said.get("renamed_to")
    if renamed_to is not None:
        made = {"reason": "renamed", "renamed_to": renamed_to}
        return made if note is None else made | {"note": note}
    if note is None:
        return {"reason": "obsoleted", "note": "Obsoleted."}
    return {"reason": "uncategorized", "note": note}


def _mapping(value: object) -> Item:
    """Return *value* if it is a mapping; people change files, so anything may stand anywhere."""
    return cast("Item", value) if isinstance(value, dict) else {}


def _mappings(value: object) -> list[Item]:
    found = cast("list[object]", value) if isinstance(value, list) else []
    return [cast("Item", one) for one in found if isinstance(one, dict)]


def _is_same(base: Item, name: str, value: object) -> bool:
    """Whether a field comes back as it was, order and kinds of numbers included."""
    return name in base and json.dumps(base[name]) == json.dumps(value)


def _level(said: str | Item) -> str | Item:
    if isinstance(said, str):
        if said in {"required", "recommended", "opt_in"}:
            return said
        return {"conditionally_required": said} if " " in said else "recommended"
    for name, there in (
        ("required", "conditionally_required"),
        ("recommended", "recommended"),
        ("opt_in", "opt_in"),
    ):
        if name in said:
            return name if said[name] is None else {there: said[name]}
    return "recommended"


def _requirement(found: Mapping[str, Any]) -> str | Item:
    """Return how much an attribute is needed, of a reference to it."""
    ours = annotation(found).get("requirement")
    if ours is not None:
        return cast("str | Item", ours)
    level: str | Item = found.get("requirement_level", "recommended")
    condition: object = _mapping(level).get("conditionally_required")
    if not isinstance(condition, str):
        return level
    return condition if " " in condition else {"required": condition}


def _deprecated(there: Item) -> Item:
    return {name: value for name, value in there.items() if name in {"renamed_to", "note"}}


def _common(item: Mapping[str, Any]) -> Item:
    made = {name: item[name] for name in _SAME if name in item}
    there = _mapping(item.get("deprecated"))
    if there:
        made["deprecated"] = _deprecated(there)
    return made


def _attribute(item: Mapping[str, Any]) -> Item:
    made = {"id": item.get("key"), **_common(item)}
    if "examples" in item:
        made["examples"] = item["examples"]
    kind: object = item.get("type")
    if not isinstance(kind, dict):
        return made | {"type": kind}
    members = _mappings(_mapping(cast("Item", kind)).get("members"))
    return made | {"members": dict(map(_member, members))}


def _member(item: Item) -> tuple[str, str | Item]:
    name = str(item.get("id"))
    said: Item = {}
    if item.get("value", name) != name:
        said["value"] = item["value"]
    said |= {field: item[field] for field in ("brief", "note") if field in item}
    there = _mapping(item.get("deprecated"))
    if there:
        said["deprecated"] = _deprecated(there)
    return name, said["brief"] if set(said) == {"brief"} else said


def _references(*lists: object) -> Item:
    found = [one for items in lists for one in _mappings(items)]
    return {str(one.get("ref")): _requirement(one) for one in found}


def _signal(item: Mapping[str, Any]) -> Item:
    made = _common(item)
    if item.get("attributes"):
        made["attributes"] = _references(item["attributes"])
    return made


def _metric(item: Mapping[str, Any]) -> Item:
    instrument = _INSTRUMENTS.get(str(item.get("instrument")), "gauge")
    made = {instrument: item.get("name"), "unit": item.get("unit"), **_signal(item)}
    generation = _mapping(_mapping(item.get("annotations")).get("code_generation"))
    if "metric_value_type" in generation:
        made["value"] = generation["metric_value_type"]
    return made


def _span(item: Mapping[str, Any]) -> Item:
    return {
        "name": _mapping(item.get("name")).get("note"),
        "kind": item.get("kind"),
        **_signal(item),
    }


def _event(item: Mapping[str, Any]) -> Item:
    return {"name": item.get("name"), **_signal(item)}


def _resource(item: Mapping[str, Any]) -> Item:
    made = {"name": str(item.get("type")).rpartition(".")[2], **_common(item)}
    found = _references(item.get("identity"), item.get("description"))
    return made | {"attributes": found} if found else made


_READ: Final[dict[str, Callable[[Mapping[str, Any]], Item]]] = {
    "attributes": _attribute,
    "metrics": _metric,
    "spans": _span,
    "events": _event,
    "resources": _resource,
    "topic": _common,
    "registry": _common,
}
