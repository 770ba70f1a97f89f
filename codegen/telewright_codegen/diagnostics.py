"""What can be wrong, and where; how it looks is the business of `render`."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from telewright_codegen.guard import all_are, typed
from telewright_codegen.source import Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.source import SourceFile


class Severity(StrEnum):
    """How bad a finding is; there is nothing between the two."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Label:
    """A place and what is to be said about it."""

    place: Place
    text: str = ""

    def __post_init__(self) -> None:
        """Refuse what nobody could show."""
        typed(self, place=Place, text=str)
        typed(self.place, file=str, line=int, column=int, width=int)


class Diagnostic(NamedTuple):
    """One finding: what is wrong, where, what else is involved, and what to do."""

    code: str
    """Stable, ``TWnnn``; its page is ``docs/rules/TWnnn.md``."""
    message: str
    """Lower case, names in backticks, no full stop."""
    primary: Label | None
    """None only where no file is involved."""
    secondary: tuple[Label, ...] = ()
    help: str | None = None
    """One action."""
    severity: Severity = Severity.ERROR


@dataclass(slots=True)
class Report:
    """Everything found in one run; stages add to it and go on."""

    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    files: dict[str, SourceFile] = field(default_factory=dict[str, "SourceFile"])
    """The files that were read, by name: what places point into."""

    def error(  # noqa: PLR0913  one argument for each part of a diagnostic
        self,
        code: str,
        message: str,
        place: Place | None,
        label: str = "",
        *,
        secondary: tuple[Label, ...] = (),
        help: str | None = None,  # noqa: A002  the word that the reader sees
    ) -> None:
        """Add an error."""
        primary = None if place is None else Label(place, label)
        self._add(Diagnostic(code, message, primary, secondary, help))

    def warning(  # noqa: PLR0913  one argument for each part of a diagnostic
        self,
        code: str,
        message: str,
        place: Place | None,
        label: str = "",
        *,
        secondary: tuple[Label, ...] = (),
        help: str | None = None,  # noqa: A002  the word that the reader sees
    ) -> None:
        """Add a warning."""
        primary = None if place is None else Label(place, label)
        self._add(Diagnostic(code, message, primary, secondary, help, Severity.WARNING))

    def _add(self, found: Diagnostic) -> None:
        """Add a finding; refuse what nobody could show."""
        all_are(str, (found.code, found.message, found.help or ""), "what is reported")
        all_are(Label, found.secondary, "`secondary`")
        self.diagnostics.append(found)

    @property
    def has_errors(self) -> bool:
        """Whether anything found is an error."""
        return any(found.severity is Severity.ERROR for found in self.diagnostics)

    def __iter__(self) -> Iterator[Diagnostic]:
        """Yield the findings by file and place, those without a place first."""
        return iter(sorted(self.diagnostics, key=_order))


def _order(found: Diagnostic) -> tuple[str, int, int, str]:
    if found.primary is None:
        return ("", 0, 0, found.code)
    place = found.primary.place
    return (place.file, place.line, place.column, found.code)
