"""Instrumentation that is suppressed, so that what telemetry does to export is no telemetry itself.

OpenTelemetry marks the context in which it exports. Libraries that are instrumented ask for the
mark, and record nothing.
"""

from __future__ import annotations

from contextlib import contextmanager

from opentelemetry import context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Final

_PLAIN: Final = "suppress_instrumentation"
_KEYS: Final = (getattr(context, "_SUPPRESS_INSTRUMENTATION_KEY", _PLAIN), _PLAIN)
"""The mark, which OpenTelemetry keeps to itself, and what it was before; libraries ask for both."""


_MARKED: Final = context.Context(dict.fromkeys(_KEYS, True))


@contextmanager
def quiet() -> Generator[None]:
    """Have nothing recorded of what the current thread does in the block."""
    token = context.attach(_MARKED)
    try:
        yield
    finally:
        context.detach(token)


def is_suppressed() -> bool:
    """Say whether nothing is to be recorded of what happens here and now."""
    current = context.get_current()
    return any(context.get_value(key, current) for key in _KEYS)
