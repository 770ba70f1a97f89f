"""The spec language as its pydantic models define it: kinds of nodes, their fields, what they mean.

Meanings are the docstrings under the fields. They are read from the models' source here, when
somebody asks, so that reading specs does not pay for them.
"""

from __future__ import annotations

import ast
import inspect
import types
from enum import StrEnum
from functools import cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    Union,
    cast,
    get_args,
    get_origin,
)
from typing import get_type_hints as type_hints

from telewright_codegen.spec import attribute, common, metric, registry, span, topic

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pydantic.fields import FieldInfo

    from telewright_codegen.spec.common import Spec

SECTIONS: Final[tuple[tuple[str, tuple[type[common.Spec], ...]], ...]] = (
    (
        "The registry file",
        (
            registry.RegistrySpec,
            registry.ProcessSpec,
            registry.GroupSpec,
            registry.BucketSpec,
            registry.PresetSpec,
            registry.UseSpec,
            registry.InvariantSpec,
        ),
    ),
    (
        "Topic files",
        (
            topic.TopicSpec,
            attribute.AttributeSpec,
            attribute.EnumSpec,
            attribute.MemberSpec,
            attribute.TruncateSpec,
            span.SpanSpec,
            span.LinkedRootSpec,
            span.EventSpec,
            span.ScopeSpec,
            metric.MetricSpec,
            metric.SourceSpec,
            topic.ResourceSpec,
            topic.SettingSpec,
            topic.InstrumentationSpec,
        ),
    ),
    (
        "In both",
        (common.ItemSpec, common.RequirementSpec, common.DeprecationSpec),
    ),
)
"""Every kind of node, in the order in which a reader wants them."""

_WORDS: Final[tuple[tuple[Any, str], ...]] = (
    (common.Text, "text"),
    (common.Name, "name"),
    (common.Word, "word"),
    (common.Identifier, "identifier"),
    (common.ClassName, "class name"),
    (common.Version, "version"),
    (common.Date, "date"),
    (common.Code, "code"),
    (common.Requirement, "requirement"),
    (common.OneOrMore, "one or more"),
    (common.Scalar, "scalar"),
    (metric.Number, "number"),
    (attribute.AttributeType, "attribute type"),
)
_PLAIN: Final[dict[object, str]] = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "`true` or `false`",
}
_MEANINGS: Final = (
    ("text", "Prose for people: text in every output, never code."),
    ("name", "A dotted OpenTelemetry name: `gym.rollout.dispatch`."),
    ("word", "A short name: lower case, digits, underscores."),
    ("identifier", "A Python name of a function, a parameter or an instrument."),
    ("class name", "A Python name of a class: `CheckpointOperation`."),
    ("version", 'A version, quoted where YAML would read a number: `"1.10"`.'),
    ("date", 'A day, quoted: `"2027-01-31"`.'),
    ("code", "The code of a rule: `TW305`."),
    ("number", "A whole or a decimal number."),
    ("scalar", "One value of an attribute: text, a number, `true` or `false`."),
    ("one or more", "One name, or a list of them."),
    (
        "requirement",
        (
            "How much an attribute is needed: `required`, `recommended`, `opt_in`; `at_end`, which "
            "is recommended and known only at the end; `detected`, in resources; a sentence, which "
            "says when it is required; or [a mapping](#a-requirement)."
        ),
    ),
    ("attribute type", ""),
)


class FieldDoc(NamedTuple):
    """One field of one kind of node."""

    name: str
    """As an author writes it."""
    required: bool
    type: str
    """For people; kinds of nodes are links to their sections."""
    default: str
    meaning: str


class Kind(NamedTuple):
    """One kind of node."""

    model: type[Spec]
    title: str
    """``a span``, as diagnostics call it."""
    meaning: str
    fields: tuple[FieldDoc, ...]
    item: bool
    """Whether it also has what every item has."""


def kinds(models: Iterable[type[Spec]]) -> Iterator[Kind]:
    """Yield what there is to say about each of *models*."""
    return map(_kind, models)


