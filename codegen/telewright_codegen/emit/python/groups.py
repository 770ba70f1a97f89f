"""The module of a registry's groups and presets, and its package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from telewright_codegen.emit.python import layout, order
from telewright_codegen.emit.python.declarations import deprecation
from telewright_codegen.emit.python.events import logged
from telewright_codegen.emit.python.imports import Imports
from telewright_codegen.emit.python.text import (
    code,
    docstring,
    flat,
    led,
    listed,
    literal,
    paragraphs,
    sentence,
)

if TYPE_CHECKING:
    from telewright_codegen.model.registry import Registry
    from telewright_codegen.model.signals import Group
    from telewright_codegen.spec.common import ItemSpec

RUNTIME: Final = "0.1"
"""The oldest runtime that has every name that generated modules import."""

_CARDINALITY: Final = {
    "per_run": "one span per run",
    "per_step": "one span per step",
    "per_operation": "one span per operation",
    "per_item": "one span per item",
}


class GroupView(NamedTuple):
    """A group."""

    statement: str
    doc: str


class GroupsView(NamedTuple):
    """The module ``groups``."""

    source: str
    doc: str
    imports: list[list[str]]
    typing: list[list[str]]
    exports: str
    registry: str
    registry_doc: str
    groups: list[GroupView]
    closing: list[str]


class PackageView(NamedTuple):
    """The module ``__init__``."""

    source: str
    doc: str
    requires: str


def has_groups(registry: Registry) -> bool:
    """Return whether anything of *registry* reports under a scope of its own."""
    return bool(registry.groups) or any(topic.metrics or logged(topic) for topic in registry.topics)


def groups(registry: Registry) -> GroupsView:
    """Return the module of groups."""
    constants = [group.constant for group in registry.groups]
    imports = Imports({*constants, "REGISTRY"})
    final = imports.final()
    spec = registry.spec
    keywords: dict[str, layout.Expression] = {"version": literal(registry.version)}
    if spec.schema_url is not None:
        keywords["schema_url"] = literal(spec.schema_url)
    if registry.buckets is not None:
        keywords["bucket"] = literal(registry.buckets.attribute.key)
    made = layout.call(imports.base("Registry"), literal(registry.name), **keywords)
    title = flat(registry.title)
    return GroupsView(
        source=source(registry),
        doc=docstring(
            f"Span groups and presets of {title}: what a person switches on and off.",
            indent=0,
            title="Span groups and presets: what a person switches on and off.",
        ),
        imports=imports.blocks(),
        typing=imports.typing_blocks(),
        exports=exports([*constants, "REGISTRY"]),
        registry=layout.rendered(made, indent=0, before=f"REGISTRY: {final} = "),
        registry_doc=docstring(
            f"The scope {code(f'telewright.{registry.name}')} that spans and metrics of "
            f"{title} report under.",
            indent=0,
        ),
        groups=[_group(registry, group, final) for group in registry.groups],
        closing=[*_presets(registry), *_moves(registry), "REGISTRY.ready()"],
    )


def _group(registry: Registry, group: Group, final: str) -> GroupView:
    words: dict[str, layout.Expression] = {}
    if registry.buckets is not None and group.spec.umbrella:
        words["umbrella"] = "True"
    if group.bucket is not None:
        words["bucket"] = literal(group.bucket.text)
    made = layout.call("REGISTRY.group", literal(group.name), **words)
    named = [code(preset.name) for preset in registry.presets if group in preset.groups]
    where = f"In {listed(named)}" if named else "In no preset"
    grows = "" if group.cardinality is None else f"; {_CARDINALITY[group.cardinality.value]}"
    brief = led(sentence(group.spec.brief), code(group.id))
    body = [_counts(registry, group), *paragraphs(group.spec.note)]
    body.append(deprecation(group.spec.deprecated))
    short = docstring(f"{brief} {where}{grows}.", body, indent=0)
    doc = docstring(brief, [f"{where}{grows}.", *body], indent=0)
    return GroupView(
        statement=layout.rendered(made, indent=0, before=f"{group.constant}: {final} = "),
        doc=short if "\n" not in short else doc,
    )


def _counts(registry: Registry, group: Group) -> str:
    """Return the sentence about what the time of a group's spans counts towards."""
    if registry.buckets is None:
        return ""
    if group.spec.umbrella:
        return "Its spans contain or overlap others, so their time is in no bucket."
    if group.bucket is None:
        return ""
    return f"The time of its spans counts towards {code(group.bucket.text)}."


def _moves(registry: Registry) -> list[str]:
    targets = moved_to(registry)
    if not targets:
        return []
    made = layout.call("REGISTRY.moves", *(group.constant for group in targets))
    return [layout.rendered(made, indent=0)]


def moved_to(registry: Registry) -> list[Group]:
    """Return the groups that scopes of *registry* move spans to."""
    scopes = (scope for topic in registry.topics for scope in topic.scopes)
    return list(dict.fromkeys(scope.group for scope in scopes if scope.group is not None))


def _presets(registry: Registry) -> list[str]:
    return [
        layout.rendered(
            layout.call(
                "REGISTRY.preset",
                literal(preset.name),
                *(group.constant for group in preset.groups),
            ),
            indent=0,
        )
        for preset in registry.presets
    ]


def exports(names: list[str]) -> str:
    """Return the statement that binds ``__all__``."""
    if not names:
        return "__all__: list[str] = []"
    items = tuple(layout.Item(literal(name)) for name in sorted(names, key=order.exported))
    return layout.rendered(layout.Bracketed("[", items, "]"), indent=0, before="__all__ = ")


def source(registry: Registry) -> str:
    """Return the file that says what the whole registry is."""
    return registry.at.value().file


def package(registry: Registry) -> PackageView:
    """Return the package itself."""
    spec = registry.spec
    brief = led(sentence(spec.brief), code(registry.name))
    return PackageView(
        source=source(registry),
        doc=docstring(
            brief,
            [*paragraphs(spec.note), deprecation(spec.deprecated)],
            indent=0,
            title=f"Telemetry of the registry {code(registry.name)}.",
        ),
        requires=literal(_runtime(registry)),
    )


def _runtime(registry: Registry) -> str:
    """Return the oldest runtime that all of *registry* works with."""
    versions = [RUNTIME]
    specs: list[ItemSpec] = [registry.spec]
    for topic in registry.topics:
        specs += [topic.spec, *(one.spec for one in topic.attributes)]
        specs += [one.spec for one in topic.enums]
        specs += [one.spec for one in topic.spans]
        specs += [one.spec for one in topic.metrics]
        specs += [one.spec for one in topic.events]
        specs += [one.spec for one in topic.scopes]
        specs += [one.spec for one in topic.resources]
    versions += [spec.min_runtime for spec in specs if spec.min_runtime is not None]
    return max(versions, key=_numbers)


def _numbers(version: str) -> list[int]:
    parts = version.replace("-", ".").replace("+", ".").split(".")
    return [int(part) for part in parts if part.isdigit()]
