"""Names with a placeholder: one span for each member of an enumeration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.diagnostics import Label
from telewright_codegen.model.signals import Placeholder
from telewright_codegen.resolve import names, references
from telewright_codegen.resolve.catalogue import report_unknown
from telewright_codegen.resolve.uses import find_attribute, param_of

if TYPE_CHECKING:
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.signals import Enum, Member
    from telewright_codegen.resolve.catalogue import Context, SpanEntry


def placeholder_of(entry: SpanEntry, context: Context) -> Placeholder | None:
    """Return what fills the name of *entry*; None where it is constant, or cannot be filled."""
    report = context.report
    written = names.PLACEHOLDER.findall(entry.name)
    if not written:
        if entry.spec.only is not None:
            report.error(
                "TW121",
                f"`only` on `{entry.name}`, which has one name anyway",
                entry.at.key("only"),
                "narrows a pattern",
                help="remove `only`, or put a placeholder into the name",
            )
        return None
    at = entry.at / "name"
    if len(written) > 1:
        report.error(
            "TW121",
            f"`{entry.name}` has {len(written)} placeholders",
            at.value(),
            "one is the limit: names must stay few",
            help="keep one, and make the others attributes",
        )
        return None
    attribute = find_attribute(written[0], at.value, context.catalogue, context.report)
    if attribute is None:
        return None
    enum = attribute.enum
    if enum is None or enum.numeric:
        report.error(
            "TW121",
            f"`{written[0]}` has no enum, so the names of this span would have no end"
            if enum is None
            else f"`{written[0]}` has an enum of numbers, which say nothing in a span's name",
            at.value(),
            "a placeholder is an attribute with an enum",
            secondary=(Label(attribute.at.value("id"), f"its type is `{attribute.type}`"),),
            help="give the span a constant name and make this an attribute of it",
        )
        return None
    members = _members(entry, enum, report)
    return Placeholder(
        attribute=attribute,
        enum=enum,
        param=param_of(attribute, context),
        names=tuple((member, _filled(entry.name, member.text)) for member in members),
        other=_filled(entry.name, "_OTHER"),
    )


def _filled(pattern: str, value: str) -> str:
    return names.PLACEHOLDER.sub(lambda _: value, pattern)


def _members(entry: SpanEntry, enum: Enum, report: Report) -> list[Member]:
    if entry.spec.only is None:
        return list(enum.members)
    by_name = {member.name: member for member in enum.members}
    found: list[Member] = []
    for said, at in references.each(entry.spec.only, entry.at / "only"):
        if said in by_name:
            found.append(by_name[said])
            continue
        report_unknown(
            report,
            "TW113",
            said,
            at.value(),
            what="member",
            known=lambda: {name: member.at.key() for name, member in by_name.items()},
            where=f"not a member of `{enum.name}`",
        )
    return list(dict.fromkeys(found))
