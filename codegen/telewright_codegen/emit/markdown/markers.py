"""The markers of a page: where tables go, and what is wrong with where they would."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from telewright_codegen.diagnostics import Label
from telewright_codegen.source import Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.diagnostics import Report

HINT: Final = b"telewright"
"""What every page with a marker has in it."""

_FORMS: Final = (("<!--", "-->"), ("{/*", "*/}"))
_FENCE: Final = re.compile(r"\s{0,3}(?P<run>`{3,}|~{3,})(?P<info>.*)$")
_LINE_END: Final = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class Marker:
    """One line that is a marker."""

    index: int
    """Of the line, from 0."""
    form: int
    """Of `_FORMS`."""
    wanted: str | None
    """What goes after it; None for a closing one."""
    place: Place


class Slot(NamedTuple):
    """What lies between an opening and a closing marker."""

    first: int
    """The opening line, from 0."""
    last: int
    """The closing line."""
    wanted: str
    place: Place


def lines(text: str) -> list[str]:
    """Return the lines of *text* with what ends them."""
    return _LINE_END.findall(text)


def slots(name: str, text: list[str], report: Report) -> list[Slot]:
    """Return the slots of a page, those that something is wrong with left out."""
    found: list[Slot] = []
    opening: Marker | None = None
    seen: dict[str, Marker] = {}
    for marker in _markers(name, text):
        if marker.wanted is None:
            if opening is None:
                _lonely(marker, report)
            elif opening.form != marker.form:
                _mixed(opening, marker, report)
            else:
                found.append(Slot(opening.index, marker.index, opening.wanted or "", opening.place))
            opening = None
            continue
        if opening is not None:
            _nested(opening, marker, report)
        elif marker.wanted in seen:
            _twice(seen[marker.wanted], marker, report)
        seen.setdefault(marker.wanted, marker)
        opening = marker
    if opening is not None:
        report.error(
            "TW710",
            f"`{opening.wanted}` is never closed",
            opening.place,
            "opened here",
            help=f"add `{_closing(opening.form)}` where the table ends",
        )
    return found


def _markers(name: str, text: list[str]) -> Iterator[Marker]:
    """Yield the markers of a page in order; in code that is shown there are none."""
    for index, line in outside_code(text):
        yield from _marker(name, index, line)


def outside_code(text: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines of a page that are not in code that is shown, each with its number."""
    fence = ""
    for index, line in enumerate(text):
        match = _FENCE.match(line)
        if match and (not fence or (match["run"].startswith(fence) and not match["info"].strip())):
            fence = "" if fence else match["run"]
            continue
        if not fence:
            yield index, line


def _marker(name: str, index: int, line: str) -> Iterator[Marker]:
    bare = line.strip().removeprefix("\ufeff")
    for form, (begin, end) in enumerate(_FORMS):
        if bare.startswith(begin) and bare.endswith(end) and len(bare) >= len(begin) + len(end):
            words = bare[len(begin) : -len(end)].strip()
            place = Place(name, index + 1, line.index(bare) + 1, len(bare))
            if words == "/telewright":
                yield Marker(index, form, None, place)
            elif words.startswith("telewright:"):
                yield Marker(index, form, " ".join(words[11:].split()), place)


def _closing(form: int) -> str:
    begin, end = _FORMS[form]
    return f"{begin} /telewright {end}"


def _lonely(marker: Marker, report: Report) -> None:
    report.error(
        "TW710",
        "a table is closed that was not opened",
        marker.place,
        "no opening marker before this one",
        help="remove the line, or add an opening marker before it",
    )


def _mixed(opening: Marker, marker: Marker, report: Report) -> None:
    report.error(
        "TW710",
        f"`{opening.wanted}` is closed by a marker of the other kind",
        marker.place,
        secondary=(Label(opening.place, "opened here"),),
        help=f"close it with `{_closing(opening.form)}`",
    )


def _nested(opening: Marker, marker: Marker, report: Report) -> None:
    report.error(
        "TW711",
        f"`{marker.wanted}` is opened inside `{opening.wanted}`",
        marker.place,
        "opened before the one above is closed",
        secondary=(Label(opening.place, "opened here"),),
        help=f"add `{_closing(opening.form)}` before this line",
    )


def _twice(former: Marker, marker: Marker, report: Report) -> None:
    report.error(
        "TW711",
        f"`{marker.wanted}` is on this page twice",
        marker.place,
        secondary=(Label(former.place, "first here"),),
        help="keep one of them, and link to it",
    )
