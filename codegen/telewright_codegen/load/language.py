"""What the spec models say about themselves, for messages: fields, and the words for patterns."""

from __future__ import annotations

import typing
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Final

from telewright_codegen.spec.common import Spec

if TYPE_CHECKING:
    from telewright_codegen.source import Steps

_PATTERNS: Final = {
    r"^[a-z][a-z0-9_]*$": "lower-case letters, digits and underscores, a letter first",
    r"^[a-z_][a-z0-9_]*$": "lower-case letters, digits and underscores",
    r"^[A-Z][A-Za-z0-9]*$": "a name like `CheckpointOutcome`",
    r"^[A-Z][A-Z0-9_]*$": "a name like `ROLLOUT_ID`",
    r"^\d+(\.\d+)*([-+.][0-9A-Za-z.+-]+)?$": 'a version like "1.4.0"',
    r"^\d{4}-\d{2}-\d{2}$": 'a day like "2027-01-31"',
    r"^[A-Z]+\d{3}$": "the code of a rule, like `TW305`",
}
_NOUNS: Final = {
    "a span": {"kind": "a span kind"},
    "an attribute": {"type": "an attribute type"},
}


def expected(pattern: str) -> str:
    """Return what a text must look like to match *pattern*."""
    return _PATTERNS.get(pattern, f"something that matches `{pattern}`")


def noun(model: type[Spec] | None, field: str) -> str:
    """Return what one value of a field is called: "a span kind"."""
    label = "" if model is None else model.label
    word = field.replace("_", " ")
    return _NOUNS.get(label, {}).get(field, f"{'an' if word[0] in 'aeiou' else 'a'} {word}")


@cache
def fields(model: type[Spec]) -> tuple[str, ...]:
    """Return the fields of a model as authors write them."""
    return tuple(field.alias or name for name, field in model.model_fields.items())


def required(model: type[Spec], written: str) -> bool:
    """Whether a model cannot do without a field."""
    return any(
        field.is_required()
        for name, field in model.model_fields.items()
        if written == (field.alias or name)
    )


def model_at(top: type[Spec], steps: Steps) -> type[Spec] | None:
    """Return the model of the mapping at *steps*; None where that is not a model's."""
    annotation: object = top
    for step in steps:
        annotation = _below(annotation, step)
    return _model(annotation)


def _below(annotation: object, step: str | int) -> object:
    model = _model(annotation)
    if model is not None and isinstance(step, str):
        for name, field in model.model_fields.items():
            if step == (field.alias or name):
                return field.annotation
    for choice in _choices(annotation):
        origin, arguments = typing.get_origin(choice), typing.get_args(choice)
        if origin is list and isinstance(step, int):
            return arguments[0]
        if origin is dict and isinstance(step, str):
            return arguments[1]
    return None


def _model(annotation: object) -> type[Spec] | None:
    for choice in _choices(annotation):
        if isinstance(choice, type) and issubclass(choice, Spec):
            return choice
    return None


def _choices(annotation: object) -> list[object]:
    """Return the parts of a union, without what pydantic was told about them."""
    origin = typing.get_origin(annotation)
    if origin is typing.Annotated:
        return _choices(typing.get_args(annotation)[0])
    if origin in (typing.Union, UnionType):
        return [part for each in typing.get_args(annotation) for part in _choices(each)]
    return [annotation]
