"""A report in the format that was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from telewright_codegen.diagnostics import Severity
from telewright_codegen.render.concise import concise
from telewright_codegen.render.full import full
from telewright_codegen.render.style import Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.render.paths import Paths

Format = Literal["full", "concise", "json", "github"]
FORMATS: Final[tuple[Format, ...]] = ("full", "concise", "json", "github")
MOST: Final = 50
"""How many findings people are shown; programs get all."""


def render(report: Report, form: Format, paths: Paths, style: Style | None = None) -> Iterator[str]:
    """Yield the findings of a report as text, and for people how many there are."""
    paint = style or Style()
    if form == "json":
        from telewright_codegen.render.json import as_json  # noqa: PLC0415  only for programs

        yield from (as_json(found, paths) for found in report)
        return
    if form == "github":
        from telewright_codegen.render.github import github  # noqa: PLC0415  only for programs

        yield from (github(found, paths) for found in report)
        return
    found = list(report)
    for number, finding in enumerate(found[:MOST]):
        if form == "full":
            if number:
                yield "\n"
            yield full(finding, report.files, paths, paint)
        else:
            yield concise(finding, paths)
    if len(found) > MOST:
        yield f"\n{len(found) - MOST} more are not shown.\n"
    if report.has_errors:
        gap = "\n" if form == "full" else ""
        yield f"{gap}{paint.strong(summary(report))}\n"


def summary(report: Report) -> str:
    """Return ``Found 4 errors and 1 warning in 2 files.``."""
    errors = [found for found in report if found.severity is Severity.ERROR]
    warnings = len(report.diagnostics) - len(errors)
    files = {found.primary.place.file for found in report if found.primary is not None}
    parts = [counted(len(errors), "error")] if errors else []
    parts += [counted(warnings, "warning")] if warnings else []
    text = " and ".join(parts) or "no problems"
    return f"Found {text}" + (f" in {counted(len(files), 'file')}." if files else ".")


def counted(number: int, noun: str) -> str:
    """Return ``1 file`` or ``3 files``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
