"""Enumerations: their members, and what the members stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Label
from telewright_codegen.model.signals import Enum, Member
from telewright_codegen.resolve import names
from telewright_codegen.resolve.catalogue import Context, report_unknown
from telewright_codegen.spec.attribute import MemberSpec
from telewright_codegen.spec.reserved import ENUM_MEMBERS

if TYPE_CHECKING:
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.signals import Home
    from telewright_codegen.resolve.catalogue import Catalogue
    from telewright_codegen.source import At
    from telewright_codegen.spec.attribute import EnumFields

OUTCOMES: Final = ("ok", "error", "cancelled")


def declare(catalogue: Catalogue, report: Report) -> None:
    """Resolve every enumeration that a registry declares, each under its class name."""
    for draft in catalogue.drafts:
        context = Context(catalogue, draft.home, report)
        for index, shared in enumerate(draft.spec.enums):
            _add(shared.enum, shared, draft.at / "enums" / index, context)
        attributes = draft.at / "attributes"
        for index, attribute in enumerate(draft.spec.attributes):
            if attribute.enum is not None and "members" in attribute.model_fields_set:
                _add(attribute.enum, attribute, attributes / index, context)


def _add(name: str, spec: EnumFields, at: At, context: Context) -> None:
    catalogue, home, report = context.catalogue, context.home, context.report
    twin = catalogue.enums.get(name)
    if twin is not None:
        report.error(
            "TW115",
            f"enum `{name}` is declared twice",
            at.value("enum"),
            "declared again here",
            secondary=(Label(twin.at.value("enum"), "first declared here"),),
            help="leave out `members` to mean the first one, or choose another name",
        )
        return
    if not spec.members:
        report.error(
            "TW213",
            f"enum `{name}` has no members",
            at.value("enum"),
            "nothing can have this type",
            help="list its `members`",
        )
    catalogue.enums[name] = _enum(name, spec, at, home, report)


def _enum(name: str, spec: EnumFields, at: At, home: Home, report: Report) -> Enum:
    members = _members(spec, at, report)
    by_name = {member.name: member for member in members}
    codes = tuple(
        (code, member)
        for code, said in spec.codes.items()
        if (member := _named(said, by_name, at / "codes" / code, report)) is not None
    )
    stand_ins: dict[str, Member | None] = {}
    for role in OUTCOMES:
        said: str | None = getattr(spec, role)
        stand_ins[role] = (
            by_name.get(role) if said is None else _named(said, by_name, at / role, report)
        )
    numeric = bool(members) and all(isinstance(member.value, int) for member in members)
    if not numeric:
        _check_texts(name, members, report)
    return Enum(
        name=name,
        home=home,
        brief=spec.brief,
        members=members,
        numeric=numeric,
        open=spec.open,
        overflow=_overflow(name, spec, at, by_name, report, numeric=numeric),
        ok=stand_ins["ok"],
        error=stand_ins["error"],
        cancelled=stand_ins["cancelled"],
        codes=codes,
        spec=spec,
        at=at,
    )


def _check_texts(name: str, members: tuple[Member, ...], report: Report) -> None:
    """Report numbers among the values of an enumeration of texts."""
    number = next((one for one in members if isinstance(one.value, int)), None)
    text = next((one for one in members if isinstance(one.value, str)), None)
    if number is not None and text is not None:
        report.error(
            "TW215",
            f"members of enum `{name}` have values of two types",
            (number.at / "value").value(),
            "is a number",
            secondary=(Label(text.at.key(), "is a text"),),
            help="quote the numbers, or give every member a number",
        )


def _overflow(  # noqa: PLR0913  one argument for each part of the message
    name: str,
    spec: EnumFields,
    at: At,
    by_name: dict[str, Member],
    report: Report,
    *,
    numeric: bool,
) -> Member | None:
    if not spec.open:
        if spec.overflow is not None:
            report.error(
                "TW123",
                f"enum `{name}` is closed and has an overflow member",
                at.key("overflow"),
                "no other value can occur",
                help="add `open: true`, or remove `overflow`",
            )
        return None
    if spec.overflow is not None:
        return _named(spec.overflow, by_name, at / "overflow", report)
    if spec.members and "other" not in by_name and not numeric:
        report.error(
            "TW123",
            f"enum `{name}` is open and no member stands for other values",
            at.key("open"),
            "any other value can occur",
            help="add a member `other`, or name one with `overflow:`",
        )
    return by_name.get("other")


def _named(said: str, by_name: dict[str, Member], at: At, report: Report) -> Member | None:
    member = by_name.get(said)
    if member is None:
        report_unknown(
            report,
            "TW113",
            said,
            at.value(),
            what="member",
            known=lambda: {name: one.at.key() for name, one in by_name.items()},
            where="not a member of this enum",
        )
    return member


def _members(spec: EnumFields, at: At, report: Report) -> tuple[Member, ...]:
    found: list[Member] = []
    constants: dict[str, Member] = {}
    values: dict[str | int, Member] = {}
    members = at / "members"
    for name, said in spec.members.items():
        place = members / name
        detail = said if isinstance(said, MemberSpec) else None
        member = Member(
            name=name,
            value=name if detail is None or detail.value is None else detail.value,
            constant=names.constant(name),
            brief=said if isinstance(said, str) else said.brief,
            spec=detail,
            at=place,
        )
        if _is_sound(member, constants, values, report):
            found.append(member)
    aliases = [one for one in found if _is_old(one) and _is_shared(one, found)]
    return (*(one for one in found if one not in aliases), *aliases)


def _is_shared(member: Member, members: list[Member]) -> bool:
    return any(other.value == member.value for other in members if other is not member)


def _is_old(member: Member) -> bool:
    return member.spec is not None and member.spec.deprecated is not None


def _is_sound(
    member: Member, constants: dict[str, Member], values: dict[str | int, Member], report: Report
) -> bool:
    if not member.constant.isidentifier() or not member.name.isascii():
        report.error(
            "TW212",
            f"member {member.name!r} cannot be a Python name",
            member.at.key(),
            f"would be `{member.constant}`",
            help="use letters, digits and underscores, and say the exported text with `value:`",
        )
        return False
    if member.name.lower() in ENUM_MEMBERS or member.name.startswith("_"):
        report.error(
            "TW212",
            f"member `{member.name}` has a name that enumerations keep for themselves",
            member.at.key(),
            "taken",
            help=f"call it something else and say `value: {member.name}`",
        )
        return False
    twin = constants.setdefault(member.constant, member)
    if twin is not member:
        report.error(
            "TW212",
            f"members `{twin.name}` and `{member.name}` are both `{member.constant}` in Python",
            member.at.key(),
            f"`{member.constant}` again",
            secondary=(Label(twin.at.key(), f"`{member.constant}` first"),),
            help="rename one of them",
        )
        return False
    twin = values.setdefault(member.value, member)
    if twin is not member and not (_is_old(twin) or _is_old(member)):
        report.error(
            "TW211",
            f"members `{twin.name}` and `{member.name}` have the same value `{member.value}`",
            member.at.key(),
            "exported alike",
            secondary=(Label(twin.at.key(), "the first of the two"),),
            help="remove one of them, or give it a value of its own",
        )
        return False
    return True
