"""How names of the spec become names in Python."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from telewright_codegen.resolve.words import is_taken

if TYPE_CHECKING:
    from collections.abc import Iterable

PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")
"""The part of a span's name that a member of an enumeration fills."""

_NOT_ALPHANUMERIC: Final = re.compile(r"[^0-9A-Za-z]")

UNIT_WORDS: Final = {
    "ms": "milliseconds",
    "s": "seconds",
    "us": "microseconds",
    "ns": "nanoseconds",
    "min": "minutes",
    "h": "hours",
    "d": "days",
    "By": "bytes_",
    "KiBy": "kibibytes",
    "MiBy": "mebibytes",
    "GiBy": "gibibytes",
    "MBy": "megabytes",
    "GBy": "gigabytes",
    "W": "watts",
    "J": "joules",
    "Cel": "degrees",
    "Hz": "hertz",
    "%": "percent",
}


def constant(name: str) -> str:
    """Return the constant of *name*: ``NEMO_GYM_ROLLOUT_ID``."""
    return _NOT_ALPHANUMERIC.sub("_", name).upper()


def camel(helper: str) -> str:
    """Return the class that goes with *helper*: ``ReadBytes`` with ``read_bytes``."""
    return "".join(part[:1].upper() + part[1:] for part in helper.split("_"))


def safe(word: str) -> str:
    """Return *word*, with an underscore at its end where Python has taken it."""
    return f"{word}_" if is_taken(word) else word


def without(name: str, prefixes: Iterable[str]) -> str:
    """Return *name* minus the longest of *prefixes* that ends at one of its dots."""
    for prefix in sorted(prefixes, key=len, reverse=True):
        if name.startswith(f"{prefix}."):
            return name[len(prefix) + 1 :]
    return name


def homes(topic: str, namespaces: Iterable[str]) -> list[str]:
    """Return what a helper's name leaves out: the namespaces, with and without the topic."""
    return [made for namespace in namespaces for made in (namespace, f"{namespace}.{topic}")]


def _joined(name: str) -> str:
    return re.sub(r"_+", "_", name.replace(".", "_").replace("-", "_")).strip("_")


def span_helper(name: str, topic: str, namespaces: Iterable[str]) -> str | None:
    """Return the helper of a span; None where nothing of its name is left."""
    bare = ".".join(part for part in PLACEHOLDER.sub("", name).split(".") if part)
    rest = f"{bare}." if bare != name and bare in homes(topic, namespaces) else bare
    made = _joined(without(rest, homes(topic, namespaces)))
    return safe(made) if made and not made[0].isdigit() else None


def metric_helper(name: str, topic: str, namespaces: Iterable[str]) -> str | None:
    """Return the helper of an instrument: like a span's, and a final ``_total`` goes."""
    made = _joined(without(name, homes(topic, namespaces)))
    made = made.removesuffix("_total") or made
    return safe(made) if made and not made[0].isdigit() else None


def event_helper(name: str, topic: str, namespaces: Iterable[str]) -> str | None:
    """Return the helper of an event, made like a span's."""
    return span_helper(name, topic, namespaces)


def param(key: str, topic: str, namespaces: Iterable[str]) -> str:
    """Return the parameter of an attribute in a helper of *topic*.

    Namespace and topic go; the topic stays where the rest could not be a parameter or says too
    little, and then the namespace.
    """
    bare = without(key, namespaces)
    for candidate in (_joined(without(bare, [topic])), _joined(bare), _joined(key)):
        if not (is_taken(candidate) or candidate == "name" or candidate[:1].isdigit()):
            return candidate
    return safe(_joined(key))


def value_param(kind: str, helper: str, unit: str) -> str:
    """Return what the value of an instrument is called."""
    if kind == "counter":
        return helper
    if kind == "histogram":
        return UNIT_WORDS.get(unit, "value")
    return "value"
