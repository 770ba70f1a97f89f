"""Log records of declared names: what happens at one moment, and is about no span."""

from __future__ import annotations

from telewright._guard import failed
from telewright._values import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Final

    from opentelemetry.util.types import AttributeValue

    from telewright._group import Registry

    Sink = Callable[[Registry, str, Mapping[str, AttributeValue]], object]

SINK: Final[list[Sink]] = []
"""What takes these records, while `LOGS` is on."""


def log_event(registry: Registry, name: str, attributes: Mapping[str, AttributeValue]) -> None:
    """Record the event *name* of *registry*, with what is current: its span, and the scopes."""
    try:
        for take in tuple(SINK):
            take(registry, name, clean(attributes))
    except Exception:
        failed("record an event")
