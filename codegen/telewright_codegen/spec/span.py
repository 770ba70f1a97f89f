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
    """The span with `root: owner` whose trace the new one is linked to."""


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
    """The group that switches it; the topic's, where left out."""
    kind: Annotated[Kind, Lax] = Kind.INTERNAL
    """OpenTelemetry's span kind."""
    process: OneOrMore | None = None
    """The process roles that emit it."""
    parent: OneOrMore | None = None
    """Helpers or names of the spans it is a child of."""
    attributes: dict[str, Requirement] = Field(default_factory=dict)
    """Keys, each with how much it is needed and when it is known."""
    events: list[Name] = Field(default_factory=list)
    """Names of the events that may happen in it."""
    outcome: Name | None = None
    """The attribute that says how the block ended, filled by the runtime."""
    error_code: Name | None = None
    """The attribute that says what went wrong, filled from the exception."""
    duration: Name | None = None
    """The histogram that its duration is recorded in, even while its group is off."""
    root: Literal["owner", "always"] | LinkedRootSpec | None = None
    """Whose trace it belongs to: `owner` of one, `always` a root, or linked to an owner."""
    announce: bool = False
    """Whether it is announced: open for a second, it has `nemo.span.started` exported for it."""
    requires_scope: OneOrMore | None = None
    """Scopes that must be open around it."""
    cardinality: Annotated[Cardinality, Lax] | None = None
    """What the number of spans grows with, where that is not its group's."""
    max_per_parent: Annotated[int, Field(ge=1)] | None = None
    """How many of them one parent has at most."""
    overlaps: bool = False
    """Whether siblings may run at the same time, so that durations do not add up."""
    bucket: Word | None = None
    """The bucket of its time, where that is not its group's; `none`, where it has none."""
    ends_when: Text | None = None
    """What ends it, where that is not the end of a block."""
    slow_after: Annotated[float, Field(gt=0)] | Annotated[int, Field(gt=0)] | None = None
    """Seconds after which an open span is worth a line in the log."""
    links: list[Name] = Field(default_factory=list)
    """Spans that this one links to, its root policy aside; its helper takes them as `links`."""


class EventSpec(ItemSpec):
    """Something that happens at one moment: an event of a span, or a log record."""

    label: ClassVar[str] = "an event"

    name: Name
    """Its name as it is exported."""
    as_: Identifier | None = Field(default=None, alias="as")
    """The Python name of its helper."""
    attributes: dict[str, Requirement] = Field(default_factory=dict)
    """Keys, each with how much it is needed."""
    on: Literal["span", "log"] = "span"
    """Whether it is an event of the current `span` or a `log` record; the key needs quotes."""


class ScopeSpec(ItemSpec):
    """Attributes that every span started inside a block carries."""

    label: ClassVar[str] = "a scope"

    name: Identifier
    """The Python name of its helper."""
    attributes: dict[str, Requirement] = Field(default_factory=dict)
    """Keys that the spans inside carry; the first is the positional parameter."""
    propagates: list[Reach] = Field(default_factory=lambda: list[Reach](["tasks"]))
    """What it reaches beyond its own task: `tasks`, `threads`, `processes`."""
    rebucket: Word | None = None
    """The bucket that spans inside get instead of their group's."""
    group: Word | None = None
    """The group that this registry's spans inside are moved to."""
