"""What every kind of item shares."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
"""Prose for people: text in every output, never code."""

Brief = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4096)]
"""A sentence or two, for docstrings, tables and tooltips."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
"""A dotted OpenTelemetry name; its grammar is checked when it is resolved."""

Word = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=64)]
"""A short name: lower case, digits, underscores."""

Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z_][a-z0-9_]*$", max_length=64)]
"""A Python name for a function, a parameter or an instrument."""

ClassName = Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Za-z0-9]*$", max_length=64)]
"""A Python name for a class."""

Version = Annotated[str, StringConstraints(pattern=r"^\d+(\.\d+)*([-+.][0-9A-Za-z.+-]+)?$")]
"""A version; quote it, ``1.10`` is a number."""

Date = Annotated[str, StringConstraints(pattern=r"^\d{4}-\d{2}-\d{2}$")]
"""A day, quoted: ``"2027-01-31"``."""

Code = Annotated[str, StringConstraints(pattern=r"^[A-Z]+\d{3}$")]
"""The code of a rule."""

Scalar = str | int | float | bool
"""One value of an attribute."""


class Spec(BaseModel):
    """Base of all models: unknown fields are errors, nothing is converted, nothing changes."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        validate_by_name=False,
        use_enum_values=False,
        defer_build=True,  # a topic's validator has those of all that can stand in it
    )

    label: ClassVar[str] = "an item"
    """What messages call this kind of node."""


class Stability(StrEnum):
    """How far an item can be relied on, in OpenTelemetry's words."""

    DEVELOPMENT = "development"
    ALPHA = "alpha"
    BETA = "beta"
    RELEASE_CANDIDATE = "release_candidate"
    STABLE = "stable"


class Cardinality(StrEnum):
    """What the number of spans grows with."""

    PER_RUN = "per_run"
    PER_STEP = "per_step"
    PER_OPERATION = "per_operation"
    PER_ITEM = "per_item"


class Sensitivity(StrEnum):
    """What a value may reveal, and so what happens to it by default."""

    PUBLIC = "public"
    """Kept. The default of numbers, booleans and enums."""
    INTERNAL = "internal"
    """Kept, and scanned. The default of strings."""
    PERSONAL = "personal"
    """Hashed with a key; without a key, dropped."""
    CONTENT = "content"
    """Prompts, completions, tool output: dropped unless one switch is on."""


Lax = Field(strict=False)
"""For enumerations: YAML has text, not members."""


class DeprecationSpec(Spec):
    """Why an item should no longer be used."""

    label: ClassVar[str] = "a deprecation"

    renamed_to: Name | None = None
    """What to use instead."""
    since: Version | None = None
    """The version of the registry that deprecated it."""
    emit_both_until: Version | None = None
    """The version up to which old and new name are both emitted."""
    note: Text | None = None
    """Anything else to know, as why it went without a successor."""


class ItemSpec(Spec):
    """Fields of every item."""

    brief: Brief
    """What it is, in a sentence."""
    note: Text | None = None
    """More about it, for whoever reads the docs."""
    stability: Annotated[Stability, Lax] | None = None
    """How far it can be relied on, in OpenTelemetry's words."""
    since: Version | None = None
    """The version of the registry that brought it."""
    owner: Text | None = None
    """Who answers for it, where that is not the registry's owner."""
    review: Date | None = None
    """The day by which somebody should look at it again."""
    expires: Date | None = None
    """The day after which it should be gone."""
    min_runtime: Version | None = None
    """The oldest version of the runtime that can emit it."""
    deprecated: DeprecationSpec | None = None
    """Why it should no longer be used, and what instead."""
    allow: dict[Code, Text] = Field(default_factory=dict)
    """Rules that do not apply here, each with the reason."""


class RequirementSpec(Spec):
    """How much an attribute is needed, written as a mapping: ``{required, at: end}``."""

    label: ClassVar[str] = "a requirement"

    required: Text | None = None
    """It must be there; a text says when."""
    recommended: Text | None = None
    """It should be there; a text says when."""
    opt_in: Text | None = None
    """It is there only where somebody asked for it; a text says when."""
    at: Literal["start", "end"] = "start"
    """When it is known: at the `start`, or only at the `end`."""


Requirement = RequirementSpec | Text
"""A level (`required`, `recommended`, `opt_in`, `at_end`; `detected` in resources), a mapping, or
the sentence that says when the attribute is required."""

OneOrMore = (
    Annotated[str, StringConstraints(min_length=1)]
    | list[Annotated[str, StringConstraints(min_length=1)]]
)
"""One name, or a list of them."""
