"""The fast tier of metrics: instruments with cells of our own, beside the SDK's in every export."""

from __future__ import annotations

from dataclasses import replace
from time import time_ns
from weakref import WeakValueDictionary

from opentelemetry.sdk import metrics as sdk  # noqa: TID251 - started processes only
from opentelemetry.sdk.metrics.export import (  # noqa: TID251 - started processes only
    AggregationTemporality,
    Gauge,
    Histogram,
    MetricsData,
    ResourceMetrics,
    ScopeMetrics,
    Sum,
)
from opentelemetry.sdk.metrics.view import (  # noqa: TID251 - started processes only
    DefaultAggregation,
    ExplicitBucketHistogramAggregation,
)
from opentelemetry.sdk.util.instrumentation import (  # noqa: TID251 - started processes only
    InstrumentationScope,
)

from telewright._books import THREADS_RUN_AT_ONCE
from telewright._exemplars import chosen_filter
from telewright._fast_cells import HistogramCell, LockedHistogram, LockedSum, SumCell
from telewright._fast_family import Family
from telewright._fast_gauge import GaugeCell
from telewright._guard import LOCK, failed, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, Final

    from opentelemetry.metrics import Meter
    from opentelemetry.sdk.metrics.export import Metric  # noqa: TID251 - types only
    from opentelemetry.sdk.resources import Resource  # noqa: TID251 - types only

    from telewright._fast_cells import Cell
    from telewright._group import Registry

_DELTA: Final = AggregationTemporality.DELTA
_SUM: Final = LockedSum if THREADS_RUN_AT_ONCE else SumCell
_HISTOGRAM: Final = LockedHistogram if THREADS_RUN_AT_ONCE else HistogramCell
_USUAL: Final = (DefaultAggregation(), ExplicitBucketHistogramAggregation())

_KNOWN: Final[dict[tuple[InstrumentationScope, object], WeakValueDictionary[object, Cell]]] = {}
"""The series of each instrument whose verbs somebody has kept, from earlier starts too."""


class FastMetrics:
    """What the instruments of one process have recorded in cells, and its way into the exports.

    Args:
        preferences: What the exporter asks of a reader.
        resource: What is true of the whole process.
    """

    def __init__(self, preferences: Mapping[str, Any], resource: Resource) -> None:
        self._temporality: Final[Mapping[type, Any]] = (
            preferences.get("preferred_temporality") or {}
        )
        self._aggregation: Final[Mapping[type, Any]] = (
            preferences.get("preferred_aggregation") or {}
        )
        self._resource: Final = resource
        self._families: dict[InstrumentationScope, dict[object, Family]] = {}
        chosen = chosen_filter() or "trace_based"
        self.exemplars: Final = chosen == "trace_based"
        self._reason: Final = (
            "every measurement is to have an exemplar" if chosen == "always_on" else None
        )
        if self._reason is not None:
            say(f"the standard tier of metrics runs: {self._reason}")
        elif self.exemplars:
            say("gauges have no exemplars in the fast tier", first=False)

    def meter(self, meter: Meter, registry: Registry) -> Meter:
        """Return what makes the instruments of *registry*."""
        if self._reason is not None:
            return meter
        scope = InstrumentationScope(registry.scope, registry.version, registry.schema_url)
        return FastMeter(meter, self, scope)  # type: ignore[return-value]  # pyright: ignore[reportReturnType] - as much of one as instruments need

    def family(
        self,
        scope: InstrumentationScope,
        key: object,
        make: Callable[[WeakValueDictionary[object, Cell]], Family],
    ) -> Family:
        """Return the one family of an instrument."""
        with LOCK:
            families = self._families.setdefault(scope, {})
            if key not in families:
                families[key] = make(_KNOWN.setdefault((scope, key), WeakValueDictionary()))
            return families[key]

    def end(self, *, forked: bool = False) -> None:
        """Have nothing take anything any more; also in a *forked* child, which this is not of."""
        with LOCK:
            families = [
                family for members in self._families.values() for family in members.values()
            ]
            self._families = {}
        for family in families:
            family.end(forked=forked)

    def delta(self, kind: type) -> bool:
        """Say whether each interval of such an instrument stands for itself."""
        return self._temporality.get(kind) is _DELTA

    def usual(self, kind: type, name: str) -> bool:
        """Say whether such an instrument is aggregated as it is by itself."""
        chosen = self._aggregation.get(kind)
        if chosen is None or any(
            type(chosen) is type(usual) and vars(chosen) == vars(usual) for usual in _USUAL
        ):
            return True
        say(f"the standard tier of metrics runs for {name}: {type(chosen).__name__} is asked for")
        return False

    def merge(self, data: MetricsData | None) -> MetricsData | None:
        """Return *data* with the data points of the cells."""
        now = time_ns()
        with LOCK:
            families = [(scope, list(of.values())) for scope, of in self._families.items()]
        made: dict[InstrumentationScope, list[Metric]] = {}
        for scope, members in families:
            for family in members:
                try:
                    metric = family.collect(now)
                except Exception:
                    failed("collect metrics")
                    continue
                if metric is not None:
                    made.setdefault(scope, []).append(metric)
        if not made:
            return data
        resources = [] if data is None else list(data.resource_metrics)
        if not resources:
            resources = [ResourceMetrics(self._resource, [], self._resource.schema_url)]
        first, *others = resources
        theirs = {scoped.scope: scoped.metrics for scoped in first.scope_metrics}
        joined = [  # what was recorded comes before what was read now, as the SDK has it
            ScopeMetrics(scope, [*found, *theirs.pop(scope, ())], scope.schema_url or "")
            for scope, found in made.items()
        ]
        joined += [scoped for scoped in first.scope_metrics if scoped.scope in theirs]
        return MetricsData([replace(first, scope_metrics=joined), *others])


