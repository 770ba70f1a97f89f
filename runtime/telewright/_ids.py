"""Trace and span ids from the operating system.

The SDK's own come from `random`, which applications seed: workers seeded alike would have the same
ids, and drawing one would move the application's stream.
"""

from __future__ import annotations

from os import urandom

from opentelemetry.sdk.trace.id_generator import (  # noqa: TID251 - started processes only
    IdGenerator,
)

_SPAN_BYTES = 8
_TRACE_BYTES = 16


class SystemIds(IdGenerator):
    """Draws every id anew, so that neither a fork nor a seed repeats one."""

    def generate_span_id(self) -> int:
        """Return 64 random bits that are not all zero."""
        return int.from_bytes(urandom(_SPAN_BYTES), "big") or self.generate_span_id()

    def generate_trace_id(self) -> int:
        """Return 128 random bits that are not all zero."""
        return int.from_bytes(urandom(_TRACE_BYTES), "big") or self.generate_trace_id()

    def is_trace_id_random(self) -> bool:
        """Say that samplers may rely on the ids' randomness."""
        return True
