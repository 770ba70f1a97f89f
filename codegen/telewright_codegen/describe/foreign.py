"""Signals of registries in OpenTelemetry's dialect, as items: there is no helper for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.describe.item import Item, derived

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.describe.item import Json, Value
    from telewright_codegen.model.registry import Registry
    from telewright_codegen.otel.conventions import Key, Retirement, Signal


def items(registry: Registry) -> Iterator[Item]:
    """Yield the groups of a registry in OpenTelemetry's dialect; none of one in ours."""
    if registry.conventions is None:
        return
    for signal in registry.conventions().signals:
        if signal.keys or signal.kind != "attribute_group":
            yield _signal(signal, registry)


def _signal(one: Signal, registry: Registry) -> Item:
    attributes: list[Json] = [_use(key) for key in one.keys]
    said: dict[str, Json] = {
        "signal": one.kind,
        "called": one.name or None,
        "brief": one.brief.strip() or None,
        "note": one.note.strip() or None,
        "stability": one.stability,
        "deprecated": None if one.deprecated is None else _retired(one.deprecated),
        "refines": one.refines,
        "instrument": one.instrument,
        "unit": one.unit,
        "span_kind": one.span_kind,
        "entities": list(one.entities) or None,
        "attributes": attributes or None,
    }
    fields: dict[str, Value] = {
        name: derived(value) for name, value in said.items() if value is not None
    }
    aliases = () if not one.name else (one.name, f"{registry.name}.{one.name}")
    return Item("signal", registry.name, one.id, str(one.place()), aliases, fields=fields)


def _use(one: Key) -> Json:
    found: dict[str, Json] = {"name": one.name, "requirement": one.need}
    if one.condition:
        found["condition"] = one.condition.strip()
    return found


def _retired(said: Retirement) -> Json:
    found: dict[str, Json] = {"note": said.note.strip()}
    if said.reason is not None:
        found["reason"] = said.reason
    if said.renamed_to is not None:
        found["renamed_to"] = said.renamed_to
    return found