class _Handle:
    """An instrument, by all the names that its verb has."""

    def __init__(self, family: Family) -> None:
        self.add = self.record = self.set = family.send


class FastMeter:
    """A meter whose counters, gauges and histograms have cells; the rest is the SDK's.

    The SDK's own instrument is made too, and never used: it says what is wrong with a name.
    """

    def __init__(self, meter: Meter, metrics: FastMetrics, scope: InstrumentationScope) -> None:
        self._meter: Final = meter
        self._metrics: Final = metrics
        self._scope: Final = scope
        self.create_observable_counter = meter.create_observable_counter
        self.create_observable_up_down_counter = meter.create_observable_up_down_counter
        self.create_observable_gauge = meter.create_observable_gauge

    def create_counter(self, name: str, unit: str = "", description: str = "") -> Any:  # noqa: ANN401 - see `_Handle`
        """Make a counter."""
        theirs = self._meter.create_counter(name, unit, description)
        return self._sum(sdk.Counter, theirs, name, unit, description, monotonic=True)

    def create_up_down_counter(self, name: str, unit: str = "", description: str = "") -> Any:  # noqa: ANN401 - see `_Handle`
        """Make a counter of what comes and goes."""
        theirs = self._meter.create_up_down_counter(name, unit, description)
        return self._sum(sdk.UpDownCounter, theirs, name, unit, description, monotonic=False)

    def create_gauge(self, name: str, unit: str = "", description: str = "") -> Any:  # noqa: ANN401 - see `_Handle`
        """Make a gauge."""
        theirs = self._meter.create_gauge(name, unit, description)
        kind: type = sdk._Gauge  # pyright: ignore[reportPrivateUsage] - the SDK exports it by this name
        return self._made(kind, theirs, (name, unit, description), GaugeCell, Gauge)

    def create_histogram(
        self,
        name: str,
        unit: str = "",
        description: str = "",
        *,
        explicit_bucket_boundaries_advisory: Sequence[float] | None = None,
    ) -> Any:  # noqa: ANN401 - see `_Handle`
        """Make a histogram; one without boundaries of its own is the SDK's."""
        bounds = explicit_bucket_boundaries_advisory
        theirs = self._meter.create_histogram(
            name, unit, description, explicit_bucket_boundaries_advisory=bounds
        )
        if bounds is None:
            return theirs
        temporality = self._temporality(sdk.Histogram)
        return self._made(
            sdk.Histogram,
            theirs,
            (name, unit, description),
            _HISTOGRAM,
            lambda points: Histogram(points, temporality),
            tuple(bounds),
        )

    def _sum(  # noqa: PLR0913 - what an instrument is
        self, kind: type, theirs: object, name: str, unit: str, description: str, *, monotonic: bool
    ) -> Any:  # noqa: ANN401 - see `_Handle`
        temporality = self._temporality(kind)
        return self._made(
            kind,
            theirs,
            (name, unit, description),
            _SUM,
            lambda points: Sum(points, temporality, monotonic),
        )

    def _temporality(self, kind: type) -> AggregationTemporality:
        return _DELTA if self._metrics.delta(kind) else AggregationTemporality.CUMULATIVE

    def _made(  # noqa: PLR0913, PLR0917 - what an instrument is
        self,
        kind: type,
        theirs: object,
        named: tuple[str, str, str],
        cell: Any,  # noqa: ANN401 - a kind of cell
        data: Callable[[list[Any]], Any],
        boundaries: tuple[float, ...] = (),
    ) -> Any:  # noqa: ANN401 - see `_Handle`
        name, unit, brief = named
        if not self._metrics.usual(kind, name):
            return theirs
        return _Handle(
            self._metrics.family(
                self._scope,
                (kind, name.lower(), unit, brief, boundaries),
                lambda known: Family(
                    cell,
                    name.lower(),  # as the SDK has it
                    unit,
                    brief,
                    data=data,
                    delta=self._metrics.delta(kind),
                    exemplars=self._metrics.exemplars,
                    boundaries=boundaries,
                    known=known,
                ),
            )
        )
