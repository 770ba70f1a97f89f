"""What Prometheus calls a metric of OpenTelemetry, by its translator's rules with suffixes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from telewright_codegen.spec.metric import InstrumentKind

_UNITS: Final = {
    "d": "days",
    "h": "hours",
    "min": "minutes",
    "s": "seconds",
    "ms": "milliseconds",
    "us": "microseconds",
    "ns": "nanoseconds",
    "By": "bytes",
    "KiBy": "kibibytes",
    "MiBy": "mebibytes",
    "GiBy": "gibibytes",
    "TiBy": "tibibytes",
    "KBy": "kilobytes",
    "kBy": "kilobytes",
    "MBy": "megabytes",
    "GBy": "gigabytes",
    "TBy": "terabytes",
    "m": "meters",
    "V": "volts",
    "A": "amperes",
    "J": "joules",
    "W": "watts",
    "g": "grams",
    "Cel": "celsius",
    "Hz": "hertz",
    "%": "percent",
    "1": "",
}
_PER: Final = {
    "s": "second",
    "min": "minute",
    "m": "minute",
    "h": "hour",
    "d": "day",
    "w": "week",
    "mo": "month",
    "y": "year",
}
_OTHER: Final = re.compile(r"[^0-9A-Za-z]+")
_MONOTONIC: Final = ("counter", "observable_counter")
_GAUGES: Final = ("gauge", "observable_gauge")


def metric_name(name: str, *, kind: InstrumentKind, unit: str) -> str:
    """Return the name under which Prometheus has a metric; of a histogram, without ``_bucket``.

    A unit is appended where the name has no such word yet, curly annotations have none; a counter
    ends with ``_total``, a gauge in ``1`` with ``_ratio``.
    """
    words = [word for word in _OTHER.split(name) if word]
    main, _, per = unit.partition("/")
    for unit_words in (_unit_words(main, _UNITS), _unit_words(per, _PER, before="per")):
        if unit_words and unit_words[-1] not in words:
            words += unit_words
    if kind in _MONOTONIC:
        words = [*(word for word in words if word != "total"), "total"]
    if kind in _GAUGES and unit == "1":
        words = [*(word for word in words if word != "ratio"), "ratio"]
    whole = "_".join(words)
    return f"_{whole}" if whole[:1].isdigit() else whole


def label_name(key: str) -> str:
    """Return the label that an attribute becomes."""
    whole = re.sub(r"[^0-9A-Za-z_]", "_", key)
    return f"key_{whole}" if whole[:1].isdigit() else whole


def _unit_words(unit: str, known: dict[str, str], *, before: str | None = None) -> list[str]:
    unit = unit.strip()
    if not unit or "{" in unit or "}" in unit:
        return []
    words = [word for word in _OTHER.split(known.get(unit, unit)) if word]
    return [before, *words] if before and words else words