def words() -> Iterator[tuple[str, str]]:
    """Yield what types are called, and what that means."""
    for name, meaning in _MEANINGS:
        if name == "attribute type":
            yield name, f"One of {_choice(get_args(attribute.AttributeType))}."
        else:
            yield name, meaning


def documented(model: type[Spec]) -> dict[str, str]:
    """Return the docstring of every field of *model*, its bases' too, by Python name."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if issubclass(base, common.Spec):
            found.update(_docstrings(base))
    return found


@cache
def _docstrings(model: type[Spec]) -> dict[str, str]:
    (tree,) = ast.parse(inspect.getsource(model)).body
    if not isinstance(tree, ast.ClassDef):
        return {}
    found: dict[str, str] = {}
    for field, after in zip(tree.body, tree.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            match after:
                case ast.Expr(value=ast.Constant(value=str() as text)):
                    found[field.target.id] = _line(text)
                case _:
                    pass
    return found


def _kind(model: type[Spec]) -> Kind:
    item = issubclass(model, common.ItemSpec) and model is not common.ItemSpec
    meanings = documented(model)
    hints = type_hints(model, include_extras=True)
    fields = [
        FieldDoc(
            name=field.alias or name,
            required=field.is_required(),
            type=described(hints[name]),
            default=_default(field),
            meaning=meanings.get(name, ""),
        )
        for name, field in _own_first(model).items()
        if not (item and name in common.ItemSpec.model_fields)
    ]
    return Kind(
        model=model,
        title="every item" if model is common.ItemSpec else model.label,
        meaning=_line(model.__doc__ or ""),
        fields=tuple(fields),
        item=item,
    )


def _own_first(model: type[Spec]) -> dict[str, FieldInfo]:
    """Return the fields, those of the class itself before those of its bases."""
    fields = model.model_fields
    return {
        name: fields[name]
        for base in model.__mro__
        for name in inspect.get_annotations(base)
        if name in fields
    }


def _line(text: str) -> str:
    """Return a docstring as one line of Markdown."""
    return " ".join(inspect.cleandoc(text).split()).replace("``", "`")


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return ""
    value: object = field.get_default(call_default_factory=True, validated_data={})
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(map(str, cast("list[object]", value)))
    return str(value) if value else ""


def described(annotation: Any) -> str:  # noqa: ANN401, PLR0911  an annotation is anything
    """Return what people call a type."""
    for known, word in _WORDS:
        if annotation == known:
            return word
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return described(arguments[0])
    if origin is Literal:
        return _choice(arguments)
    if origin in (Union, types.UnionType):
        return _union(arguments)
    if origin is list:
        return f"list of {_many(described(arguments[0]))}"
    if origin is dict:
        return f"mapping of {described(arguments[0])} to {described(arguments[1])}"
    if inspect.isclass(annotation) and issubclass(annotation, common.Spec):
        return f"[{annotation.label}](#{anchor(annotation.label)})"
    if inspect.isclass(annotation) and issubclass(annotation, StrEnum):
        return _choice(tuple(member.value for member in annotation))
    return _PLAIN.get(annotation, getattr(annotation, "__name__", str(annotation)))


def anchor(title: str) -> str:
    """Return the anchor of a heading, as GitHub makes it."""
    return title.lower().replace(" ", "-")


def _union(arguments: tuple[Any, ...]) -> str:
    parts: list[str] = []
    for argument in _joined(arguments):
        if argument is not type(None):
            word = described(argument)
            if word not in parts:
                parts.append(word)
    if "number" in parts and "whole number" in parts:
        parts.remove("whole number")
    return ", or ".join(parts)


def _joined(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Put unions that typing has flattened together again: they have a word of their own."""
    for known in (common.Requirement, common.OneOrMore, common.Scalar, metric.Number):
        parts = get_args(known)
        if all(part in arguments for part in parts):
            rest = [argument for argument in arguments if argument not in parts]
            return (known, *rest)
    return arguments


def _many(word: str) -> str:
    if word in {"text", "number", "code", "word", "name", "version", "identifier", "scalar"}:
        return word if word == "text" else f"{word}s"
    return word


def _choice(values: tuple[object, ...]) -> str:
    return ", ".join(f"`{value}`" for value in values)
