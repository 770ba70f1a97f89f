"""Times and statuses that a span was given by whoever has it: what is none is not passed on."""

from __future__ import annotations

from operator import index
from typing import cast

from opentelemetry.trace import Status, StatusCode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, SupportsIndex

_TIMES: Final = 2**64
"""Nanoseconds since the epoch from here on have no place in OTLP."""


def time_of(given: object) -> int | None:
    """Return a time in nanoseconds since the epoch; None for what is none."""
    if type(given) is not int:
        if type(given) is bool:
            return None
        try:
            given = index(cast("SupportsIndex", given))
        except Exception:  # text, a fraction, or whatever its class raises
            return None
    return given if 0 <= given < _TIMES else None


def status_of(given: object, description: object = None) -> Status | None:
    """Return the status that *given* says, as the SDK understands it; None for what says none."""
    if issubclass(type(given), Status):  # what its class says of itself may raise
        status = cast("Status", given)
        given, description = status.status_code, status.description
    if type(given) is not StatusCode:
        return None
    text = issubclass(type(description), str)
    return Status(given, cast("str", description) if text else None)
