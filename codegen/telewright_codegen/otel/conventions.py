"""A registry as OpenTelemetry's tools see it: attributes, and signals that have attributes.

Topics leave out what our runtime has no use for. Where a registry is written in OpenTelemetry's
own dialect, this is all of it, resolved; emitters of OpenTelemetry's own layouts read it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SignalKind = Literal["attribute_group", "span", "metric", "event", "entity"]
Scalar = str | int | float | bool
Need = Literal["required", "conditionally_required", "recommended", "opt_in"]


class Retirement(NamedTuple):
    """Why something should no longer be used."""

    reason: str | None
    renamed_to: str | None
    note: str


class Value(NamedTuple):
    """A known value of an attribute."""

    id: str
    value: str | float
    """A text, a number or a truth value."""
    brief: str
    note: str
    stability: str | None
    deprecated: Retirement | None
    annotations: Mapping[str, Any]

    @property
    def is_in_code(self) -> bool:
        """Whether generated code has it."""
        return is_in_code(self.annotations)


class Key(NamedTuple):
    """An attribute, as it is declared or as one signal has it."""

    name: str
    type: str
    """As declared: ``string``, ``template[int]``; what the values are, where they are known."""
    values: tuple[Value, ...] | None
    """None where any value may occur."""
    brief: str
    note: str
    examples: Scalar | Sequence[Scalar | Sequence[Scalar]] | None
    stability: str | None
    deprecated: Retirement | None
    need: Need
    condition: str
    """When it is needed so much; empty where always."""
    role: str | None
    is_early: bool
    """Whether samplers want to see it."""
    annotations: Mapping[str, Any]
    home: str
    """The group that declares it."""

    @property
    def is_in_code(self) -> bool:
        """Whether generated code has it."""
        return is_in_code(self.annotations)


class BodyField(NamedTuple):
    """A field of an event's body, and those that it has itself where it is a map."""

    key: Key
    fields: tuple[BodyField, ...]


class Signal(NamedTuple):
    """A group: attributes, and what they describe."""

    id: str
    kind: SignalKind
    name: str
    """Of the metric, the event or the entity; empty for others."""
    brief: str
    note: str
    stability: str | None
    deprecated: Retirement | None
    refines: str | None
    """The group of the signal that this is one use of."""
    keys: tuple[Key, ...]
    instrument: str | None
    unit: str | None
    span_kind: str | None
    entities: tuple[str, ...]
    annotations: Mapping[str, Any]
    body: tuple[BodyField, ...] = ()
    """Of an event: what its body has, besides its attributes."""
    place: Callable[[], object] = str
    """Where it is declared, found out when somebody asks."""

    @property
    def is_whole_metric(self) -> bool:
        """Whether it is a metric, not one use of it, and says what instrument it is."""
        is_named = bool(self.name and self.instrument and self.unit is not None)
        return self.kind == "metric" and self.refines is None and is_named

    @property
    def is_in_code(self) -> bool:
        """Whether generated code has it."""
        return is_in_code(self.annotations)


class Conventions(NamedTuple):
    """All attributes that a registry declares, and all groups, in the order of its files."""

    keys: tuple[Key, ...]
    signals: tuple[Signal, ...]


def is_in_code(annotations: Mapping[str, Any]) -> bool:
    """Return whether annotations let something be in generated code."""
    generation: Any = annotations.get("code_generation")
    return not (isinstance(generation, dict) and generation.get("exclude") is True)  # pyright: ignore[reportUnknownMemberType]  annotations are anything
