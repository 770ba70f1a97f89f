"""Attributes and the enumerations that their values come from."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from telewright_codegen.spec.common import (
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


class TruncateSpec(Spec):
    """Cut a text to so many characters."""

    label: ClassVar[str] = "a redaction"

    truncate: Annotated[int, Field(ge=1, le=1_000_000)]


class MemberSpec(Spec):
    """A member of an enumeration, written as a mapping."""

    label: ClassVar[str] = "an enum member"

    value: Annotated[str, Field(min_length=1)] | None = None
    """What is exported; the member's own name where left out."""
    brief: Text
    note: Text | None = None
    deprecated: DeprecationSpec | None = None


class EnumFields(ItemSpec):
    """Fields of an enumeration, whoever declares it."""

    members: dict[Annotated[str, Field(min_length=1)], Text | MemberSpec] = Field(
        default_factory=dict
    )
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


class AttributeSpec(EnumFields):
    """An attribute: one key, with one meaning wherever it occurs."""

    label: ClassVar[str] = "an attribute"

    id: Name
    type: AttributeType | None = None
    keys: list[Text] | None = None
    """The keys that a template is known to be used with."""
    enum: ClassName | None = None
    examples: list[Scalar | list[Scalar]] = Field(default_factory=list)
    unit: str | None = None
    sensitivity: Annotated[Sensitivity, Lax] | None = None
    redact: Literal["keep", "drop", "mask", "hash"] | TruncateSpec | None = None
    in_metrics: Literal["allowed", "never"] = "allowed"
    level: list[Literal["span", "metric", "resource", "log"]] | None = None
    """Where it may occur; anywhere, where left out."""
    max_values: Annotated[int, Field(ge=1)] | None = None
    """How many values it takes at most, which makes it fit for metrics."""
    join_key: bool = False
    """Whether it is the key by which signals of several processes are joined."""
    constant: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$", max_length=200)] | None = None
    param: Identifier | None = None
