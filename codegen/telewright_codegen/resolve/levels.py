"""How much an attribute is needed: words, mappings, and sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from telewright_codegen.spec.common import RequirementSpec
from telewright_codegen.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.signals import Level
    from telewright_codegen.source import Place
    from telewright_codegen.spec.common import Requirement


class Needed(NamedTuple):
    """What a requirement says."""

    level: Level
    late: bool = False
    condition: str | None = None


WORDS: Final[dict[str, Needed]] = {
    "required": Needed("required"),
    "recommended": Needed("recommended"),
    "opt_in": Needed("opt_in"),
    "at_end": Needed("recommended", late=True),
}
_OF_RESOURCES: Final[dict[str, Needed]] = {
    "required": Needed("required"),
    "recommended": Needed("recommended"),
    "opt_in": Needed("opt_in"),
    "detected": Needed("detected"),
}
_LEVELS: Final[tuple[Level, ...]] = ("required", "recommended", "opt_in")
_OF_OTHERS: Final[dict[str, Needed]] = {
    word: needed for word, needed in WORDS.items() if not needed.late
}


def needed(
    said: Requirement,
    where: Callable[[], Place],
    report: Report,
    *,
    end: bool = False,
    resource: bool = False,
) -> Needed:
    """Return what *said* means; *end* where values may be known only later."""
    words = _OF_RESOURCES if resource else WORDS if end else _OF_OTHERS
    if isinstance(said, RequirementSpec):
        return _mapping(said, where, report, end=end)
    if said in words:
        return words[said]
    if " " in said:
        return Needed("recommended", condition=said)
    report.error(
        "TW126",
        f"`{said}` is not a requirement level here",
        where(),
        f"expected {', '.join(words)} or a sentence",
        help=did_you_mean(said, words) or "say in words when it is required",
    )
    return Needed("recommended")


def _mapping(
    said: RequirementSpec, where: Callable[[], Place], report: Report, *, end: bool
) -> Needed:
    given: list[Level] = [level for level in _LEVELS if level in said.model_fields_set]
    late = said.at == "end"
    if late and not end:
        report.error(
            "TW126",
            "an attribute that is known at the end, where nothing ends",
            where(),
            "only spans have an end",
            help="remove `at: end`",
        )
        late = False
    if len(given) != 1:
        report.error(
            "TW126",
            "a requirement has exactly one level",
            where(),
            f"has {len(given)}",
            help="write `required`, `recommended` or `opt_in`",
        )
        return Needed("recommended", late)
    return Needed(given[0], late, getattr(said, given[0]))
