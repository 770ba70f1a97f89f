"""Buckets: what the time of spans counts towards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Label
from telewright_codegen.model.signals import Buckets
from telewright_codegen.resolve.catalogue import report_unknown
from telewright_codegen.resolve.uses import find_attribute

if TYPE_CHECKING:
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.signals import Member
    from telewright_codegen.resolve.catalogue import Catalogue
    from telewright_codegen.source import At

NONE: Final = "none"
"""What a group or a span says that is in no bucket on purpose."""


def declare(catalogue: Catalogue, report: Report) -> None:
    """Resolve the attribute that spans of a registry say their bucket with."""
    spec, at = catalogue.spec.bucket, catalogue.at / "bucket"
    if spec is None:
        return
    attribute = find_attribute(spec.attribute, (at / "attribute").value, catalogue, report)
    if attribute is None:
        return
    if attribute.enum is None or attribute.enum.numeric:
        report.error(
            "TW136",
            f"`{attribute.key}` has no enum of texts, so its values are no buckets",
            at.value("attribute"),
            "a bucket is a member of an enum",
            secondary=(Label(attribute.at.value("id"), f"its type is `{attribute.type}`"),),
            help="give it an `enum:` with a member for each bucket",
        )
        return
    catalogue.buckets = Buckets(attribute, attribute.enum, None, at)
    if spec.default is not None:
        default = find(spec.default, at / "default", catalogue, report)
        catalogue.buckets = Buckets(attribute, attribute.enum, default, at)


def find(word: str | None, at: At, catalogue: Catalogue, report: Report) -> Member | None:
    """Return the bucket that *word*, written at *at*, means; report it if there is none."""
    if word is None or word == NONE:
        return None
    if catalogue.buckets is None:
        if catalogue.spec.bucket is None:
            report.error(
                "TW136",
                f"registry `{catalogue.name}` does not say what its buckets are",
                at.value(),
                f"`{word}` means nothing yet",
                help="add `bucket: {attribute: …}` to the registry",
            )
        return None
    members = {member.name: member for member in catalogue.buckets.enum.members}
    if word not in members:
        report_unknown(
            report,
            "TW136",
            word,
            at.value(),
            what="bucket",
            where=f"not a member of `{catalogue.buckets.enum.name}`",
            known=lambda: {name: member.at.key() for name, member in members.items()},
        )
    return members.get(word)
