"""Metric instruments."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from telewright_codegen.spec.common import (
    Identifier,
    ItemSpec,
    Name,
    OneOrMore,
    Requirement,
    Scalar,
    Spec,
    Text,
    Word,
)

InstrumentKind = Literal[
    "counter",
    "up_down_counter",
    "gauge",
    "histogram",
    "observable_counter",
    "observable_up_down_counter",
    "observable_gauge",
]

KINDS: tuple[InstrumentKind, ...] = (
    "counter",
    "up_down_counter",
    "gauge",
    "histogram",
    "observable_counter",
    "observable_up_down_counter",
    "observable_gauge",
)

Number = Annotated[float, Field(allow_inf_nan=False)] | int


class SourceSpec(Spec):
    """A series on Prometheus pages that an observable instrument is read from."""

    label: ClassVar[str] = "a source"

    series: Text
    """The name of the series on the page."""
    page: Text | None = None
    """Where the page is: an address, or what finds it (`ray`). Left out: the registry's name."""
    labels: dict[str, Name] = Field(default_factory=dict)
    """From a label of the page to the attribute that it becomes."""
    attributes: dict[str, Scalar] = Field(default_factory=dict)
    """Values of attributes that neither the page nor what finds it says."""
    every: Annotated[float, Field(gt=0)] | Annotated[int, Field(gt=0)] | None = None
    """Seconds between two readings; 10 where nothing is said."""
    scale: Number | None = None
    """What a reading is multiplied with, to be in the unit of the instrument."""


class MetricSpec(ItemSpec):
    """An instrument; the field that holds its name says which."""

    label: ClassVar[str] = "a metric"

    counter: Name | None = None
    """Name of a sum that only grows."""
    up_down_counter: Name | None = None
    """Name of a sum that grows and shrinks."""
    gauge: Name | None = None
    """Name of a value that is set."""
    histogram: Name | None = None
    """Name of a distribution."""
    observable_counter: Name | None = None
    """Name of a growing sum that is read when metrics are exported."""
    observable_up_down_counter: Name | None = None
    """Name of a sum that is read when metrics are exported."""
    observable_gauge: Name | None = None
    """Name of a value that is read when metrics are exported."""
    as_: Identifier | None = Field(default=None, alias="as")
    """The Python name of the instrument."""
    unit: str
    """In UCUM: ``s``, ``By``, ``{rollout}``, ``1``."""
    value: Literal["int", "double"] | None = None
    """Whether values are whole numbers. Left out: `int` for counters, else `double`."""
    boundaries: list[Number] | Word | None = None
    """Where the buckets of a histogram end: numbers, or a name among the registry's."""
    attributes: dict[str, Requirement] = Field(default_factory=dict)
    """Keys, each with how much it is needed."""
    once_per: OneOrMore | dict[str, OneOrMore] | None = None
    """Attributes by which an event is counted once in a process; for single members, a mapping."""
    remember: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    """How many combinations of `once_per` are remembered, at least."""
    writer: Word | None = None
    """The one process role that makes the instrument."""
    window: Literal["step", "run"] | None = None
    """What a value is about: one `step`, or the whole `run`."""
    measurement: Literal["wall", "thread_seconds"] | None = None
    """What a duration counts: time on the `wall`, or `thread_seconds`, which add up."""
    aggregation: (
        Literal[
            "sum",
            "last_value",
            "explicit_bucket_histogram",
            "base2_exponential_bucket_histogram",
            "drop",
        ]
        | None
    ) = None
    """How the SDK aggregates it, where that is not the kind's own way."""
    source: SourceSpec | Text | None = None
    """The series of a Prometheus page that an observable instrument is read from."""
    max_series: Annotated[int, Field(ge=1)] | None = None
    """How many combinations of attribute values it may have."""
    overflow: Text | None = None
    """The value that attributes have in the series of all further combinations, else `_OTHER`."""

    @property
    def instruments(self) -> list[InstrumentKind]:
        """The kinds that are named; exactly one in a valid metric."""
        return [kind for kind in KINDS if getattr(self, kind) is not None]
