"""Run every rule on every registry that is checked here."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Diagnostic, Label, Severity
from telewright_codegen.guard import PluginError
from telewright_codegen.lint import (
    bounds,
    goodput,
    lifetime,
    metrics,
    names,
    opentelemetry,
    privacy,
    prose,
    similarity,
    structure,
    units,
)
from telewright_codegen.lint.allow import Allowances
from telewright_codegen.lint.rule import Finding, Rule, Subject
from telewright_codegen.plugins import rules
from telewright_codegen.spec.common import ItemSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date
    from types import ModuleType

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.registry import Model

_FAMILIES: Final[tuple[ModuleType, ...]] = (
    bounds,
    goodput,
    lifetime,
    metrics,
    names,
    opentelemetry,
    privacy,
    prose,
    similarity,
    structure,
    units,
)
_OURS: Final = "TW"


def run(
    model: Model,
    report: Report,
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    today: date | None = None,
) -> None:
    """Add to *report* whatever a rule objects to.

    Args:
        model: What to look at; only registries that are owned here are checked.
        report: Where findings go; warnings of earlier stages that are not chosen go from it.
        select: Codes, or starts of them, to run; all, where empty.
        ignore: Codes, or starts of them, not to run.
        today: The day to compare dates of the specs with.
    """
    report.diagnostics[:] = [
        one
        for one in report.diagnostics
        if one.severity is Severity.ERROR or _is_chosen(one.code, select, ignore)
    ]
    if not model.owned:
        return
    day = today or datetime.now(tz=UTC).date()
    known = all_rules()
    chosen = [one for one in known.values() if _is_chosen(one.code, select, ignore)]
    for registry in model.owned:
        subject = Subject(registry, model, day)
        allowances = Allowances(registry)
        for one in chosen:
            for finding in one(subject):
                if not (_is_moot(one, finding) or allowances.lifts(one, finding)):
                    report.diagnostics.append(
                        Diagnostic(
                            one.code,
                            finding.message,
                            Label(finding.place, finding.label),
                            finding.secondary,
                            finding.help,
                            one.severity,
                        )
                    )
        if not (select or ignore):
            allowances.check(known, report)


def all_rules() -> Mapping[str, Rule]:
    """Return every rule by its code: ours, then those of plug-ins.

    Raises:
        PluginError: A plug-in brings no rule, or a code that is ours or that another one brings.
    """
    found: dict[str, Rule] = {}
    for family in _FAMILIES:
        found.update((one.code, one) for one in _in(vars(family).values()))
    theirs: dict[str, Rule] = {}
    for plugin, brought in rules():
        declared = _in([brought, *getattr(brought, "__dict__", {}).values()])
        if not declared:
            raise PluginError(f"{plugin.name} has no rule, no function marked with `@rule`")
        for one in declared:
            named = plugin._replace(name=f"rule `{one.code}` ({one.name}) of {plugin.name}")
            if one.code.startswith(_OURS) or theirs.setdefault(one.code, one) is not one:
                raise PluginError(f"{named.name} has a code that is taken")
            found[one.code] = replace(one, check=partial(named.yielded, Finding, one.check))
    return dict(sorted(found.items()))


def _is_moot(one: Rule, finding: Finding) -> bool:
    if one.on_deprecated:
        return False
    specs = [item.spec for item in finding.items]
    return any(isinstance(spec, ItemSpec) and spec.deprecated is not None for spec in specs)


def _in(values: Iterable[object]) -> list[Rule]:
    return [value for value in values if isinstance(value, Rule)]


def _is_chosen(code: str, select: Sequence[str], ignore: Sequence[str]) -> bool:
    wanted = not select or code.startswith(tuple(select))
    return wanted and not (ignore and code.startswith(tuple(ignore)))
