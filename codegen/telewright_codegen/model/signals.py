"""Attributes, enumerations, spans, metrics and what surrounds them, resolved.

Each keeps the spec it came from (`spec`: prose and plain fields are read there) and where that
was written (`at`), and adds only what resolving decided. Each exists once: two that are the same
are one object, so they compare and hash by identity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from telewright_codegen.source import At
    from telewright_codegen.spec.attribute import AttributeSpec, EnumFields, MemberSpec
    from telewright_codegen.spec.common import Cardinality, Sensitivity
    from telewright_codegen.spec.metric import InstrumentKind, MetricSpec
    from telewright_codegen.spec.registry import GroupSpec, PresetSpec
    from telewright_codegen.spec.span import EventSpec, ScopeSpec, SpanSpec
    from telewright_codegen.spec.topic import InstrumentationSpec, ResourceSpec, SettingSpec

Level = Literal["required", "recommended", "opt_in", "detected"]
Redact = Literal["keep", "drop", "mask", "hash"]


class Home(NamedTuple):
    """The module that something is generated into: a registry and a topic of it."""

    registry: str
    topic: str


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """One value of an enumeration."""

    name: str
    """As written in the spec, ``lease_expired``."""
    value: str | int
    """As exported."""
    constant: str
    """As named in Python, ``LEASE_EXPIRED``."""
    brief: str
    spec: MemberSpec | None
    at: At

    @property
    def text(self) -> str:
        """Its value as people and names have it."""
        return str(self.value)


@dataclass(frozen=True, slots=True, eq=False)
class Enum:
    """An enumeration."""

    name: str
    home: Home
    brief: str
    members: tuple[Member, ...]
    numeric: bool
    """Whether its values are whole numbers; they are texts as a rule."""
    open: bool
    overflow: Member | None
    """What other values become in metrics; None in a closed enumeration. An open one of numbers
    may have none; then other values are left out there."""
    ok: Member | None
    error: Member | None
    cancelled: Member | None
    codes: tuple[tuple[str, Member], ...]
    spec: EnumFields
    at: At


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """One key."""

    key: str
    home: Home
    type: str
    """As in the spec: ``string``, ``template[int]``; an enumeration's is that of its values."""
    enum: Enum | None
    constant: str
    """``NEMO_GYM_ROLLOUT_ID``; with ``_TEMPLATE`` at the end for a template."""
    sensitivity: Sensitivity
    redact: Redact | int
    """What happens to a value, by sensitivity and `redact:`; a number: characters to keep."""
    spec: AttributeSpec
    at: At


@dataclass(frozen=True, slots=True, eq=False)
class Use:
    """An attribute as one signal uses it."""

    attribute: Attribute
    level: Level
    late: bool
    """Known only at the end: a keyword of ``set()``."""
    condition: str | None
    """When it is required, for people."""
    param: str
    """Its Python parameter in this signal's helper."""
    at: At
    """Where the signal says so."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """A span group."""

    registry: str
    name: str
    constant: str
    cardinality: Cardinality | None
    bucket: Member | None
    """What the time of its spans counts towards, where they say nothing else."""
    spec: GroupSpec
    at: At

    @property
    def id(self) -> str:
        """The name everywhere outside its registry: ``gym.checkpoint``."""
        return f"{self.registry}.{self.name}"


@dataclass(frozen=True, slots=True, eq=False)
class Buckets:
    """What the time of spans counts towards, as one registry says it."""

    attribute: Attribute
    enum: Enum
    default: Member | None
    """The bucket of groups that say nothing."""
    at: At


@dataclass(frozen=True, slots=True, eq=False)
class Preset:
    """A set of groups of one registry."""

    registry: str
    name: str
    groups: tuple[Group, ...]
    spec: PresetSpec | None
    at: At

    @property
    def id(self) -> str:
        """The name everywhere outside its registry: ``gym.default``."""
        return f"{self.registry}.{self.name}"


@dataclass(frozen=True, slots=True, eq=False)
class Once:
    """What one event is counted once for."""

    member: Member | None
    """The member that this holds for; None: for every event."""
    ids: tuple[Use, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A series of Prometheus pages that an instrument is read from."""

    series: str
    page: str
    """An address, or the name of what finds the page."""
    labels: tuple[tuple[str, Use], ...]
    """Each label of the page that becomes an attribute."""
    attributes: tuple[tuple[Use, str | int | float | bool], ...]
    """What attributes are where nothing else says so."""
    every: float
    scale: float


