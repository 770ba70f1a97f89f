"""Registries, groups and presets, as items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.describe.item import Item, Value, derived, inherit, own

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.describe.item import Json
    from telewright_codegen.model.registry import Registry
    from telewright_codegen.model.signals import Group, Preset


def items(registry: Registry, package: str) -> Iterator[Item]:
    """Yield the registry, its groups and its presets."""
    yield _registry(registry, package)
    for group in registry.groups:
        yield _group(group, registry, package)
    for preset in registry.presets:
        yield _preset(preset, registry, package)


def _registry(one: Registry, package: str) -> Item:
    fields = own(one.spec, one.at, without=("registry", "groups", "presets"))
    if one.spec.title is None:
        fields["title"] = derived(one.title, "its name")
    fields["uses"] = derived(list(one.uses))
    fields["folder"] = derived(one.folder)
    fields["owned"] = derived(one.owned)
    return Item(
        "registry",
        one.name,
        one.name,
        str(one.at.value("registry")),
        python={"module": package},
        fields=fields,
    )


def _group(one: Group, registry: Registry, package: str) -> Item:
    presets: list[Json] = [preset.name for preset in registry.presets if one in preset.groups]
    spans: list[Json] = [
        span.name for topic in registry.topics for span in topic.spans if span.group is one
    ]
    fields = own(one.spec, one.at)
    fields |= {"id": derived(one.id), "presets": derived(presets), "spans": derived(spans)}
    if one.spec.bucket is None and one.bucket is not None:
        fields["bucket"] = Value(
            one.bucket.value, "inherited", source=f"registry {registry.name}, its default bucket"
        )
    return Item(
        "group",
        one.registry,
        one.name,
        str(one.at.key()),
        (one.id,),
        python={"module": f"{package}.groups", "name": one.constant},
        constant=one.constant,
        fields=inherit(fields, (f"registry {registry.name}", registry.spec, registry.at)),
    )


def _preset(one: Preset, registry: Registry, package: str) -> Item:
    fields = {} if one.spec is None else own(one.spec, one.at)
    groups: list[Json] = [group.id for group in one.groups]
    spans: list[Json] = [
        span.name for topic in registry.topics for span in topic.spans if span.group in one.groups
    ]
    fields |= {
        "id": derived(one.id),
        "groups": Value(groups, "own", str(one.at.value())),
        "spans": derived(spans),
    }
    return Item(
        "preset",
        one.registry,
        one.name,
        str(one.at.key()),
        (one.id,),
        python={"module": f"{package}.groups"},
        fields=fields,
    )
