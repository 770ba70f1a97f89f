"""The markers of OpenTelemetry's pages: ``<!-- semconv ID(args) -->`` … ``<!-- endsemconv -->``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from telewright_codegen.emit.markdown.markers import Slot, outside_code
from telewright_codegen.source import Place

if TYPE_CHECKING:
    from telewright_codegen.diagnostics import Report

HINT: Final = b"semconv"
"""What every page with a marker has in it."""
CLOSING: Final = "<!-- endsemconv -->"

_OPENING: Final = re.compile(r"\s*<!--\s*semconv\s+(?P<wanted>[^\s(]+(?:\([^)]*\))?)\s*-->\s*")
_CLOSING: Final = re.compile(r"\s*<!--\s*endsemconv\s*-->\s*")


def slots(name: str, lines: list[str], report: Report) -> list[Slot]:
    """Return what lies between the markers of a page; report those that do not match."""
    found: list[Slot] = []
    opening: tuple[int, str, Place] | None = None
    for index, line in outside_code(lines):
        begins = _OPENING.fullmatch(line)
        if begins is None and _CLOSING.fullmatch(line) is None:
            continue
        bare = line.strip()
        place = Place(name, index + 1, line.index(bare) + 1, len(bare))
        if begins is not None:
            if opening is not None:
                _never_closed(opening, report)
            opening = index, begins["wanted"], place
        elif opening is None:
            report.error(
                "TW710",
                "a snippet is closed that was not opened",
                place,
                "no opening marker before this one",
                help="remove the line, or add an opening marker before it",
            )
        else:
            first, wanted, where = opening
            found.append(Slot(first, index, wanted, where))
            opening = None
    if opening is not None:
        _never_closed(opening, report)
    return found


def _never_closed(opening: tuple[int, str, Place], report: Report) -> None:
    _, wanted, place = opening
    report.error(
        "TW710",
        f"`{wanted}` is never closed",
        place,
        "opened here",
        help=f"add `{CLOSING}` where the snippet ends",
    )
