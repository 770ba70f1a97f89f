"""Parts of items: members, uses of attributes, what is counted once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.describe.item import Value, own

if TYPE_CHECKING:
    from collections.abc import Iterable

    from telewright_codegen.describe.item import Json
    from telewright_codegen.model.signals import Enum, Member, Once, Use
    from telewright_codegen.source import At


def enum_fields(one: Enum) -> dict[str, Value]:
    """Return the fields of an enumeration that an attribute declares: those about its members."""
    about = ("brief", "open", "overflow", "ok", "error", "cancelled", "codes")
    return {name: value for name, value in own(one.spec, one.at).items() if name in about}


def members(enum: Enum) -> list[Json]:
    """Return the members of an enumeration."""
    return [_member(member) for member in enum.members]


def _member(one: Member) -> Json:
    found: dict[str, Json] = {
        "name": one.name,
        "value": one.value,
        "constant": one.constant,
        "brief": one.brief,
        "place": str(one.at.key()),
    }
    if one.spec is not None:
        given = one.spec.model_dump(mode="json", by_alias=True, exclude_unset=True)
        found |= {word: given[word] for word in ("note", "deprecated") if given.get(word)}
    return found


def uses(used: Iterable[Use], at: At) -> dict[str, Value]:
    """Return the field that says how the item *at* uses attributes; none without."""
    found: list[Json] = [_use(use) for use in used]
    return {"attributes": Value(found, "own", str(at.value("attributes")))} if found else {}


def _use(use: Use) -> Json:
    found: dict[str, Json] = {
        "name": use.attribute.key,
        "registry": use.attribute.home.registry,
        "requirement": use.level,
        "at": "end" if use.late else "start",
        "parameter": use.param,
        "place": str(use.at.key()),
    }
    if use.condition is not None:
        found["condition"] = use.condition
    return found


def counted_once(once: Once) -> Json:
    """Return what one event is counted once for."""
    names: list[Json] = [use.attribute.key for use in once.ids]
    return {"member": once.member.name if once.member else None, "attributes": names}
