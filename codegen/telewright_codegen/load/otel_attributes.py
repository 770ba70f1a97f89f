"""Attributes of OpenTelemetry's dialect, in ours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from pydantic import ValidationError

from telewright_codegen.load.otel_annotations import constant_of, is_in_no_code
from telewright_codegen.spec.attribute import AttributeSpec, MemberSpec
from telewright_codegen.spec.common import DeprecationSpec, Stability
from telewright_codegen.spec.otel import OtelAttribute, OtelDeprecation, OtelEnum
from telewright_codegen.spec.otel2 import Otel2Attribute
from telewright_codegen.spec.reserved import ENUM_MEMBERS

if TYPE_CHECKING:
    from telewright_codegen.load.otel_groups import Entry
    from telewright_codegen.spec.attribute import AttributeType
    from telewright_codegen.spec.common import Scalar, Spec
    from telewright_codegen.spec.otel import Deprecated, Examples, OtelMember

_NOT_A_WORD: Final = re.compile(r"[^A-Za-z0-9_]+")
_OTHER: Final = "other"

S = TypeVar("S", bound="Spec")


def attribute(entry: Entry, *, owned: bool) -> AttributeSpec | None:
    """Return what *entry* declares; None where it is to be in no code, or declares nothing whole.

    Args:
        entry: The declaration.
        owned: Whether whoever runs this answers for it; otherwise names are made to fit.
    """
    spec = entry.spec
    if not isinstance(spec, OtelAttribute | Otel2Attribute):
        return None
    if spec.type is None or spec.brief is None or is_in_no_code(spec.annotations):
        return None
    key = entry.declares or ""
    fields: dict[str, Any] = {
        "id": key,
        "brief": spec.brief,
        "note": spec.note or None,
        "examples": _examples(spec.examples),
        "stability": stability(spec.stability),
        "deprecated": deprecation(spec.deprecated),
        "constant": constant_of(spec.annotations),
    }
    kind = spec.type
    if not isinstance(kind, OtelEnum):
        fields["type"] = cast("AttributeType", kind.replace("any", "string"))
    elif all(isinstance(_value(member), str) for member in kind.members):
        fields |= {"enum": _class(key), "members": _members(kind, owned=owned)}
        fields |= _openness(fields["members"])
    elif all(isinstance(_value(member), bool) for member in kind.members):
        fields["type"] = "boolean"
    elif all(isinstance(_value(member), int) for member in kind.members):
        fields |= {"enum": _class(key), "members": _members(kind, owned=owned), "open": True}
    else:
        fields["type"] = "double"
    return made(AttributeSpec, fields)


def made(model: type[S], fields: dict[str, Any]) -> S:
    """Return an item with *fields*, which need not keep to what our own dialect asks of names."""
    try:
        return model.model_validate(fields)
    except ValidationError:
        return model.model_construct(**fields)


def stability(said: str | None) -> Stability | None:
    """Return a stability in today's words."""
    if said in {"experimental", "deprecated"}:
        return Stability.DEVELOPMENT
    return None if said is None else Stability(said)


def deprecation(said: Deprecated | None) -> DeprecationSpec | None:
    """Return a deprecation, which older files write as a sentence."""
    if said is None:
        return None
    if isinstance(said, OtelDeprecation):
        fields = {"renamed_to": said.renamed_to, "note": said.note or None}
        return made(DeprecationSpec, fields)
    return made(DeprecationSpec, {"note": said or None})


def _examples(said: Examples | None) -> list[Scalar | list[Scalar]]:
    if said is None:
        return []
    return list(said) if isinstance(said, list) else [said]


def _value(member: OtelMember) -> str | float:
    return member.id if member.value is None else member.value


def _class(key: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", key))


def _members(kind: OtelEnum, *, owned: bool) -> dict[str, str | MemberSpec]:
    found: dict[str, str | MemberSpec] = {}
    taken: set[str] = set()
    for index, member in enumerate(kind.members):
        name = member.id if owned else _fit(member.id, index)
        if is_in_no_code(member.annotations) or (not owned and name.upper() in taken):
            continue
        taken.add(name.upper())
        fields: dict[str, Any] = {
            "value": _value(member),
            "brief": member.brief or f"{member.id}.",
            "note": member.note or None,
            "deprecated": deprecation(member.deprecated),
        }
        found[name] = made(MemberSpec, fields)
    return found


def _fit(name: str, index: int) -> str:
    """Return what Python can call a member; whoever only reads it cannot call it otherwise."""
    word = _NOT_A_WORD.sub("_", name).strip("_") or f"member_{index}"
    if word[0].isdigit():
        return f"n_{word}"
    return f"{word}_" if word.lower() in ENUM_MEMBERS else word


def _openness(members: dict[str, str | MemberSpec]) -> dict[str, object]:
    if not members:
        return {}
    if _OTHER not in members:
        members[_OTHER] = MemberSpec(value="_OTHER", brief="Any other value, in metrics.")
    return {"open": True, "overflow": _OTHER}
