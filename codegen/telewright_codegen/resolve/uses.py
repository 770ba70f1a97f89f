"""Attributes as a signal uses them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.model.signals import Use
from telewright_codegen.otel.names import table
from telewright_codegen.resolve import levels, names
from telewright_codegen.resolve.catalogue import SUGGESTIONS, report_unknown
from telewright_codegen.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.signals import Attribute
    from telewright_codegen.resolve.catalogue import Catalogue, Context
    from telewright_codegen.source import At, Place
    from telewright_codegen.spec.common import Requirement

    Where = Callable[[], Place]


def find_attribute(
    key: str, where: Where, catalogue: Catalogue, report: Report
) -> Attribute | None:
    """Return the attribute called *key*, here or in a used registry; report it if there is none."""
    found = catalogue.find(lambda one: one.attributes, key)
    if found is None:
        theirs = _misspelt(key, catalogue) if len(report.diagnostics) < SUGGESTIONS else None
        report_unknown(
            report,
            "TW101",
            key,
            where(),
            what="attribute",
            help=_way(key, catalogue) if theirs is None else theirs,
            known=lambda: (
                {}
                if theirs is not None
                else {
                    known: other.at.value("id")
                    for one in catalogue.visible()
                    for known, other in one.attributes.items()
                }
            ),
        )
    return found


def _way(key: str, catalogue: Catalogue) -> str | None:
    """Return how *key* could become known: used from another registry, or vendored."""
    unused = catalogue.unused(lambda one: one.attributes, key)
    if unused is not None:
        return f"`{unused}` declares it; add `{unused}` to `uses` of `{catalogue.name}`"
    known = table().attributes.get(key)
    if known is None:
        return None
    if known.renamed_to is not None:
        return f"OpenTelemetry had it and renamed it to `{known.renamed_to}`"
    return "OpenTelemetry has it; `telewright vendor otel --from DIR` adds it to the specs"


def _misspelt(key: str, catalogue: Catalogue) -> str | None:
    """Return the name of OpenTelemetry that was probably meant, if nothing here is nearer."""
    if key in table().attributes:
        return None
    start = f"{key.partition('.')[0]}."
    here = {name for one in catalogue.visible() for name in one.attributes}
    theirs = [
        name
        for name, one in table().attributes.items()
        if name.startswith(start) and not one.deprecated and name not in here
    ]
    meant = nearest(key, [*here, *theirs]) if theirs else None
    if meant is None or meant in here:
        return None
    return (
        f"did you mean OpenTelemetry's `{meant}`?"
        " `telewright vendor otel --from DIR` adds it to the specs"
    )


def param_of(attribute: Attribute, context: Context) -> str:
    """Return the parameter of *attribute* in helpers of the context's topic."""
    if attribute.spec.param is not None:
        return attribute.spec.param
    if attribute.home.registry != context.catalogue.name:
        return names.param(attribute.key, "", ())
    return names.param(attribute.key, context.home.topic, context.catalogue.namespaces)


def resolve_uses(
    said: Mapping[str, Requirement],
    at: At,
    context: Context,
    *,
    end: bool = False,
    resource: bool = False,
) -> tuple[Use, ...]:
    """Return the attributes listed at *at*, without those that are unknown."""
    found: list[Use] = []
    for key, requirement in said.items():
        entry = at / key
        attribute = find_attribute(key, entry.key, context.catalogue, context.report)
        needed = levels.needed(requirement, entry.value, context.report, end=end, resource=resource)
        if attribute is not None:
            found.append(
                Use(
                    attribute=attribute,
                    level=needed.level,
                    late=needed.late,
                    condition=needed.condition,
                    param=param_of(attribute, context),
                    at=entry,
                )
            )
    return tuple(found)
