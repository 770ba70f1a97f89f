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
    process: OneOrMore | None = None
    attributes: dict[str, Requirement] = Field(default_factory=dict)


class SettingSpec(ItemSpec):
    """One thing that a person configures, by environment or by file."""

    label: ClassVar[str] = "a setting"

    name: Name
    env: OneOrMore | None = None
    config: Text | None = None
    type: Literal["string", "int", "double", "boolean", "string[]", "path", "seconds"] = "string"
    default: Scalar | list[Scalar] | None = None
    visibility: Literal["public", "internal"] = "public"


class InstrumentationSpec(ItemSpec):
    """A third-party instrumentor: who emits spans that are not ours, and what switches them on."""

    label: ClassVar[str] = "an instrumentation"

    package: Text
    group: Word | None = None
    cardinality: Annotated[Cardinality, Lax] | None = None
    process: OneOrMore | None = None
    spans: list[Annotated[str, Field(min_length=1)]] = Field(default_factory=list)


class TopicSpec(ItemSpec):
    """One topic file."""

    label: ClassVar[str] = "a topic"

    topic: Word
    group: Word | None = None
    attributes: list[AttributeSpec] = Field(default_factory=list[AttributeSpec])
    enums: list[EnumSpec] = Field(default_factory=list[EnumSpec])
    spans: list[SpanSpec] = Field(default_factory=list[SpanSpec])
    metrics: list[MetricSpec] = Field(default_factory=list[MetricSpec])
    events: list[EventSpec] = Field(default_factory=list[EventSpec])
    scopes: list[ScopeSpec] = Field(default_factory=list[ScopeSpec])
    resources: list[ResourceSpec] = Field(default_factory=list[ResourceSpec])
    settings: list[SettingSpec] = Field(default_factory=list[SettingSpec])
    instrumentations: list[InstrumentationSpec] = Field(default_factory=list[InstrumentationSpec])
