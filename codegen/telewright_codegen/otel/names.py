"""Every name of OpenTelemetry's semantic conventions, from a table beside this module."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind = Literal["attribute", "metric", "event"]


class Known(NamedTuple):
    """One name, and what OpenTelemetry says about it."""

    kind: Kind
    name: str
    detail: tuple[str, ...]
    """The type of an attribute; instrument and unit of a metric."""
    deprecated: bool
    renamed_to: str | None


class Table(NamedTuple):
    """All names of one release."""

    version: str
    attributes: Mapping[str, Known]
    metrics: Mapping[str, Known]
    events: Mapping[str, Known]
    namespaces: frozenset[str]
    """The first parts of attributes."""


@cache
def table() -> Table:
    """Return the table, read once."""
    text = (
        resources.files("telewright_codegen.otel").joinpath("names.txt").read_text(encoding="utf-8")
    )
    version, *lines = text.splitlines()
    known = [_known(line) for line in lines]
    return Table(
        version=version.removeprefix("# "),
        attributes={one.name: one for one in known if one.kind == "attribute"},
        metrics={one.name: one for one in known if one.kind == "metric"},
        events={one.name: one for one in known if one.kind == "event"},
        namespaces=frozenset(
            one.name.partition(".")[0]
            for one in known
            if one.kind == "attribute" and "." in one.name
        ),
    )


def is_known(name: str) -> bool:
    """Return whether OpenTelemetry has an attribute, a metric or an event called *name*."""
    names = table()
    return name in names.attributes or name in names.metrics or name in names.events


def _known(line: str) -> Known:
    kind, name, *rest = line.split(" ")
    deprecated = len(rest) > 1 and rest[-2] == "deprecated"
    renamed = rest[-1] if deprecated and rest[-1] != "-" else None
    detail = tuple(rest[:-2] if deprecated else rest)
    kinds: dict[str, Kind] = {"attribute": "attribute", "metric": "metric", "event": "event"}
    return Known(kinds[kind], name, detail, deprecated, renamed)
