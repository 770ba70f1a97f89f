"""Specs → model: every reference an object, every name decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.model.registry import Model, Registry
from telewright_codegen.resolve import (
    attributes,
    buckets,
    enums,
    groups,
    metrics,
    modules,
    references,
    topics,
)
from telewright_codegen.resolve.clashes import check_module
from telewright_codegen.resolve.cycles import check_cycles
from telewright_codegen.resolve.deprecations import check_renames
from telewright_codegen.resolve.invariants import check_invariants
from telewright_codegen.resolve.placement import check_placement
from telewright_codegen.resolve.registries import catalogues
from telewright_codegen.resolve.signatures import check_signatures
from telewright_codegen.resolve.twins import check_registries, check_span_names

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
        buckets.declare(catalogue, report)
        groups.declare(catalogue, report)
        topics.declare_events(catalogue, report)
        metrics.declare(catalogue, report)
        references.declare(catalogue, report)
    model = Model(tuple(_registry(catalogue, report) for catalogue in found))
    for catalogue in found:
        modules.check_names(catalogue, report)
        check_renames(catalogue, report)
        check_invariants(catalogue, report)
    check_registries(found, report)
    for registry in model.registries:
        check_span_names(registry, report)
        check_cycles(registry, report)
    for topic in model.topics():
        check_module(topic, report)
        check_signatures(topic, report)
        check_placement(topic, report)
    return model


def _registry(catalogue: Catalogue, report: Report) -> Registry:
    return Registry(
        name=catalogue.name,
        title=catalogue.spec.title or catalogue.name,
        version=catalogue.spec.version,
        folder=catalogue.folder,
        owned=catalogue.owned,
        uses=tuple(used.name for used in catalogue.uses),
        groups=tuple(catalogue.groups.values()),
        buckets=catalogue.buckets,
        presets=tuple(catalogue.presets.values()),
        topics=topics.resolve_topics(catalogue, report),
        spec=catalogue.spec,
        at=catalogue.at,
        conventions=catalogue.conventions,
    )
