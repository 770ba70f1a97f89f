"""Specs → model: every reference an object, every name decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.model.registry import Model, Registry
from telewright_codegen.resolve import attributes, enums, groups, metrics, references, topics
from telewright_codegen.resolve.registries import catalogues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.load.loaded import Loaded
    from telewright_codegen.resolve.catalogue import Catalogue


def resolve(loaded: Sequence[Loaded], report: Report) -> Model:
    """Return all registries, used ones first; what cannot be resolved is reported and left out."""
    found = catalogues(loaded, report)
    for catalogue in found:
        enums.declare(catalogue, report)
        attributes.declare(catalogue, report)
        groups.declare(catalogue, report)
        topics.declare_events(catalogue, report)
        metrics.declare(catalogue, report)
        references.declare(catalogue, report)
    return Model(tuple(_registry(catalogue, report) for catalogue in found))


def _registry(catalogue: Catalogue, report: Report) -> Registry:
    return Registry(
        name=catalogue.name,
        title=catalogue.spec.title or catalogue.name,
        version=catalogue.spec.version,
        folder=catalogue.folder,
        owned=catalogue.owned,
        uses=tuple(used.name for used in catalogue.uses),
        groups=tuple(catalogue.groups.values()),
        presets=tuple(catalogue.presets.values()),
        topics=tuple(topics.resolve_topic(draft, catalogue, report) for draft in catalogue.drafts),
        spec=catalogue.spec,
        at=catalogue.at,
    )
