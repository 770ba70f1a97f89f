"""Telemetry that cannot drift: typed, gated, redacted helpers generated from specs."""

from telewright._carry import carrier, carry, extract, inject, within
from telewright._control import flush, select, start, stats, stop
from telewright._traced import opens, traced
from telewright._version import VERSION as __version__  # noqa: N811 - Python's name for it

__all__ = [
    "__version__",
    "carrier",
    "carry",
    "extract",
    "flush",
    "inject",
    "opens",
    "select",
    "start",
    "stats",
    "stop",
    "traced",
    "within",
]
