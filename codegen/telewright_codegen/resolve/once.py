"""What an event is counted once for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.model.signals import Once, Use
from telewright_codegen.resolve.catalogue import report_unknown
from telewright_codegen.resolve.uses import find_attribute, param_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.signals import Enum, Level, Member
    from telewright_codegen.resolve.catalogue import Context
    from telewright_codegen.source import At
    from telewright_codegen.spec.common import OneOrMore
    from telewright_codegen.spec.metric import MetricSpec


def once_per(
    spec: MetricSpec, at: At, attributes: Sequence[Use], context: Context
) -> tuple[Once, ...]:
    """Return the identities that *spec* counts once, for every event or for some members."""
    said = spec.once_per
    if said is None:
        return ()
    at = at / "once_per"
    if not _is_counted(spec, at, context.report):
        return ()
    if not isinstance(said, dict):
        return (Once(None, _ids(said, at, "required", attributes, context)),)
    found: list[Once] = []
    for word, ids in said.items():
        member = _member(word, at, attributes, context.report)
        uses = _ids(ids, at / word, "opt_in", attributes, context)
        if member is not None:
            found.append(Once(member, uses))
    return tuple(found)


def _is_counted(spec: MetricSpec, at: At, report: Report) -> bool:
    if spec.counter is not None or spec.histogram is not None:
        return True
    report.error(
        "TW122",
        "`once_per` on an instrument that does not count events",
        at.key(),
        "only counters and histograms record one event at a time",
        help="remove `once_per`",
    )
    return False


def _member(word: str, at: At, attributes: Sequence[Use], report: Report) -> Member | None:
    enums = [use.attribute.enum for use in attributes if use.attribute.enum is not None]
    having = [enum for enum in enums if _named(enum, word) is not None]
    if len(having) == 1:
        return _named(having[0], word)
    if having:
        report.error(
            "TW122",
            f"`{word}` is a member of several enums of this metric",
            at.key(word),
            "of " + " and ".join(f"`{enum.name}`" for enum in having),
            help="leave one of the attributes out, or split the metric",
        )
        return None
    report_unknown(
        report,
        "TW113",
        word,
        at.key(word),
        what="member",
        known=lambda: {member.name: member.at.key() for enum in enums for member in enum.members},
        where="not a member of an enum among this metric's attributes",
    )
    return None


def _named(enum: Enum, word: str) -> Member | None:
    return next((member for member in enum.members if member.name == word), None)


def _ids(
    said: OneOrMore, at: At, level: Level, attributes: Sequence[Use], context: Context
) -> tuple[Use, ...]:
    found: list[Use] = []
    keys = [said] if isinstance(said, str) else said
    for index, key in enumerate(keys):
        place = at if isinstance(said, str) else at / index
        attribute = find_attribute(key, place.value, context.catalogue, context.report)
        if attribute is None:
            continue
        if any(use.attribute is attribute for use in attributes):
            context.report.error(
                "TW122",
                f"`{key}` is an attribute of this metric already",
                place.value(),
                "each of its values is counted apart",
                help="remove it here, or from `attributes` if it should not be exported",
            )
            continue
        param = param_of(attribute, context)
        found.append(Use(attribute, level, late=False, condition=None, param=param, at=place))
    return tuple(found)
