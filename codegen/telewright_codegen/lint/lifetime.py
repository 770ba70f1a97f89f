"""Days and versions that have come."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from telewright_codegen.diagnostics import Severity
from telewright_codegen.lint.allow import written
from telewright_codegen.lint.rule import Finding, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.lint.rule import Item, Subject
    from telewright_codegen.source import At
    from telewright_codegen.spec.common import ItemSpec, Spec


class _Written:
    """An item as it was written, whatever became of it."""

    def __init__(self, spec: ItemSpec, at: At) -> None:
        self._spec = spec
        self._at = at

    @property
    def spec(self) -> Spec:
        return self._spec

    @property
    def at(self) -> At:
        return self._at


def _items(subject: Subject) -> Iterator[tuple[Item, ItemSpec, At]]:
    for spec, at in written(subject.registry):
        yield _Written(spec, at), spec, at


@rule("TW193", "expired", severity=Severity.WARNING, on_deprecated=True)
def expired(subject: Subject) -> Iterator[Finding]:
    """What was to be gone by a day is gone by then."""
    for item, spec, at in _items(subject):
        day = _day(spec.expires)
        if day is not None and day < subject.today:
            yield Finding(
                item,
                at.value("expires"),
                f"this was to be gone by {day}",
                f"{(subject.today - day).days} days ago",
                help="remove it, or move the day and say why in a `note`",
            )


@rule("TW194", "review-due", severity=Severity.WARNING, on_deprecated=True)
def review_due(subject: Subject) -> Iterator[Finding]:
    """What somebody was to look at again has been looked at."""
    for item, spec, at in _items(subject):
        day = _day(spec.review)
        if day is not None and day < subject.today:
            owner = "somebody" if spec.owner is None else f"`{spec.owner}`"
            yield Finding(
                item,
                at.value("review"),
                f"{owner} was to look at this by {day}",
                f"{(subject.today - day).days} days ago",
                help="look at it, and move the day",
            )


@rule("TW195", "no-such-day", liftable=False)
def no_such_day(subject: Subject) -> Iterator[Finding]:
    """Days exist."""
    for item, spec, at in _items(subject):
        for field, text in (("expires", spec.expires), ("review", spec.review)):
            if text is not None and _day(text) is None:
                place = at.value(field)
                yield Finding(item, place, f"there is no day {text}", "not in the calendar")


@rule("TW196", "from-the-future", severity=Severity.WARNING, on_deprecated=True)
def from_the_future(subject: Subject) -> Iterator[Finding]:
    """Nothing exists since a version that is yet to come."""
    now = _version(subject.registry.spec.version)
    for item, spec, at in _items(subject):
        if spec.since is not None and _version(spec.since) > now:
            yield Finding(
                item,
                at.value("since"),
                f"exists since {spec.since}, and `{subject.registry.name}` is"
                f" {subject.registry.spec.version}",
                "yet to come",
                help="change one of them",
            )


@rule("TW197", "still-both", severity=Severity.WARNING, on_deprecated=True)
def still_both(subject: Subject) -> Iterator[Finding]:
    """An old name that was to go with a version has gone with it."""
    now = _version(subject.registry.spec.version)
    for item, spec, at in _items(subject):
        until = None if spec.deprecated is None else spec.deprecated.emit_both_until
        if until is not None and _version(until) <= now:
            yield Finding(
                item,
                (at / "deprecated").value("emit_both_until"),
                f"the old name was to go with {until}, and `{subject.registry.name}` is"
                f" {subject.registry.spec.version}",
                "has come",
                help="remove the item, or move the version",
            )


def _day(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        return None


def _version(text: str) -> tuple[int, ...]:
    numbers = re.match(r"\d+(\.\d+)*", text)
    return tuple(map(int, numbers.group().split("."))) if numbers else ()
