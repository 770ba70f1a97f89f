"""Making one of the points of a metric that no receiver could tell apart.

What they were told apart by may not leave, or not as it was: two addresses that are masked are one
text. Points of sums and histograms are added up, of gauges the last one stands.
"""

from __future__ import annotations

from dataclasses import replace

from opentelemetry.sdk.metrics.export import (  # noqa: TID251 - started processes only
    Gauge,
    HistogramDataPoint,
    Sum,
)

from telewright._pace import Paced
from telewright._series import key_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Final


def joined(data: object, points: Sequence[Any]) -> Sequence[Any]:
    """Return *points* of a metric with such *data*, those that are alike as one."""
    join = _JOINS.get(type(data), _histograms)
    kept: dict[object, Any] = {}
    for point in points:
        key: object = key_of(point.attributes)
        before = kept.get(key)
        if before is not None:
            both = join(before, point)
            if both is None:
                key = object()
            else:
                point = both  # noqa: PLW2901 - what stands for it
        kept[key] = point
    return points if len(kept) == len(points) else Paced(kept.values())


def _gauges(_one: Any, other: Any) -> Any:  # noqa: ANN401 - see above
    return other


def _sums(one: Any, other: Any) -> Any:  # noqa: ANN401 - see above
    exemplars = sorted([*one.exemplars, *other.exemplars], key=lambda seen: seen.time_unix_nano)
    return replace(
        other,
        start_time_unix_nano=min(one.start_time_unix_nano, other.start_time_unix_nano),
        value=one.value + other.value,
        exemplars=exemplars[-1:],  # the last, as of any sum
    )


def _histograms(one: Any, other: Any) -> Any:  # noqa: ANN401 - see above
    """Return both as one, if their buckets are the same; exponential ones stay apart."""
    if type(one) is not HistogramDataPoint or one.explicit_bounds != other.explicit_bounds:
        return None
    counts = zip(one.bucket_counts, other.bucket_counts, strict=True)
    return replace(
        other,
        start_time_unix_nano=min(one.start_time_unix_nano, other.start_time_unix_nano),
        count=one.count + other.count,
        sum=one.sum + other.sum,
        bucket_counts=tuple([mine + theirs for mine, theirs in counts]),
        min=min(one.min, other.min),
        max=max(one.max, other.max),
        exemplars=[*one.exemplars, *other.exemplars],
    )


_JOINS: Final[dict[type, Callable[[Any, Any], Any]]] = {Sum: _sums, Gauge: _gauges}
