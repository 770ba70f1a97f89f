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
    """A series on a Prometheus page that a gauge is read from."""

    label: ClassVar[str] = "a source"

    series: Text
    labels: dict[str, Name] = Field(default_factory=dict)
    """From a label of the page to the attribute that it becomes."""
    every: Annotated[float, Field(gt=0)] | Annotated[int, Field(gt=0)] | None = None
    """Seconds between two readings."""
    scale: Number | None = None
    """What a reading is multiplied with, to be in the unit of the gauge."""


class MetricSpec(ItemSpec):
    """An instrument; the field that holds its name says which."""

    label: ClassVar[str] = "a metric"

    counter: Name | None = None
    up_down_counter: Name | None = None
    gauge: Name | None = None
    histogram: Name | None = None
    observable_counter: Name | None = None
    observable_up_down_counter: Name | None = None
    observable_gauge: Name | None = None
    as_: Identifier | None = Field(default=None, alias="as")
    unit: str
    """In UCUM: ``s``, ``By``, ``{rollout}``, ``1``."""
    value: Literal["int", "double"] | None = None
    boundaries: list[Number] | Word | None = None
    attributes: dict[str, Requirement] = Field(default_factory=dict)
    once_per: OneOrMore | dict[str, OneOrMore] | None = None
    remember: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    writer: Word | None = None
    window: Literal["step", "run"] | None = None
    measurement: Literal["wall", "thread_seconds"] | None = None
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
    source: SourceSpec | Text | None = None
    max_series: Annotated[int, Field(ge=1)] | None = None

    @property
    def instruments(self) -> list[InstrumentKind]:
        """The kinds that are named; exactly one in a valid metric."""
        return [kind for kind in KINDS if getattr(self, kind) is not None]
