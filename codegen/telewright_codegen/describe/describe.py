"""Everything that a model has: one object of JSON, or the items that go by a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.describe import foreign, registries
from telewright_codegen.describe.signals import TopicItems

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from telewright_codegen.describe.item import Item, Json
    from telewright_codegen.model.registry import Model

FORMAT: Final = 1
"""Goes up when a program that reads the object would have to change."""

LISTS: Final = {
    "registry": "registries",
    "topic": "topics",
    "attribute": "attributes",
    "enum": "enums",
    "group": "groups",
    "preset": "presets",
    "span": "spans",
    "metric": "metrics",
    "event": "events",
    "scope": "scopes",
    "resource": "resources",
    "setting": "settings",
    "instrumentation": "instrumentations",
    "signal": "signals",
}
"""From a kind of item to the list that it is in."""


def items(model: Model, packages: Mapping[str, str]) -> Iterator[Item]:
    """Yield every item of every registry."""
    for registry in model.registries:
        package = packages.get(registry.name, f"telewright.{registry.name}")
        yield from registries.items(registry, package)
        for topic in registry.topics:
            yield from TopicItems(topic, registry, packages, model).all()
        yield from foreign.items(registry)


def describe(model: Model, packages: Mapping[str, str]) -> dict[str, Json]:
    """Return the whole model as one object; ``docs/reference/show.md`` describes it."""
    lists: dict[str, list[Json]] = {name: [] for name in LISTS.values()}
    for item in items(model, packages):
        lists[LISTS[item.kind]].append(dict(item.data()))
    return {"format": FORMAT, **lists}


def find(model: Model, packages: Mapping[str, str], name: str) -> list[Item]:
    """Return the items called *name*: by key, span, metric, group, constant, member, module."""
    wanted = name.strip()
    return [item for item in items(model, packages) if wanted in names(item)]


def names(item: Item) -> set[str]:
    """Return what people may ask for *item* by."""
    found = {item.name, f"{item.registry}.{item.name}", *item.aliases}
    if item.constant is not None:
        found.add(item.constant)
    if item.python is not None and "name" in item.python:
        found.add(f"{item.python['module']}.{item.python['name']}")
    return found
