"""pydantic's errors, one for each thing that is wrong.

A value that fits no branch of a union is one problem, not one for each branch; a value that fits
one branch by its type has only that branch's problems.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from telewright_codegen.load.pruned import below

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pydantic_core import ErrorDetails

    from telewright_codegen.load.document import Data
    from telewright_codegen.source import Step, Steps

_TYPES: Final = {
    "string_type": "text",
    "string_sub_type": "text",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
    "none_required": "nothing",
}
_CHOICE: Final = ("literal_error", "enum")


class Problem(NamedTuple):
    """One thing that is wrong with the data."""

    kind: str
    """pydantic's word for it, ``missing``; or ``type``: the value is of the wrong type."""
    steps: Steps
    """Of a field that is missing, including it."""
    is_key: bool
    """Whether the last step itself is wrong, not its value."""
    value: object
    context: dict[str, Any]
    expected: tuple[str, ...] = ()
    """What the value could be instead, where its type is wrong."""


class _Error(NamedTuple):
    problem: Problem
    tags: tuple[tuple[int, str], ...]
    """Branches of unions that it is in: how many steps lead there, and pydantic's name of it."""


def problems(errors: Iterable[ErrorDetails], data: Data) -> Iterator[Problem]:
    """Yield what is wrong with *data*."""
    yield from _settle([_located(error, data) for error in errors])


def _located(error: ErrorDetails, data: Data) -> _Error:
    steps: list[Step] = []
    tags: list[tuple[int, str]] = []
    is_key = False
    current: Data = data
    location = error["loc"]
    for number, part in enumerate(location):
        if part == "[key]":
            is_key = True
        elif _leads(current, part):
            steps.append(part)
            current = below(current, part)
        elif error["type"] == "missing" and number == len(location) - 1:
            steps.append(part)
        else:
            tags.append((len(steps), str(part)))
    context = dict(error.get("ctx", {}))
    value: object = error["input"]
    return _Error(Problem(error["type"], tuple(steps), is_key, value, context), tuple(tags))


def _leads(data: Data, step: Step) -> bool:
    if isinstance(data, dict):
        return step in data
    return isinstance(data, list) and isinstance(step, int) and 0 <= step < len(data)


def _settle(errors: Sequence[_Error]) -> Iterator[Problem]:
    plain = [error.problem for error in errors if not error.tags]
    for problem in plain:
        yield _typed(problem)
    tagged = sorted((error for error in errors if error.tags), key=_base)
    for _, group in groupby(tagged, key=_base):
        yield from _union(list(group))


def _base(error: _Error) -> list[tuple[bool, int, str]]:
    """Return the path of the outermost union that an error is in, in a form that sorts."""
    return [
        (isinstance(step, str), step if isinstance(step, int) else 0, str(step))
        for step in error.problem.steps[: error.tags[0][0]]
    ]


def _union(errors: list[_Error]) -> Iterator[Problem]:
    branches: dict[str, list[_Error]] = {}
    for error in errors:
        branches.setdefault(error.tags[0][1], []).append(error)
    fitting = [
        branch for branch in branches.values() if not all(_is_other_type(error) for error in branch)
    ]
    if fitting:
        best = min(fitting, key=len)
        yield from _settle([error._replace(tags=error.tags[1:]) for error in best])
        return
    first = errors[0].problem
    expected = dict.fromkeys(text for error in errors for text in _expected(error.problem))
    if "a number" in expected:
        expected.pop("a whole number", None)
    yield first._replace(kind="type", expected=tuple(expected))


def _is_other_type(error: _Error) -> bool:
    """Whether the branch was not meant at all."""
    problem = error.problem
    if len(problem.steps) != error.tags[0][0] or problem.is_key:
        return False
    if problem.kind in _CHOICE:
        return not isinstance(problem.value, str)
    return problem.kind in _TYPES


def _typed(problem: Problem) -> Problem:
    if problem.kind in _TYPES or (problem.kind in _CHOICE and not isinstance(problem.value, str)):
        return problem._replace(kind="type", expected=_expected(problem))
    return problem


def _expected(problem: Problem) -> tuple[str, ...]:
    if problem.kind in _CHOICE:
        return tuple(words(problem.context.get("expected", "")))
    return (_TYPES[problem.kind],)


def words(expected: str) -> list[str]:
    """Return the words in pydantic's ``'a', 'b' or 'c'``."""
    return [word.strip().strip("'") for part in expected.split(", ") for word in part.split(" or ")]
