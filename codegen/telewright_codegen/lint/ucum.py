"""The part of UCUM that metrics use: prefixes, atoms, exponents, products, annotations."""

from __future__ import annotations

import re
from typing import Final

_METRIC: Final = (
    "m g s A K cd mol L l Hz N Pa J W C F V Ohm S Wb T H lm lx Bq Gy Sv Cel By bit Bd eV rad sr t"
)
_OTHERS: Final = "min h d wk mo a deg % [ppth] [ppm] [ppb] [degF] [in_i] [ft_i] [lb_av] 10* 10^"
_PREFIXES: Final = "Y Z E P T G M k h da d c m u n p f z y Ki Mi Gi Ti"


def _choice(words: str) -> str:
    return "|".join(re.escape(word) for word in sorted(words.split(), key=len, reverse=True))


_COMPONENT: Final = re.compile(
    rf"(?:(?:(?:{_choice(_PREFIXES)})?(?:{_choice(_METRIC)})|{_choice(_OTHERS)})(?:[+-]?[1-9])?"
    r"|[1-9][0-9]*)?(?:\{[!-z|~]+\})?"
)
_LONGEST: Final = 63
"""In characters; what OpenTelemetry's SDKs accept."""

USUAL: Final = {
    "second": "s",
    "seconds": "s",
    "sec": "s",
    "millisecond": "ms",
    "milliseconds": "ms",
    "msec": "ms",
    "microseconds": "us",
    "nanoseconds": "ns",
    "minute": "min",
    "minutes": "min",
    "hour": "h",
    "hours": "h",
    "days": "d",
    "byte": "By",
    "bytes": "By",
    "b": "By",
    "kb": "kBy",
    "kib": "KiBy",
    "mb": "MBy",
    "mib": "MiBy",
    "gb": "GBy",
    "gib": "GiBy",
    "percent": "%",
    "percentage": "%",
    "ratio": "1",
    "fraction": "1",
    "count": "1",
    "celsius": "Cel",
    "watts": "W",
    "joules": "J",
    "hertz": "Hz",
}
"""What people write, and what UCUM calls it."""

_SCALES: Final = {
    "ns": ("time", 1e-9),
    "us": ("time", 1e-6),
    "ms": ("time", 1e-3),
    "s": ("time", 1.0),
    "min": ("time", 60.0),
    "h": ("time", 3600.0),
    "d": ("time", 86400.0),
    "By": ("size", 1.0),
    "kBy": ("size", 1e3),
    "MBy": ("size", 1e6),
    "GBy": ("size", 1e9),
    "KiBy": ("size", 2.0**10),
    "MiBy": ("size", 2.0**20),
    "GiBy": ("size", 2.0**30),
    "1": ("ratio", 1.0),
    "%": ("ratio", 0.01),
}


def is_ucum(unit: str) -> bool:
    """Return whether *unit* is a UCUM expression, an empty one aside."""
    if not unit or len(unit) > _LONGEST or not unit.isascii() or re.search(r"\d\.\d", unit):
        return False
    parts = re.split(r"[./](?![^{]*\})", unit)
    if unit.startswith("/"):
        parts = parts[1:]
    return all(part and _COMPONENT.fullmatch(part) is not None for part in parts)


def scale(unit: str) -> tuple[str, float] | None:
    """Return what a usual unit measures, and how large one of it is; None for any other."""
    return _SCALES.get(unit)


def usual(written: str) -> str | None:
    """Return the unit that was probably meant by a word."""
    if (found := USUAL.get(written.lower())) is not None:
        return found
    if re.fullmatch(r"[a-z][a-z_ ]*", written):
        return "{" + re.sub(r"[ _]+", "_", written.removesuffix("s")) + "}"
    return None
