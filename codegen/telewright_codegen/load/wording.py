"""What is wrong with the shape of a spec, in plain words, with the place and the way out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.load.language import expected, fields, model_at, noun
from telewright_codegen.load.mismatch import words
from telewright_codegen.load.syntax import cut
from telewright_codegen.suggest import did_you_mean

if TYPE_CHECKING:
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.load.mismatch import Problem
    from telewright_codegen.load.pruned import Pruned
    from telewright_codegen.source import Place
    from telewright_codegen.spec.common import Spec

_LIMITS: Final = {
    "greater_than": ("gt", "more than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "at most"),
}
_MOST: Final = 9
"""How many alternatives a label lists."""


class Writer:
    """Reports the problems of one document."""

    def __init__(self, top: type[Spec], pruned: Pruned, report: Report) -> None:
        self._top = top
        self._pruned = pruned
        self._report = report

    def write(self, problem: Problem) -> None:
        """Report one problem."""
        match problem.kind:
            case "extra_forbidden":
                self._unknown(problem)
            case "missing":
                self._missing(problem)
            case "literal_error" | "enum":
                self._word(problem)
            case "type":
                self._type(problem)
            case "string_too_short":
                self._blank(problem)
            case "string_pattern_mismatch":
                self._pattern(problem)
            case "string_too_long":
                self._long(problem)
            case "finite_number":
                self._error("TW024", f"{self._what(problem)} is not a finite number", problem)
            case kind if kind in _LIMITS:
                name, than = _LIMITS[kind]
                limit = problem.context.get(name)
                self._error(
                    "TW007",
                    f"{self._what(problem)} is {problem.value}",
                    problem,
                    f"expected {than} {limit}",
                )
            case _:
                self._error("TW006", f"{self._what(problem)} does not fit here", problem)

    def _unknown(self, problem: Problem) -> None:
        name = str(problem.steps[-1])
        model = model_at(self._top, problem.steps[:-1]) or self._top
        self._report.error(
            "TW001",
            f"unknown field `{cut(name)}`",
            self._pruned.key_place(problem.steps),
            f"not a field of {model.label}",
            help=did_you_mean(name, fields(model)),
        )

    def _missing(self, problem: Problem) -> None:
        name = str(problem.steps[-1])
        model = model_at(self._top, problem.steps[:-1]) or self._top
        self._report.error(
            "TW004",
            f"no `{name}`",
            self._pruned.value_place(problem.steps[:-1]),
            f"{model.label} must have one",
        )

    def _word(self, problem: Problem) -> None:
        choices = words(problem.context.get("expected", ""))
        model = model_at(self._top, problem.steps[:-1])
        word = str(problem.value)
        field = next((step for step in reversed(problem.steps) if isinstance(step, str)), "value")
        self._error(
            "TW003",
            f"`{cut(word)}` is not {noun(model, field)}",
            problem,
            f"expected {alternatives(choices)}",
            did_you_mean(word, choices),
        )

    def _type(self, problem: Problem) -> None:
        hint = None
        if problem.expected[:1] == ("text",) and isinstance(problem.value, int | float):
            written = self._pruned.document.written(self._pruned.original(problem.steps))
            hint = f'if text is meant, write `"{cut(written)}"`'
        self._error(
            "TW005",
            f"{self._what(problem)} is {_found(problem.value)}",
            problem,
            f"expected {alternatives(list(problem.expected))}",
            hint,
        )

    def _blank(self, problem: Problem) -> None:
        if problem.is_key:
            self._error("TW006", "a name without characters", problem, "expected a name")
            return
        self._error("TW004", f"{self._what(problem)} is empty", problem, "expected text")

    def _pattern(self, problem: Problem) -> None:
        self._error(
            "TW006",
            f"`{cut(str(problem.value))}` cannot stand here",
            problem,
            f"expected {expected(problem.context.get('pattern', ''))}",
        )

    def _long(self, problem: Problem) -> None:
        most = problem.context.get("max_length")
        self._error(
            "TW008",
            f"{self._what(problem)} is too long",
            problem,
            f"{len(str(problem.value))} characters, at most {most} are allowed",
        )

    def _what(self, problem: Problem) -> str:
        """Return what messages call a value: by the field it is in."""
        names = [str(step) for step in problem.steps if isinstance(step, str)]
        if not problem.steps:
            return "the file"
        if isinstance(problem.steps[-1], int):
            return f"an entry of `{cut(names[-1])}`" if names else "an entry"
        return f"`{cut(names[-1])}`"

    def _error(
        self,
        code: str,
        message: str,
        problem: Problem,
        label: str = "",
        instead: str | None = None,
    ) -> None:
        self._report.error(code, message, self._place(problem), label, help=instead)

    def _place(self, problem: Problem) -> Place:
        if problem.is_key:
            return self._pruned.key_place(problem.steps)
        return self._pruned.value_place(problem.steps)


def alternatives(names: list[str]) -> str:
    """Return ``a, b or c``; of many, the first."""
    if len(names) > _MOST:
        return f"{', '.join(names[:_MOST])} or {len(names) - _MOST} more"
    if len(names) < 2:  # noqa: PLR2004  nothing to join
        return "".join(names) or "something else"
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _found(value: object) -> str:
    if value is None:
        return "empty"
    if isinstance(value, bool):
        return "a truth value"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list) else "a mapping"
