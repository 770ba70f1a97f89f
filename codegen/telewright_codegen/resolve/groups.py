"""Groups and presets: what people switch on and off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.diagnostics import Label
from telewright_codegen.model.signals import Group, Preset
from telewright_codegen.resolve import buckets, names
from telewright_codegen.resolve.catalogue import report_unknown
from telewright_codegen.resolve.words import MODULE, SELECTION
from telewright_codegen.spec.registry import PresetSpec

if TYPE_CHECKING:
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.resolve.catalogue import Catalogue
    from telewright_codegen.source import At, Place


def declare(catalogue: Catalogue, report: Report) -> None:
    """Resolve the groups and presets of a registry."""
    for name, spec in catalogue.spec.groups.items():
        at = catalogue.at / "groups" / name
        _check_word(name, at, "group", report)
        bucket = buckets.find(spec.bucket, at / "bucket", catalogue, report)
        if spec.bucket is None and not spec.umbrella and catalogue.buckets is not None:
            bucket = catalogue.buckets.default
        catalogue.groups[name] = Group(
            catalogue.name, name, names.constant(name), spec.cardinality, bucket, spec, at
        )
    for name, said in catalogue.spec.presets.items():
        at = catalogue.at / "presets" / name
        _check_word(name, at, "preset", report)
        if name in catalogue.groups:
            report.error(
                "TW214",
                f"`{name}` is a preset and a group",
                at.key(),
                "which one would a selection mean?",
                secondary=(Label(catalogue.groups[name].at.key(), "the group"),),
                help="rename one of them",
            )
        detail = said if isinstance(said, PresetSpec) else None
        words = said.groups if isinstance(said, PresetSpec) else said
        listed = at / "groups" if detail is not None else at
        found = [
            group
            for index, word in enumerate(words)
            if (group := find(word, listed.value(index), catalogue, report)) is not None
        ]
        catalogue.presets[name] = Preset(
            catalogue.name, name, tuple(dict.fromkeys(found)), detail, at
        )


def find(word: str, place: Place, catalogue: Catalogue, report: Report) -> Group | None:
    """Return the group that *word* means in its registry; report it if there is none."""
    group = catalogue.groups.get(word)
    if group is not None:
        return group
    elsewhere = next((one for one in catalogue.uses if word in one.groups), None)
    report_unknown(
        report,
        "TW103",
        word,
        place,
        what="group",
        known=lambda: {known: other.at.key() for known, other in catalogue.groups.items()},
        where=(
            f"not among the `groups` of `{catalogue.name}`"
            if elsewhere is None
            else f"a group of `{elsewhere.name}`, and only its own spans belong to it"
        ),
        help=f"declare it under `groups:` of `{catalogue.name}`" if elsewhere is not None else None,
    )
    return None


def _check_word(name: str, at: At, what: str, report: Report) -> None:
    taken = {*SELECTION, "default"} if what == "group" else SELECTION
    if name in taken or names.constant(name) in MODULE:
        report.error(
            "TW214",
            f"a {what} cannot be called `{name}`",
            at.key(),
            "has a meaning of its own",
            help="choose another word",
        )
