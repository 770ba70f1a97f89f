"""What a registry takes over from those that it depends on: `imports`, by name or by pattern."""

from __future__ import annotations

import re
from fnmatch import translate
from typing import TYPE_CHECKING, Final, cast

from telewright_codegen.diagnostics import Label
from telewright_codegen.load.otel_annotations import is_kept_back
from telewright_codegen.spec.otel import OtelFile, OtelGroup
from telewright_codegen.spec.otel2 import Otel2File
from telewright_codegen.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.load.loaded import Loaded
    from telewright_codegen.load.otel_groups import Group, Kind
    from telewright_codegen.load.otel_resolve import Resolver
    from telewright_codegen.source import At

_KINDS: Final[Mapping[str, Kind]] = {
    "metrics": "metric",
    "events": "event",
    "entities": "entity",
    "spans": "span",
    "attribute_groups": "attribute_group",
}
_CHOICE: Final = re.compile(r"\{([^{}]*)\}")
_MOST_CHOICES: Final = 100
"""So many patterns may be written as one with braces; nobody means more."""


def imported(
    items: Sequence[Loaded], resolver: Resolver, others: Sequence[Group], report: Report
) -> list[Group]:
    """Return the groups of *others* that *items* import; report patterns that find none.

    Args:
        items: The files of the registry that imports.
        resolver: What the registry declares itself, and whether all others were found.
        others: The groups of the registries that it depends on.
        report: Where findings go.
    """
    taken: dict[str, Group] = {}
    for kind, pattern, at in _patterns(items):
        of_kind = [group for group in others if group.kind == kind and group.naming]
        found = [group for group in of_kind if _is_called(group, pattern)]
        open_ones = [group for group in found if not _is_closed(group, resolver)]
        if not open_ones and resolver.is_whole:
            _report_none(pattern, at, found, of_kind, report)
        for group in open_ones:
            own = resolver.groups.get(group.id, group)
            if own is group:
                taken.setdefault(group.id, group)
            else:
                _report_twice(own, group, at, report)
    return list(taken.values())


def _patterns(items: Sequence[Loaded]) -> Iterator[tuple[Kind, str, At]]:
    for item in items:
        if isinstance(item.spec, OtelFile | Otel2File) and item.spec.imports is not None:
            for field, kind in _KINDS.items():
                written = cast("list[str]", getattr(item.spec.imports, field) or [])
                for index, pattern in enumerate(written):
                    yield kind, pattern, item.at / "imports" / field / index


def _is_called(group: Group, pattern: str) -> bool:
    matches = [re.compile(translate(one)).fullmatch for one in _choices(pattern)]
    return any(match(name) for name in names(group) for match in matches)


def names(group: Group) -> tuple[str, ...]:
    """Return what an import may call *group*."""
    bare = group.id.removeprefix(f"{group.kind}.")
    if not isinstance(group.spec, OtelGroup):
        refined = group.base.removeprefix(f"{group.kind}.") if group.base else bare
        return (group.id, bare, group.id.removeprefix("registry."), refined)
    if group.kind in {"metric", "event"}:
        return (group.signal,) if group.signal else ()
    if group.kind == "entity":
        return (group.id, bare, group.signal or bare)
    return (group.id,)


def _choices(pattern: str) -> list[str]:
    """Return the patterns that one with braces, ``{a,b}.*``, stands for."""
    done: list[str] = []
    waiting = [pattern]
    while waiting and len(done) + len(waiting) < _MOST_CHOICES:
        one = waiting.pop()
        braces = _CHOICE.search(one)
        if braces is None:
            done.append(one)
            continue
        before, after = one[: braces.start()], one[braces.end() :]
        waiting += [f"{before}{choice}{after}" for choice in braces[1].split(",")]
    return done + waiting


def _is_closed(group: Group, resolver: Resolver) -> bool:
    """Whether a group is kept from those who depend on its registry."""
    is_internal = getattr(group.spec, "visibility", None) == "internal"
    return is_internal or is_kept_back(resolver.annotations(group))


def _report_none(
    pattern: str, at: At, closed: Sequence[Group], of_kind: Sequence[Group], report: Report
) -> None:
    what = _KINDS[str(at.steps[-2])].replace("_", " ")
    if closed:
        report.error(
            "TW801",
            f"`{pattern}` is kept from registries that depend on its own",
            at.value(),
            "cannot be imported",
            secondary=tuple(Label(one.name_at.value(), "declared here") for one in closed[:1]),
            help="declare what you need of it, or ask its owner to make it public",
        )
        return
    report.error(
        "TW801",
        f"no {what} is called like `{pattern}`",
        at.value(),
        "in no registry that this one depends on",
        help=did_you_mean(pattern, [name for group in of_kind for name in names(group)]),
    )


def _report_twice(own: Group, other: Group, at: At, report: Report) -> None:
    report.error(
        "TW803",
        f"`{other.id}` is imported and declared",
        at.value(),
        "imported here",
        secondary=(Label(own.name_at.value(), "declared here"),),
        help="remove one of the two; `extends`, `ref_group` and refinements need no import",
    )
