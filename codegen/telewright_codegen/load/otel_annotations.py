"""Annotations of OpenTelemetry's dialect: merged in depth, and what some of them ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Annotations = dict[str, Any]


def merged(said: Iterable[object]) -> Annotations:
    """Return the annotations of several specs, merged in depth; later ones win."""
    made: Annotations = {}
    for spec in said:
        more = cast("Annotations", getattr(spec, "annotations", None) or {})
        if made or more:
            _merge(made, more)
    return made


def _merge(into: Annotations, more: Mapping[str, Any]) -> None:
    for name, said in more.items():
        held: object = into.get(name)
        if isinstance(held, dict) and isinstance(said, dict):
            both: Annotations = dict(cast("Annotations", held))
            _merge(both, cast("Annotations", said))
            into[name] = both
        else:
            into[name] = said


def is_in_no_code(annotations: Mapping[str, Any]) -> bool:
    """Return whether annotations keep something out of generated code."""
    return _below(annotations, "code_generation").get("exclude") is True


def is_kept_back(annotations: Mapping[str, Any]) -> bool:
    """Return whether annotations keep something from registries that depend on its own."""
    return _below(annotations, "dependency_resolution").get("exclude") is True


def number_of(annotations: Mapping[str, Any]) -> str | None:
    """Return what kind of number a metric's values are, if its annotations say so."""
    said = _below(annotations, "code_generation").get("metric_value_type")
    return "int" if said == "int" else "double" if said == "double" else None


def constant_of(annotations: Mapping[str, Any]) -> str | None:
    """Return the name that whoever declares an attribute pinned its constant to."""
    said: object = annotations.get("constant")
    return said if isinstance(said, str) else None


def _below(annotations: Mapping[str, Any], name: str) -> Annotations:
    said: object = annotations.get(name)
    return cast("Annotations", said) if isinstance(said, dict) else {}