@dataclass(frozen=True, slots=True, eq=False)
class Metric:
    """An instrument."""

    name: str
    home: Home
    kind: InstrumentKind
    unit: str
    value: Literal["int", "double"]
    boundaries: tuple[float, ...] | None
    attributes: tuple[Use, ...]
    once_per: tuple[Once, ...]
    source: Source | None
    helper: str
    """Its name in the module: ``operation_duration_ms``, ``events``, ``bytes_``."""
    class_name: str
    """``OperationDurationMs``."""
    value_param: str
    """What its value is called: ``milliseconds``, ``events``, ``value``."""
    value_default: int | None
    """1 for counters of occurrences."""
    spec: MetricSpec
    at: At


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """An event of a span, or a log record."""

    name: str
    home: Home
    attributes: tuple[Use, ...]
    helper: str
    spec: EventSpec
    at: At


@dataclass(frozen=True, slots=True, eq=False)
class Placeholder:
    """The part of a span's name that is a member of an enumeration."""

    attribute: Attribute
    enum: Enum
    param: str
    names: tuple[tuple[Member, str], ...]
    """Every member for which the span exists, and the name it then has."""
    other: str
    """The name under which any other value is opened."""


class Root(NamedTuple):
    """Whose trace a span belongs to."""

    policy: Literal["owner", "always", "linked_to"]
    target: str | None
    """The name of the owner span that a linked root is linked to."""


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """The attribute that says how a block ended, and the members that say it."""

    attribute: Attribute
    enum: Enum
    ok: Member
    error: Member
    cancelled: Member | None


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """A span."""

    name: str
    """As written; a pattern keeps its placeholder."""
    home: Home
    group: Group
    placeholder: Placeholder | None
    attributes: tuple[Use, ...]
    """Without outcome and error code, which the runtime fills."""
    events: tuple[Event, ...]
    outcome: Outcome | None
    error_code: Attribute | None
    duration: Metric | None
    root: Root | None
    parents: tuple[str, ...]
    """Names of spans, as their specs write them."""
    processes: tuple[str, ...]
    scopes: tuple[str, ...]
    """Scopes that must be open."""
    cardinality: Cardinality | None
    bucket: str | None
    """What its time counts towards: what it says itself, else what its group says."""
    own_bucket: bool
    """Whether it says so itself, which scopes do not change."""
    helper: str
    class_name: str
    """``Operation``; generated only where there is something to set."""
    spec: SpanSpec
    at: At


@dataclass(frozen=True, slots=True, eq=False)
class Scope:
    """Attributes that every span started inside a block carries."""

    name: str
    home: Home
    attributes: tuple[Use, ...]
    propagates: tuple[str, ...]
    rebucket: Member | None
    """The bucket that spans inside have instead of their group's."""
    group: Group | None
    """The group that spans inside are moved to."""
    helper: str
    spec: ScopeSpec
    at: At


@dataclass(frozen=True, slots=True, eq=False)
class Resource:
    """A named set of resource attributes."""

    name: str
    home: Home
    attributes: tuple[Use, ...]
    processes: tuple[str, ...]
    helper: str
    spec: ResourceSpec
    at: At


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """One thing that a person configures."""

    name: str
    home: Home
    env: tuple[str, ...]
    attribute: str
    """Its name among the settings that are read: ``memory_profiling_enabled``."""
    spec: SettingSpec
    at: At


@dataclass(frozen=True, slots=True, eq=False)
class Instrumentation:
    """A third-party instrumentor."""

    package: str
    home: Home
    group: Group | None
    cardinality: Cardinality | None
    processes: tuple[str, ...]
    attributes: tuple[Use, ...]
    """What its spans carry."""
    spec: InstrumentationSpec
    at: At
