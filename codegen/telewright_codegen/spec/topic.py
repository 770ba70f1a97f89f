"""A topic file: what belongs together, and becomes one module and one page."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from telewright_codegen.spec.attribute import AttributeSpec, EnumSpec
from telewright_codegen.spec.common import (
    Cardinality,
    ItemSpec,
    Lax,
    Name,
    OneOrMore,
    Requirement,
    Scalar,
    Text,
    Word,
)
from telewright_codegen.spec.metric import MetricSpec
from telewright_codegen.spec.span import EventSpec, ScopeSpec, SpanSpec


class ResourceSpec(ItemSpec):
    """A named set of resource attributes."""

    label: ClassVar[str] = "a resource"

    name: Word
    """The Python name of its helper."""
    process: OneOrMore | None = None
    """The process roles that have it."""
    attributes: dict[str, Requirement] = Field(default_factory=dict)
    """Keys, each `required`, `recommended`, `opt_in` or `detected`."""


StartRole = Literal[
    "enabled", "groups", "service", "run_id", "traces", "metrics", "logs", "exporter"
]


class SettingSpec(ItemSpec):
    """One thing that a person configures, by environment or by file."""

    label: ClassVar[str] = "a setting"

    name: Name
    """What it is called in docs and by `show`."""
    env: OneOrMore | None = None
    """The environment variables that set it, the one that wins first."""
    config: Text | None = None
    """Where it stands in a configuration file."""
    type: Literal["string", "int", "double", "boolean", "string[]", "path", "seconds"] = "string"
    """What its value is."""
    default: Scalar | list[Scalar] | None = None
    """The value where nobody sets it."""
    visibility: Literal["public", "internal"] = "public"
    """Whether it is for everybody or for developers; internal values are not shown."""
    start: StartRole | None = None
    """What it is to `telewright.start`: an argument, or `enabled`, whether it is called at all."""


class InstrumentationSpec(ItemSpec):
    """A third-party instrumentor: who emits spans that are not ours, and what switches them on."""

    label: ClassVar[str] = "an instrumentation"

    package: Text
    """The package on the index that brings the instrumentor."""
    group: Word | None = None
    """The group that switches it."""
    cardinality: Annotated[Cardinality, Lax] | None = None
    """What the number of its spans grows with, where that is not its group's."""
    process: OneOrMore | None = None
    """The process roles that use it."""
    spans: list[Annotated[str, Field(min_length=1)]] = Field(default_factory=list)
    """The names of its spans, as patterns: `{METHOD} {route}`."""
    attributes: dict[str, Requirement] = Field(default_factory=dict)
    """What its spans carry, each with how much it is needed."""
    metrics: list[Name] = Field(default_factory=list)
    """The names of the metrics that it records."""


class TopicSpec(ItemSpec):
    """One topic file."""

    label: ClassVar[str] = "a topic"

    topic: Word
    """Its name: the module and the page."""
    group: Word | None = None
    """The group of its spans that name none."""
    attributes: list[AttributeSpec] = Field(default_factory=list[AttributeSpec])
    """The attributes declared here."""
    enums: list[EnumSpec] = Field(default_factory=list[EnumSpec])
    """Enumerations that no single attribute owns."""
    spans: list[SpanSpec] = Field(default_factory=list[SpanSpec])
    """The spans declared here."""
    metrics: list[MetricSpec] = Field(default_factory=list[MetricSpec])
    """The instruments declared here."""
    events: list[EventSpec] = Field(default_factory=list[EventSpec])
    """Events of spans, and log records."""
    scopes: list[ScopeSpec] = Field(default_factory=list[ScopeSpec])
    """Attributes that every span inside a block carries."""
    resources: list[ResourceSpec] = Field(default_factory=list[ResourceSpec])
    """Named sets of resource attributes."""
    settings: list[SettingSpec] = Field(default_factory=list[SettingSpec])
    """What a person configures."""
    instrumentations: list[InstrumentationSpec] = Field(default_factory=list[InstrumentationSpec])
    """Third-party instrumentors: spans that are not ours."""
