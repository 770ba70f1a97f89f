"""Span groups and presets of the sample: a kiln that fires pots."""

from __future__ import annotations

from telewright.base import Registry

REGISTRY = Registry("kiln", version="0.3.0", schema_url="https://example.org/kiln/0.3.0")

SHIFT = REGISTRY.group("shift")
POT = REGISTRY.group("pot")
FIRING = REGISTRY.group("firing")

REGISTRY.preset("default", SHIFT, POT)
REGISTRY.preset("per_pot", POT)
REGISTRY.ready()
