"""The registry file: a name, its namespaces, who emits, and what people switch."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from telewright_codegen.spec.common import (
    Brief,
    Cardinality,
    Code,
    ItemSpec,
    Lax,
    Name,
    Spec,
    Text,
    Version,
    Word,
)
from telewright_codegen.spec.metric import Number


class ProcessSpec(ItemSpec):
    """A role that processes play."""

    label: ClassVar[str] = "a process"

    instances: Literal["one", "many"]
    """Whether there is `one` such process in a run or `many`."""


class GroupSpec(ItemSpec):
    """A span group: what a person switches on and off."""

    label: ClassVar[str] = "a group"

    cardinality: Annotated[Cardinality, Lax] | None = None
    """What the number of its spans grows with."""
    umbrella: bool = False
    """Whether its spans contain others and so never count towards a bucket."""
    bucket: Word | None = None
    """The bucket that the time of its spans counts towards: a member of the registry's `bucket`,
    or `none`. Left out, it is the default one, unless the group is an umbrella."""


class BucketSpec(Spec):
    """What the time of spans counts towards: each span that contains no other is in one bucket."""

    label: ClassVar[str] = "the buckets"

    attribute: Name
    """The attribute that spans say it with; the members of its enum are the buckets."""
    default: Word | None = None
    """The member that a group without a bucket of its own has, if it is no umbrella."""


class PresetSpec(ItemSpec):
    """A set of groups with a name, written as a mapping."""

    label: ClassVar[str] = "a preset"

    groups: list[Word]
    """The groups that it switches on."""


class UseSpec(Spec):
    """A registry that this one builds on, written as a mapping."""

    label: ClassVar[str] = "a used registry"

    registry: Text
    """Its name."""
    version: Version | None = None
    """The version that this one was written against."""
    path: Text | None = None
    """Where it is, where that is not beside this one."""
    allow: dict[Code, Text] = Field(default_factory=dict)
    """Warnings about it, and about what it depends on, that are not to be reported, each with the
    reason."""


class InvariantSpec(Spec):
    """Something that holds for every trace, whoever emits it. Exactly one of the three kinds."""

    label: ClassVar[str] = "an invariant"

    brief: Brief
    """What must hold, in a sentence."""
    constant: Name | None = None
    """An attribute that has one value along a trace."""
    one_link: Name | None = None
    """A span that has exactly one link."""
    at_most: Annotated[int, Field(ge=1)] | None = None
    """How many spans named `span` a trace has at most."""
    span: Name | None = None
    """The span that `at_most` is about."""
    root: Name | None = None
    """The span that a trace begins with where this holds; every trace, where left out."""
    group: Word | None = None
    """The group that is on where this holds; whatever is selected, where left out."""


class RegistrySpec(ItemSpec):
    """One registry file."""

    label: ClassVar[str] = "a registry"

    registry: Word
    """Its name: the package, the folder of the docs and the first part of group ids."""
    title: Text | None = None
    """What people call it."""
    version: Version
    """Version of the registry."""
    owners: list[Text] = Field(default_factory=list)
    """Who answers for it."""
    namespaces: list[Name] = Field(default_factory=list)
    """What the names declared here begin with; a name may be listed in full."""
    uses: list[Text | dict[str, Version] | UseSpec] = Field(
        default_factory=list[Text | dict[str, Version] | UseSpec]
    )
    """Registries that this one builds on: a name, `name: version`, or a mapping."""
    processes: dict[Word, ProcessSpec] = Field(default_factory=dict)
    """The roles that processes play: who emits."""
    groups: dict[Word, GroupSpec] = Field(default_factory=dict)
    """Span groups: what a person switches on and off."""
    presets: dict[Word, list[Word] | PresetSpec] = Field(default_factory=dict)
    """Sets of groups with a name."""
    bucket: BucketSpec | None = None
    """What the time of spans counts towards."""
    boundaries: dict[Word, list[Number]] = Field(default_factory=dict)
    """Bucket boundaries that histograms share, by name."""
    schema_url: Text | None = None
    """The OpenTelemetry schema URL that its telemetry carries."""
    invariants: list[InvariantSpec] = Field(default_factory=list[InvariantSpec])
    """What holds for every trace, whoever emits it."""
