"""A second registry, whose default holds a group that the first has outside its default."""

from __future__ import annotations

from telewright.base import OFF, Registry, Span, opens

REGISTRY = Registry("depot", version="1.0.0")

FIRING = REGISTRY.group("firing")
DISPATCH = REGISTRY.group("dispatch")

REGISTRY.preset("default", FIRING)
REGISTRY.preset("per_cart", DISPATCH)
REGISTRY.ready()


@opens(FIRING)
def store() -> Span:
    if FIRING.on:
        return Span(FIRING, "depot.store", {})
    return OFF
