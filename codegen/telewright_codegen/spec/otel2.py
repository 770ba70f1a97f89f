"""OpenTelemetry's second format, ``file_format: definition/2``."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from telewright_codegen.spec.common import Spec
from telewright_codegen.spec.otel import (
    Annotations,
    Brief,
    Deprecated,
    Examples,
    Id,
    Instrument,
    Kind,
    Level,
    OtelEnum,
    OtelImports,
    Primitive,
    Prose,
    Stability,
)


class Otel2Attribute(Spec):
    """The declaration of an attribute."""

    label: ClassVar[str] = "an attribute"

    key: Id
    type: Primitive | OtelEnum
    brief: Brief
    note: Prose | None = None
    examples: Examples | None = None
    stability: Stability | None = None
    deprecated: Deprecated | None = None
    annotations: Annotations = Field(default_factory=dict)


class Otel2Reference(Spec):
    """An attribute, or a group of them, that a signal has."""

    label: ClassVar[str] = "a reference"

    ref: Id | None = None
    ref_group: Id | None = None
    brief: Brief | None = None
    note: Prose | None = None
    examples: Examples | None = None
    stability: Stability | None = None
    deprecated: Deprecated | None = None
    requirement_level: Level | None = None
    sampling_relevant: bool | None = None
    annotations: Annotations = Field(default_factory=dict)


class Otel2Item(Spec):
    """What every signal has, and every refinement of one."""

    note: Prose | None = None
    stability: Stability | None = None
    deprecated: Deprecated | None = None
    attributes: list[Otel2Reference] = Field(default_factory=list[Otel2Reference])
    entity_associations: list[str | Annotations] = Field(default_factory=list[str | Annotations])
    annotations: Annotations = Field(default_factory=dict)


class Otel2Signal(Otel2Item):
    """What every signal has, its refinements aside."""

    brief: Brief
    requirement_level: Literal["recommended", "opt_in"] | None = None


class Otel2Refinement(Otel2Item):
    """A signal as one system uses it."""

    label: ClassVar[str] = "a refinement"

    id: Id
    ref: Id
    brief: Brief | None = None


class Otel2Group(Otel2Item):
    """A named set of attributes."""

    label: ClassVar[str] = "an attribute group"

    id: Id
    brief: Brief | None = None
    visibility: Literal["public", "internal"]


class Otel2Metric(Otel2Signal):
    """A metric."""

    label: ClassVar[str] = "a metric"

    name: Id
    instrument: Instrument
    unit: Annotated[str, Field(max_length=63)]


class Otel2Event(Otel2Signal):
    """An event."""

    label: ClassVar[str] = "an event"

    name: Id


class Otel2SpanName(Spec):
    """What spans of a type are called, in words."""

    label: ClassVar[str] = "a span name"

    note: Prose


class Otel2Span(Otel2Signal):
    """A type of span."""

    label: ClassVar[str] = "a span"

    type: Id
    kind: Kind
    name: Otel2SpanName


class Otel2SpanRefinement(Otel2Refinement):
    """A type of span as one system uses it."""

    name: Otel2SpanName | None = None


class Otel2EntityFields(Spec):
    """Attributes that tell an entity from others, and those that describe it."""

    identity: list[Otel2Reference] = Field(default_factory=list[Otel2Reference])
    description: list[Otel2Reference] = Field(default_factory=list[Otel2Reference])
    note: Prose | None = None
    stability: Stability | None = None
    deprecated: Deprecated | None = None
    annotations: Annotations = Field(default_factory=dict)


class Otel2Entity(Otel2EntityFields):
    """An entity."""

    label: ClassVar[str] = "an entity"

    type: Id
    brief: Brief
    requirement_level: Literal["recommended", "opt_in"] | None = None


class Otel2EntityRefinement(Otel2EntityFields):
    """An entity as one system uses it."""

    label: ClassVar[str] = "a refinement"

    id: Id
    ref: Id
    brief: Brief | None = None


class Otel2File(Spec):
    """A file in the second format."""

    label: ClassVar[str] = "a file of definitions"

    file_format: Literal["definition/2"]
    imports: OtelImports | None = None
    attributes: list[Otel2Attribute] = Field(default_factory=list[Otel2Attribute])
    attribute_groups: list[Otel2Group] = Field(default_factory=list[Otel2Group])
    metrics: list[Otel2Metric] = Field(default_factory=list[Otel2Metric])
    metric_refinements: list[Otel2Refinement] = Field(default_factory=list[Otel2Refinement])
    spans: list[Otel2Span] = Field(default_factory=list[Otel2Span])
    span_refinements: list[Otel2SpanRefinement] = Field(default_factory=list[Otel2SpanRefinement])
    events: list[Otel2Event] = Field(default_factory=list[Otel2Event])
    event_refinements: list[Otel2Refinement] = Field(default_factory=list[Otel2Refinement])
    entities: list[Otel2Entity] = Field(default_factory=list[Otel2Entity])
    entity_refinements: list[Otel2EntityRefinement] = Field(
        default_factory=list[Otel2EntityRefinement]
    )
