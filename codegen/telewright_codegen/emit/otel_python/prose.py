"""Docstrings as OpenTelemetry's Python package has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from telewright_codegen.otel.conventions import Key, Retirement, Signal, Value


def undotted(text: str) -> str:
    """Return *text* without what surrounds it and without its last full stop."""
    return text.strip(" \n").rstrip(".")


def of_key(key: Key, stable: str | None) -> list[str]:
    """Return what is said about an attribute.

    Args:
        key: The attribute.
        stable: The constant that takes its place in the stable package, if it is there.
    """
    said = _gone(key.deprecated, stable)
    if said is not None:
        return said
    if not key.brief:
        return []
    lines = f"{undotted(key.brief)}.".split("\n")
    return lines + (f"Note: {undotted(key.note)}.".split("\n") if key.note else [])


def of_value(value: Value, stable: str | None) -> list[str]:
    """Return what is said about a member of an enumeration."""
    said = _gone(value.deprecated, stable)
    return said or f"{undotted(value.brief or value.id)}.".split("\n")


def of_metric(metric: Signal, stable: str | None) -> list[str]:
    """Return what is said about a metric."""
    said = _gone(metric.deprecated, stable)
    if said is not None:
        return said
    lines = undotted(metric.brief).split("\n") if metric.brief else []
    lines += [f"Instrument: {metric.instrument}", f"Unit: {metric.unit}"]
    return lines + (f"Note: {undotted(metric.note)}.".split("\n") if metric.note else [])


def _gone(deprecated: Retirement | None, stable: str | None) -> list[str] | None:
    if deprecated is not None:
        return f"Deprecated: {undotted(deprecated.note)}.".split("\n")
    if stable is not None:
        return [f"Deprecated in favor of stable :py:const:`{stable}`."]
    return None
