"""What a group of OpenTelemetry's dialect must say, beyond its shape."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Label
from telewright_codegen.load.otel_places import is_written
from telewright_codegen.spec.otel import OtelAttribute, OtelEnum, OtelGroup, OtelLevel
from telewright_codegen.spec.otel2 import Otel2Reference
from telewright_codegen.spec.reserved import STANDARD_LIBRARY, WINDOWS

if TYPE_CHECKING:
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.load.otel_groups import Entry, Group
    from telewright_codegen.source import At

_GROUP_ID: Final = re.compile(r"[a-z][a-z0-9]*([_-][a-z0-9]+)*(\.[a-z0-9]+([_-][a-z0-9]+)*)*")

_ONLY: Final = {"metric": ("metric_name", "instrument", "unit"), "event": ("body",)}
"""Fields that only groups of one type have."""


def check_group(group: Group, report: Report, *, owned: bool) -> None:
    """Report what *group* and its entries lack or say twice.

    Args:
        group: The group.
        report: Where findings go.
        owned: Whether whoever runs this answers for the group; then what it is called matters.
    """
    if owned and group.spec is not None and _GROUP_ID.fullmatch(group.id) is None:
        report.error(
            "TW806",
            f"a group cannot be called {_shown(group.id)}",
            group.name_at.value(),
            "expected lower-case words joined by dots",
            help="for example `registry.gym`",
        )
    elif owned and group.id in WINDOWS | STANDARD_LIBRARY:
        report.error(
            "TW806",
            f"a group cannot be called `{group.id}`",
            group.name_at.value(),
            "tools make files and modules of this name, which would be taken for others",
            help=f"for example `registry.{group.id}`",
        )
    if isinstance(group.spec, OtelGroup):
        _check_fields(group.spec, group.at, report)
    for entry in group.entries:
        _check_entry(entry, report)


def _shown(name: str) -> str:
    short = name if len(name) <= 60 else f"{name[:60]}…"  # noqa: PLR2004  a line of a message
    return f"`{short}`" if short.isprintable() and short.isascii() else ascii(short)


def _check_fields(spec: OtelGroup, at: At, report: Report) -> None:
    needed: tuple[str, ...] = ()
    if spec.type == "metric":
        needed = ("metric_name", "instrument", "unit")
    elif spec.type == "event":
        needed = ("name",)
    for name in needed:
        if getattr(spec, name) is None and not is_written(at, name):
            report.error(
                "TW804",
                f"{'an' if spec.type[0] in 'ae' else 'a'} {spec.type} needs `{name}`",
                (at / "id").value(),
                "does not say it",
                help=f"add `{name}:`",
            )
    for kind, names in _ONLY.items():
        for name in names if spec.type != kind else ():
            if getattr(spec, name) is not None:
                report.error(
                    "TW805",
                    f"`{name}` on a group of type `{spec.type}`",
                    at.key(name),
                    f"only {kind}s have it",
                    help=f"remove it, or say `type: {kind}`",
                )


def _check_entry(entry: Entry, report: Report) -> None:
    spec = entry.spec
    if isinstance(spec, OtelAttribute):
        if (spec.id is None) is (spec.ref is None):
            _check_one_of(entry, ("id", "ref"), report)
        elif spec.ref is None and (spec.type is None or spec.brief is None):
            _check_whole(spec, entry, report)
    elif isinstance(spec, Otel2Reference):
        _check_one_of(entry, ("ref", "ref_group"), report)
    said = vars(spec).get  # each format has other fields
    level = said("requirement_level")
    if isinstance(level, OtelLevel) and len(level.model_fields_set) != 1:
        report.error(
            "TW805",
            "a requirement level has exactly one condition",
            entry.at.value("requirement_level"),
            f"has {len(level.model_fields_set)}",
            help="write `conditionally_required`, `recommended` or `opt_in`",
        )
    kind = said("type")
    if isinstance(kind, OtelEnum):
        _check_members(kind, entry.at / "type" / "members", report)


def _check_whole(spec: OtelAttribute, entry: Entry, report: Report) -> None:
    for name in ("type", "brief"):
        if getattr(spec, name) is None and not is_written(entry.at, name):
            report.error(
                "TW804",
                f"attribute `{spec.id}` needs `{name}`",
                entry.at.value("id"),
                "is declared here",
                help=f"add `{name}:`, or refer to one that is declared with `ref:`",
            )


def _check_one_of(entry: Entry, names: tuple[str, str], report: Report) -> None:
    first, second = names
    said = [name for name in names if getattr(entry.spec, name) is not None]
    if len(said) == 2:  # noqa: PLR2004  both
        report.error(
            "TW805",
            f"an attribute has `{first}` or `{second}`, not both",
            entry.at.key(second),
            "a second one",
            secondary=(Label(entry.at.key(first), "the first one"),),
            help="remove one of them",
        )
    elif not said and not any(is_written(entry.at, name) for name in names):
        report.error(
            "TW804",
            f"an attribute needs `{first}` or `{second}`",
            entry.at.value(),
            "has neither",
            help=f"add `{first}:`",
        )


def _check_members(kind: OtelEnum, at: At, report: Report) -> None:
    kinds: dict[str, int] = {}
    for index, member in enumerate(kind.members):
        value = member.id if member.value is None else member.value
        kind_of = "a truth value" if isinstance(value, bool) else "a number"
        kinds.setdefault("text" if isinstance(value, str) else kind_of, index)
    if len(kinds) > 1:
        (first, earlier), (second, later) = list(kinds.items())[:2]
        report.error(
            "TW807",
            "members of one enum have values of two types",
            (at / later).value(),
            f"is {second}",
            secondary=(Label((at / earlier).value(), f"is {first}"),),
            help="quote the numbers, or write numbers throughout",
        )
