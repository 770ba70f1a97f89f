"""Sources: which series of which pages an instrument is read from, and what becomes of labels."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from telewright_codegen.model.signals import Source
from telewright_codegen.spec.metric import SourceSpec
from telewright_codegen.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telewright_codegen.model.signals import Use
    from telewright_codegen.resolve.catalogue import Context
    from telewright_codegen.source import At, Place
    from telewright_codegen.spec.metric import InstrumentKind, MetricSpec

EVERY: Final = 10.0
"""Seconds between two readings where a spec leaves it out."""

_SERIES: Final = re.compile(r"[a-zA-Z_:][a-zA-Z0-9_:]*")
_ADDRESS: Final = re.compile(r"https?://[^\s/]+\S*")
_FINDER: Final = re.compile(r"[a-z][a-z0-9_]*")


def source(
    spec: MetricSpec, kind: InstrumentKind, at: At, attributes: Sequence[Use], context: Context
) -> Source | None:
    """Return where the instrument is read from, if its spec says so and it can be."""
    said = spec.source
    if said is None:
        return None
    whole = at.value("source") if isinstance(said, str) else (at / "source").value("series")
    if isinstance(said, str):
        said = SourceSpec(series=said)
    check = _Check(at, context)
    check.kind(spec, kind)
    check.text(said.series, _SERIES, whole, "the name of a series", "letters, digits, `_` and `:`")
    if said.page is not None:
        pattern = _ADDRESS if "/" in said.page else _FINDER
        place = (at / "source").value("page")
        check.text(said.page, pattern, place, "a page", "an `http://` address, or a short name")
    uses = {use.attribute.key: use for use in attributes}
    labels = check.named(said.labels, "labels", uses)
    given = check.named({key: key for key in said.attributes}, "attributes", uses)
    if check.failed:
        return None
    return Source(
        series=said.series,
        page=said.page or context.catalogue.name,
        labels=tuple(labels.items()),
        attributes=tuple((use, said.attributes[key]) for key, use in given.items()),
        every=float(said.every or EVERY),
        scale=float(said.scale if said.scale is not None else 1),
    )


class _Check:
    """Reports what cannot be read as written, under one code."""

    def __init__(self, at: At, context: Context) -> None:
        self._at: Final = at
        self._context: Final = context
        self.failed = False

    def _error(self, message: str, place: Place, label: str, way: str) -> None:
        self.failed = True
        self._context.report.error("TW138", message, place, label, help=way)

    def kind(self, spec: MetricSpec, kind: InstrumentKind) -> None:
        """Only what is read at each export can be read from a page, and counters never fall."""
        if not kind.startswith("observable"):
            self._error(
                f"a {kind.replace('_', '-')} is not read from anywhere",
                self._at.key("source"),
                "only observable instruments are read",
                f"make it an `observable_{kind if kind != 'histogram' else 'gauge'}`",
            )
        elif kind == "observable_counter" and spec.window == "step":
            self._error(
                "a counter that begins anew with each step falls",
                self._at.value("window"),
                "counts from zero in each step",
                "make it an `observable_gauge`, or leave `window` out",
            )

    def text(self, text: str, pattern: re.Pattern[str], place: Place, what: str, how: str) -> None:
        """Report *text* if it is none of what it should be."""
        if pattern.fullmatch(text) is None:
            self._error(f"`{text}` is not {what}", place, f"expected {how}", f"write {how}")

    def named(self, keys: Mapping[str, str], field: str, uses: Mapping[str, Use]) -> dict[str, Use]:
        """Return the attributes that *keys* lead to; each must be one of the metric's."""
        found: dict[str, Use] = {}
        for name, key in keys.items():
            if key in uses:
                found[name] = uses[key]
                continue
            place = self._at / "source" / field
            similar = nearest(key, uses)
            self._error(
                f"the metric has no attribute `{key}`",
                place.key(name) if name == key else place.value(name),
                "not among its `attributes`",
                f"did you mean `{similar}`?" if similar else "add it to `attributes`",
            )
        return found
