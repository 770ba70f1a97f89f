"""What a registry says holds for every trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.resolve import groups
from telewright_codegen.resolve.catalogue import report_unknown
from telewright_codegen.resolve.uses import find_attribute

if TYPE_CHECKING:
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.resolve.catalogue import Catalogue
    from telewright_codegen.source import At


def check_invariants(catalogue: Catalogue, report: Report) -> None:
    """Report invariants that are of no one kind, or about something that does not exist."""
    for index, spec in enumerate(catalogue.spec.invariants):
        at = catalogue.at / "invariants" / index
        kinds = [kind for kind in ("constant", "one_link", "at_most") if getattr(spec, kind)]
        if len(kinds) != 1 or (spec.at_most is None) != (spec.span is None):
            report.error(
                "TW129",
                "an invariant is one of three kinds",
                at.value(),
                "says " + (" and ".join(f"`{kind}`" for kind in kinds) or "nothing"),
                help="write `constant:`, `one_link:`, or `at_most:` with `span:`",
            )
            continue
        if spec.constant is not None:
            find_attribute(spec.constant, (at / "constant").value, catalogue, report)
        for field in ("one_link", "span", "root"):
            _check_span(getattr(spec, field), at / field, catalogue, report)
        if spec.group is not None:
            groups.find(spec.group, (at / "group").value(), catalogue, report)


def _check_span(name: str | None, at: At, catalogue: Catalogue, report: Report) -> None:
    if name is None or catalogue.find(lambda one: one.spans, name) is not None:
        return
    report_unknown(
        report,
        "TW104",
        name,
        at.value(),
        what="span",
        known=lambda: {
            known: other.at.value("name")
            for one in catalogue.visible()
            for known, other in one.spans.items()
        },
    )
