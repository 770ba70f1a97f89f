"""Attributes: their type, their constant, and what becomes of their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Label
from telewright_codegen.model.signals import Attribute
from telewright_codegen.resolve import names
from telewright_codegen.resolve.catalogue import report_unknown
from telewright_codegen.spec.attribute import TruncateSpec
from telewright_codegen.spec.common import Sensitivity

if TYPE_CHECKING:
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.signals import Enum, Redact
    from telewright_codegen.resolve.catalogue import Catalogue, Draft
    from telewright_codegen.source import At
    from telewright_codegen.spec.attribute import AttributeSpec

_DEFAULT: Final[dict[Sensitivity, Redact]] = {
    Sensitivity.PUBLIC: "keep",
    Sensitivity.INTERNAL: "keep",
    Sensitivity.PERSONAL: "hash",
    Sensitivity.CONTENT: "drop",
}
_STRICTNESS: Final = {"keep": 0, "truncate": 1, "hash": 2, "mask": 3, "drop": 4}


def declare(catalogue: Catalogue, report: Report) -> None:
    """Resolve every attribute that a registry declares."""
    for draft in catalogue.drafts:
        attributes = draft.at / "attributes"
        for index, spec in enumerate(draft.spec.attributes):
            at = attributes / index
            twin = catalogue.attributes.get(spec.id)
            if twin is not None:
                report.error(
                    "TW115",
                    f"attribute `{spec.id}` is declared twice",
                    at.value("id"),
                    "declared again here",
                    secondary=(Label(twin.at.value("id"), "first declared here"),),
                    help="keep one of them; signals of every topic can use it",
                )
                continue
            made = _attribute(spec, at, draft, catalogue, report)
            if made is not None:
                catalogue.attributes[spec.id] = made


def _attribute(
    spec: AttributeSpec, at: At, draft: Draft, catalogue: Catalogue, report: Report
) -> Attribute | None:
    enum = None
    if spec.enum is not None:
        enum = _enum(spec.enum, at, catalogue, report)
        if enum is None:
            return None
    if not _has_one_type(spec, enum, at, report):
        return None
    sensitivity = _sensitivity(spec)
    template = spec.type is not None and spec.type.startswith("template[")
    return Attribute(
        key=spec.id,
        home=draft.home,
        type=_type(spec, enum),
        enum=enum,
        constant=spec.constant or names.constant(spec.id) + ("_TEMPLATE" if template else ""),
        sensitivity=sensitivity,
        redact=_redact(spec, sensitivity, at, report),
        spec=spec,
        at=at,
    )


def _type(spec: AttributeSpec, enum: Enum | None) -> str:
    if enum is not None:
        return "int" if enum.numeric else "string"
    return spec.type or "string"


def _enum(name: str, at: At, catalogue: Catalogue, report: Report) -> Enum | None:
    enum = catalogue.find(lambda one: one.enums, name)
    if enum is None:
        report_unknown(
            report,
            "TW102",
            name,
            at.value("enum"),
            what="enum",
            known=lambda: {
                known: other.at.value("enum")
                for one in catalogue.visible()
                for known, other in one.enums.items()
            },
            where="has no `members` here, and is not declared elsewhere",
        )
    return enum


def _has_one_type(spec: AttributeSpec, enum: Enum | None, at: At, report: Report) -> bool:
    if enum is not None and spec.type is not None and spec.type != _type(spec, enum):
        report.error(
            "TW124",
            f"attribute `{spec.id}` has a type and an enum",
            at.value("type"),
            f"values of this enum are of type `{_type(spec, enum)}`",
            secondary=(Label(at.value("enum"), "the enum"),),
            help="remove `type`",
        )
        return False
    if spec.enum is None and spec.members:
        report.error(
            "TW124",
            f"attribute `{spec.id}` has members and no enum",
            at.key("members"),
            "members of what?",
            help=f"add `enum: {names.camel(names.constant(spec.id).lower())}`, the class's name",
        )
        return False
    if spec.enum is None and spec.type is None:
        report.error(
            "TW124",
            f"attribute `{spec.id}` has neither type nor enum",
            at.value("id"),
            "what are its values?",
            help="add `type: string`, or `enum:` with `members:`",
        )
        return False
    return True


def _sensitivity(spec: AttributeSpec) -> Sensitivity:
    if spec.sensitivity is not None:
        return spec.sensitivity
    if spec.enum is not None:
        return Sensitivity.PUBLIC
    return Sensitivity.INTERNAL if "string" in (spec.type or "") else Sensitivity.PUBLIC


def _redact(spec: AttributeSpec, sensitivity: Sensitivity, at: At, report: Report) -> Redact | int:
    default = _DEFAULT[sensitivity]
    said = spec.redact
    if said is None:
        return default
    word = "truncate" if isinstance(said, TruncateSpec) else said
    loosens = sensitivity is not Sensitivity.CONTENT and _STRICTNESS[word] < _STRICTNESS[default]
    if loosens or (sensitivity is Sensitivity.CONTENT and word == "keep"):
        report.error(
            "TW402",
            f"`redact: {word}` is weaker than what `sensitivity: {sensitivity}` does",
            at.value("redact"),
            f"`{sensitivity}` means `{default}`",
            help="remove `redact`, or lower the sensitivity if that is what you mean",
        )
        return default
    return said.truncate if isinstance(said, TruncateSpec) else said
