"""Briefs: one sentence that says something of its own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Label, Severity
from telewright_codegen.lint.rule import Finding, rule
from telewright_codegen.lint.walk import attributes, declared
from telewright_codegen.spec.common import ItemSpec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.lint.rule import Subject
    from telewright_codegen.model.signals import Attribute

_LONGEST: Final = 240
_SENTENCES: Final = 2
_LITTLE: Final = frozenset(["a", "an", "the", "of", "one", "this", "its", "in", "on", "is", "are"])


@rule("TW220", "brief-too-long", severity=Severity.WARNING)
def brief_too_long(subject: Subject) -> Iterator[Finding]:
    """A brief is a sentence or two; the rest is a note."""
    for named in declared(subject.registry):
        brief = _brief(named.item.spec)
        sentences = len(re.findall(r"[.!?](?=\s|$)", brief))
        if len(brief) > _LONGEST or sentences > _SENTENCES:
            yield Finding(
                named.item,
                named.item.at.value("brief"),
                f"the brief of {named.kind} `{named.name}` is long",
                f"{sentences} sentences, {len(brief)} characters",
                help="move what is not the first sentence to `note:`",
            )


@rule("TW221", "brief-twice", severity=Severity.WARNING)
def brief_twice(subject: Subject) -> Iterator[Finding]:
    """Two attributes with one brief are one attribute, or one brief says too little."""
    seen: dict[frozenset[str], Attribute] = {}
    told: set[frozenset[str]] = set()
    for registry in reversed(subject.visible()):
        for attribute in attributes(registry):
            folded = _words(attribute.spec.brief)
            former = seen.setdefault(folded, attribute)
            if former is attribute or attribute.home.registry != subject.registry.name:
                continue
            if folded in told:
                continue
            if attribute.spec.deprecated is not None or former.spec.deprecated is not None:
                continue
            told.add(folded)
            yield Finding(
                (attribute, former),
                attribute.at.value("brief"),
                f"`{former.key}` and `{attribute.key}` have the same brief",
                "says the same",
                help="use one attribute for both, or say what differs",
                secondary=(Label(former.at.value("brief"), "the first one"),),
            )


def _words(brief: str) -> frozenset[str]:
    """Return what a brief says, whatever the order and the little words."""
    return frozenset(re.findall(r"[a-z0-9]+", brief.lower())) - _LITTLE


def _brief(spec: object) -> str:
    return spec.brief if isinstance(spec, ItemSpec) else ""
