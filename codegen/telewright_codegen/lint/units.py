"""Units: in UCUM, and what the name says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Label, Severity
from telewright_codegen.lint import ucum
from telewright_codegen.lint.rule import Finding, rule
from telewright_codegen.lint.walk import attributes, metrics

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.lint.rule import Item, Subject
    from telewright_codegen.source import Place

_SUFFIXES: Final = {
    "ns": ("ns",),
    "us": ("us",),
    "ms": ("ms",),
    "milliseconds": ("ms",),
    "s": ("s",),
    "sec": ("s",),
    "seconds": ("s",),
    "minutes": ("min",),
    "hours": ("h",),
    "bytes": ("By",),
    "kib": ("KiBy",),
    "mib": ("MiBy",),
    "gib": ("GiBy",),
    "percent": ("%", "1"),
    "pct": ("%", "1"),
    "watts": ("W",),
    "joules": ("J",),
}
"""What the last word of a name promises."""

_SYNONYMS: Final = {"usage": "used", "consumption": "used", "size": "length", "time": "duration"}
_IN_COMMON: Final = 3
"""So many words do two names of one quantity share at least."""


@rule("TW301", "unit-not-ucum", liftable=False)
def unit_not_ucum(subject: Subject) -> Iterator[Finding]:
    """Units are written in UCUM, as backends expect them."""
    for item, unit, place in _units(subject):
        if unit and not ucum.is_ucum(unit):
            meant = ucum.usual(unit)
            yield Finding(
                item,
                place,
                f"{_quoted(unit)} is no unit of UCUM",
                "expected `s`, `By`, `1`, `%`, `{request}`, `By/s` and the like",
                help=None if meant is None else f"did you mean `{meant}`?",
            )


@rule("TW302", "unit-empty")
def unit_empty(subject: Subject) -> Iterator[Finding]:
    """A metric says what one of it is: ``1`` for a ratio, ``{request}`` for things counted."""
    for item, unit, place in _units(subject):
        if not unit:
            yield Finding(
                item,
                place,
                "a unit that says nothing",
                "empty",
                help="write `1` for a ratio, `{thing}` for a count, or a unit of UCUM",
            )


@rule("TW304", "unit-against-name")
def unit_against_name(subject: Subject) -> Iterator[Finding]:
    """The unit at the end of a name is the unit of the metric."""
    for metric in metrics(subject.registry):
        last = metric.name.removesuffix("_total").rpartition(".")[2].rpartition("_")[2]
        expected = _SUFFIXES.get(last)
        if expected is None or last == metric.name or not ucum.is_ucum(metric.unit):
            continue
        if metric.unit not in expected:
            yield Finding(
                metric,
                metric.at.value("unit"),
                f"metric `{metric.name}` is in `{metric.unit}`, and its name says `{last}`",
                f"the name promises `{expected[0]}`",
                help=f"change the unit to `{expected[0]}`, or the name",
                secondary=(Label(metric.at.value(metric.kind), "the name"),),
            )


@rule("TW318", "two-units-for-one-thing", severity=Severity.WARNING)
def two_units_for_one_thing(subject: Subject) -> Iterator[Finding]:
    """One quantity is measured in one unit: whoever adds two up should not have to convert."""
    seen: list[tuple[frozenset[str], str, float]] = []
    known = list(metrics(subject.registry))
    for metric in known:
        scale = ucum.scale(metric.unit)
        if scale is None:
            continue
        dimension, size = scale
        words = _words(metric.name)
        for index, (other, kind, factor) in enumerate(seen):
            if kind == dimension and factor != size and _alike(words, other):
                former = [one for one in known if ucum.scale(one.unit) is not None][index]
                yield Finding(
                    (metric, former),
                    metric.at.value("unit"),
                    f"`{former.name}` is in `{former.unit}`, `{metric.name}` in `{metric.unit}`",
                    "seems to be the same quantity",
                    help="use one unit for both, or one metric",
                    secondary=(Label(former.at.value("unit"), "the other unit"),),
                )
        seen.append((words, dimension, size))


def _units(subject: Subject) -> Iterator[tuple[Item, str, Place]]:
    for metric in metrics(subject.registry):
        yield metric, metric.unit, metric.at.value("unit")
    for attribute in attributes(subject.registry):
        if attribute.spec.unit is not None:
            yield attribute, attribute.spec.unit, attribute.at.value("unit")


def _quoted(unit: str) -> str:
    return f"`{unit}`" if unit.isascii() and unit.isprintable() else ascii(unit)


def _words(name: str) -> frozenset[str]:
    words = name.replace(".", "_").split("_")
    return frozenset(
        _SYNONYMS.get(word, word) for word in words if word not in _SUFFIXES and word != "total"
    )


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _IN_COMMON and len(one ^ other) <= 1
