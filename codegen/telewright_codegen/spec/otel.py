"""What OpenTelemetry's semantic conventions are written in, in both of its formats."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, StringConstraints

from telewright_codegen.spec.common import Scalar, Spec

Prose = Annotated[str, StringConstraints(strip_whitespace=True, max_length=65_536)]
"""Text for people, which may be long here; an empty one takes back what was inherited."""

Brief = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=8_192)]

Id = Annotated[str, StringConstraints(min_length=1, max_length=255)]
"""A name; its grammar is checked where it is resolved."""

Stability = Literal[
    "stable", "development", "experimental", "alpha", "beta", "release_candidate", "deprecated"
]
Instrument = Literal["counter", "updowncounter", "gauge", "histogram"]
Kind = Literal["internal", "client", "server", "producer", "consumer"]
Annotations = dict[str, Any]
Examples = Scalar | list[Scalar | list[Scalar]]

Primitive = Literal[
    "string",
    "int",
    "double",
    "boolean",
    "any",
    "string[]",
    "int[]",
    "double[]",
    "boolean[]",
    "template[string]",
    "template[int]",
    "template[double]",
    "template[boolean]",
    "template[any]",
    "template[string[]]",
    "template[int[]]",
    "template[double[]]",
    "template[boolean[]]",
]


class OtelDeprecation(Spec):
    """Why something should no longer be used, as a mapping."""

    label: ClassVar[str] = "a deprecation"

    reason: Literal["renamed", "obsoleted", "uncategorized", "unspecified"] | None = None
    renamed_to: Id | None = None
    note: Prose | None = None


Deprecated = OtelDeprecation | Prose


class OtelLevel(Spec):
    """A requirement level with a condition."""

    label: ClassVar[str] = "a requirement level"

    conditionally_required: Prose | None = None
    required: Prose | None = None
    recommended: Prose | None = None
    opt_in: Prose | None = None


Level = OtelLevel | Literal["required", "recommended", "opt_in", "conditionally_required"]


class OtelMember(Spec):
    """A member of an enumeration."""

    label: ClassVar[str] = "an enum member"

    id: Id
    value: Annotated[str, Field(max_length=4096)] | bool | int | float | None = None
    brief: Brief | None = None
    note: Prose | None = None
    stability: Stability | None = None
    deprecated: Deprecated | None = None
    annotations: Annotations = Field(default_factory=dict)


class OtelEnum(Spec):
    """The type of an attribute whose values are known."""

    label: ClassVar[str] = "an enum"

    members: list[OtelMember]
    allow_custom_values: bool | None = None


class OtelAttribute(Spec):
    """An attribute of a group: declared by `id`, or referred to by `ref`."""

    label: ClassVar[str] = "an attribute"

    id: Id | None = None
    ref: Id | None = None
    type: Primitive | OtelEnum | None = None
    brief: Brief | None = None
    note: Prose | None = None
    examples: Examples | None = None
    stability: Stability | None = None
    deprecated: Deprecated | None = None
    requirement_level: Level | None = None
    sampling_relevant: bool | None = None
    role: Literal["identifying", "descriptive"] | None = None
    tag: str | None = None
    prefix: bool | None = None
    annotations: Annotations = Field(default_factory=dict)


class OtelBody(Spec):
    """The body of an event, or a field of one, which may have fields itself."""

    label: ClassVar[str] = "a body field"

    id: Id
    type: Literal[
        "string",
        "int",
        "double",
        "boolean",
        "string[]",
        "int[]",
        "double[]",
        "boolean[]",
        "map",
        "map[]",
        "bytes",
        "byte[]",
        "enum",
        "undefined",
    ]
    brief: Prose | None = None
    note: Prose | None = None
    stability: Stability | None = None
    requirement_level: Level | None = None
    examples: Examples | None = None
    deprecated: Deprecated | None = None
    fields: list[OtelBody] = Field(default_factory=list["OtelBody"])
    members: list[OtelMember] = Field(default_factory=list[OtelMember])


class OtelGroup(Spec):
    """A group: attributes, a span, a metric, an event or an entity."""

    label: ClassVar[str] = "a group"

    id: Id
    type: Literal[
        "attribute_group", "span", "metric", "metric_group", "event", "entity", "resource", "scope"
    ] = "attribute_group"
    brief: Brief
    note: Prose | None = None
    prefix: Id | None = None
    display_name: Brief | None = None
    stability: Stability | None = None
    deprecated: Deprecated | None = None
    extends: Id | None = None
    name: Id | None = None
    attributes: list[OtelAttribute] = Field(default_factory=list[OtelAttribute])
    metric_name: Id | None = None
    instrument: Instrument | None = None
    unit: Annotated[str, Field(max_length=63)] | None = None
    span_kind: Kind | None = None
    events: list[Id] = Field(default_factory=list)
    body: OtelBody | None = None
    entity_associations: list[str | Annotations] = Field(default_factory=list[str | Annotations])
    constraints: list[Annotations] = Field(default_factory=list[Annotations])
    annotations: Annotations = Field(default_factory=dict)


class OtelImports(Spec):
    """What is taken over from the registries that this one depends on, by name or pattern."""

    label: ClassVar[str] = "imports"

    metrics: list[Id] | None = None
    events: list[Id] | None = None
    entities: list[Id] | None = None
    spans: list[Id] | None = None
    attribute_groups: list[Id] | None = None


class OtelFile(Spec):
    """A file of groups."""

    label: ClassVar[str] = "a file of groups"

    groups: list[OtelGroup] = Field(default_factory=list[OtelGroup])
    imports: OtelImports | None = None


class OtelSchemaUrl(Spec):
    """Where a registry's schema is published."""

    label: ClassVar[str] = "a schema URL"

    url: Id


class OtelDependency(Spec):
    """A registry that another one depends on."""

    label: ClassVar[str] = "a dependency"

    name: Id | None = None
    schema_url: Id | OtelSchemaUrl | None = None
    registry_path: Annotated[str, Field(min_length=1, max_length=4096)] | None = None


class OtelManifest(Spec):
    """The manifest of a registry."""

    label: ClassVar[str] = "a manifest"

    name: Id | None = None
    description: Prose | None = None
    schema_url: Id | OtelSchemaUrl | None = None
    semconv_version: Id | None = None
    schema_base_url: Id | None = None
    stability: Stability | None = None
    dependencies: list[OtelDependency] = Field(default_factory=list[OtelDependency])
