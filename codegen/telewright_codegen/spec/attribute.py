"""Attributes and the enumerations that their values come from."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from telewright_codegen.spec.common import (
    Brief,
    ClassName,
    DeprecationSpec,
    Identifier,
    ItemSpec,
    Lax,
    Name,
    Scalar,
    Sensitivity,
    Spec,
    Text,
)

AttributeType = Literal[
    "string",
    "int",
    "double",
    "boolean",
    "string[]",
    "int[]",
    "double[]",
    "boolean[]",
    "template[string]",
    "template[int]",
    "template[double]",
    "template[boolean]",
    "template[string[]]",
    "template[int[]]",
    "template[double[]]",
    "template[boolean[]]",
]


Whole = Annotated[int, Field(ge=-(2**63), lt=2**63)]
"""A whole number that OTLP can carry."""


class TruncateSpec(Spec):
    """Cut a text to so many characters."""

    label: ClassVar[str] = "a redaction"

    truncate: Annotated[int, Field(ge=1, le=1_000_000)]
    """How many characters are kept."""


class MemberSpec(Spec):
    """A member of an enumeration, written as a mapping."""

    label: ClassVar[str] = "an enum member"

    value: Annotated[str, Field(min_length=1)] | Whole | None = None
    """What is exported; the member's own name where left out. Whole numbers, if all members have
    one: then the attribute's values are integers."""
    brief: Brief
    """What the member means, in a sentence."""
    note: Text | None = None
    """More about it, for whoever reads the docs."""
    deprecated: DeprecationSpec | None = None
    """Why it should no longer be used."""


class EnumFields(ItemSpec):
    """Fields of an enumeration, whoever declares it."""

    members: dict[Annotated[str, Field(min_length=1)], Brief | MemberSpec] = Field(
        default_factory=dict
    )
    """The values: a name and what it means, or a mapping with more."""
    open: bool = False
    """Whether values that are no member may occur."""
    overflow: str | None = None
    """The member that stands for them in metrics; `other` where left out."""
    ok: str | None = None
    """The member of a block that ends normally."""
    error: str | None = None
    """The member of a block that an exception leaves."""
    cancelled: str | None = None
    """The member of a block that was cancelled."""
    codes: dict[str, str] = Field(default_factory=dict)
    """From an exception (a class name, or ``.name`` for an attribute of it) to a member."""


class EnumSpec(EnumFields):
    """An enumeration that no single attribute owns."""

    label: ClassVar[str] = "an enum"

    enum: ClassName
    """What the class is called in Python: `Outcome`."""


class AttributeSpec(EnumFields):
    """An attribute: one key, with one meaning wherever it occurs."""

    label: ClassVar[str] = "an attribute"

    id: Name
    """The key as it is exported: `nemo.gym.rollout.id`."""
    type: AttributeType | None = None
    """What its values are. Left out where it has `enum`."""
    keys: list[Text] | None = None
    """The keys that a template is known to be used with."""
    enum: ClassName | None = None
    """The class of its values: declared here with `members`, or one that is in scope."""
    examples: list[Scalar | list[Scalar]] = Field(default_factory=list[Scalar | list[Scalar]])
    """Values that may occur; for lists, lists."""
    unit: str | None = None
    """Unit of its values, in UCUM."""
    sensitivity: Annotated[Sensitivity, Lax] | None = None
    """What a value may reveal: `public`, `internal`, `personal` or `content`."""
    redact: Literal["keep", "drop", "mask", "hash"] | TruncateSpec | None = None
    """What is done to values beyond what their sensitivity asks for; it may only tighten."""
    in_metrics: Literal["allowed", "never"] = "allowed"
    """Whether metrics may have it: `never` for ids, which would explode every series."""
    level: list[Literal["span", "metric", "resource", "log"]] | None = None
    """Where it may occur; anywhere, where left out."""
    max_values: Annotated[int, Field(ge=1)] | None = None
    """How many values it takes at most, which makes it fit for metrics."""
    join_key: bool = False
    """Whether it is the key by which signals of several processes are joined."""
    constant: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$", max_length=200)] | None = None
    """The Python constant, where it shall not be the key in capitals."""
    param: Identifier | None = None
    """The Python parameter, where it shall not be the key without its namespace."""
