"""The registry file: a name, its namespaces, who emits, and what people switch."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from telewright_codegen.spec.common import (
    Cardinality,
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


class GroupSpec(ItemSpec):
    """A span group: what a person switches on and off."""

    label: ClassVar[str] = "a group"

    cardinality: Annotated[Cardinality, Lax] | None = None
    umbrella: bool = False
    """Whether its spans contain others and so never count towards a bucket."""
    bucket: Text | None = None


class PresetSpec(ItemSpec):
    """A set of groups with a name, written as a mapping."""

    label: ClassVar[str] = "a preset"

    groups: list[Word]


class UseSpec(Spec):
    """A registry that this one builds on, written as a mapping."""

    label: ClassVar[str] = "a used registry"

    registry: Text
    version: Version | None = None
    path: Text | None = None


class InvariantSpec(Spec):
    """Something that holds for every trace, whoever emits it. Exactly one of the three kinds."""

    label: ClassVar[str] = "an invariant"

    brief: Text
    constant: Name | None = None
    """An attribute that has one value along a trace."""
    one_link: Name | None = None
    """A span that has exactly one link."""
    at_most: Annotated[int, Field(ge=1)] | None = None
    """How many spans named `span` a trace has at most."""
    span: Name | None = None


class RegistrySpec(ItemSpec):
    """One registry file."""

    label: ClassVar[str] = "a registry"

    registry: Word
    title: Text | None = None
    version: Version
    owners: list[Text] = Field(default_factory=list)
    namespaces: list[Name] = Field(default_factory=list)
    uses: list[Text | dict[str, Version] | UseSpec] = Field(default_factory=list)
    processes: dict[Word, ProcessSpec] = Field(default_factory=dict)
    groups: dict[Word, GroupSpec] = Field(default_factory=dict)
    presets: dict[Word, list[Word] | PresetSpec] = Field(default_factory=dict)
    boundaries: dict[Word, list[Number]] = Field(default_factory=dict)
    schema_url: Text | None = None
    invariants: list[InvariantSpec] = Field(default_factory=list[InvariantSpec])
