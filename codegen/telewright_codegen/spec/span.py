"""Spans, events and scopes."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from telewright_codegen.spec.common import (
    Cardinality,
    Identifier,
    ItemSpec,
    Lax,
    Name,
    OneOrMore,
    Requirement,
    Spec,
    Text,
    Word,
)


class Kind(StrEnum):
    """OpenTelemetry's span kinds."""

    INTERNAL = "internal"
    CLIENT = "client"
    SERVER = "server"
    PRODUCER = "producer"
    CONSUMER = "consumer"


Reach = Literal["tasks", "threads", "processes"]


class LinkedRootSpec(Spec):
    """The root of a trace that is linked to the span that owns another."""

    label: ClassVar[str] = "a root policy"

    linked_to: Name


class SpanSpec(ItemSpec):
    """A span."""

    label: ClassVar[str] = "a span"

    name: Name
    """Constant, or a pattern with one placeholder: ``rl.{rl.algorithm}.step``."""
    only: list[str] | None = None
    """The members for which a pattern's span exists; all, where left out."""
    as_: Identifier | None = Field(default=None, alias="as")
    """The Python name of its helper."""
    group: Word | None = None
    kind: Annotated[Kind, Lax] = Kind.INTERNAL
    process: OneOrMore | None = None
    parent: OneOrMore | None = None
    """Helpers or names of the spans it is a child of."""
    attributes: dict[str, Requirement] = Field(default_factory=dict)
    events: list[Name] = Field(default_factory=list)
    outcome: Name | None = None
    error_code: Name | None = None
    duration: Name | None = None
    root: Literal["owner", "always"] | LinkedRootSpec | None = None
    announce: bool = False
    requires_scope: OneOrMore | None = None
    cardinality: Annotated[Cardinality, Lax] | None = None
    max_per_parent: Annotated[int, Field(ge=1)] | None = None
    overlaps: bool = False
    bucket: Text | None = None
    ends_when: Text | None = None
    slow_after: Annotated[float, Field(gt=0)] | Annotated[int, Field(gt=0)] | None = None
    """Seconds after which an open span is worth a line in the log."""
    links: list[Name] = Field(default_factory=list)
    """Spans that this one links to, its root policy aside."""


class EventSpec(ItemSpec):
    """Something that happens at one moment: an event of a span, or a log record."""

    label: ClassVar[str] = "an event"

    name: Name
    as_: Identifier | None = Field(default=None, alias="as")
    attributes: dict[str, Requirement] = Field(default_factory=dict)
    on: Literal["span", "log"] = "span"


class ScopeSpec(ItemSpec):
    """Attributes that every span started inside a block carries."""

    label: ClassVar[str] = "a scope"

    name: Identifier
    attributes: dict[str, Requirement] = Field(default_factory=dict)
    propagates: list[Reach] = Field(default_factory=lambda: list[Reach](["tasks"]))
    rebucket: Text | None = None
    """The bucket that leaves inside get instead of their group's."""
    group: Word | None = None
    """The group that spans inside are moved to."""
