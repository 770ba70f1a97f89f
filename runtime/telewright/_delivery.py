"""Exporting a batch so that what cannot be encoded costs itself and nothing else.

Exporters of OTLP encode a batch as a whole and say no more than that it failed. So when one did,
the batch is encoded once more, here: if that works, it was the network; if not, each item is tried
alone, and those that are sound are sent without the others.
"""

from __future__ import annotations

from dataclasses import replace

from telewright._guard import failed
from telewright._quiet import quiet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Final, TypeVar

    from telewright._exporters import Exporter

    Data = TypeVar("Data")

OURS: Final = "telewright.self"
"""The scope of what telemetry says about itself."""


def deliver_items(exporter: Exporter, items: Sequence[Any]) -> dict[str, int]:
    """Export spans or log records, and return how many of them were dropped, by reason."""
    with quiet():
        return _deliver(exporter, items, len, _fit_items)


def deliver_points(exporter: Exporter, data: Any) -> dict[str, int]:  # noqa: ANN401 - MetricsData
    """Export metrics, and return how many of their points were dropped, by reason."""
    with quiet():
        return _deliver(exporter, data, count_points, _fit_points)


def count_points(data: Any) -> int:  # noqa: ANN401 - MetricsData
    """Return how many points there are in *data*; those about telemetry itself are in no book."""
    return sum(
        len(metric.data.data_points)
        for resource_metrics in data.resource_metrics
        for scope in resource_metrics.scope_metrics
        if scope.scope.name != OURS
        for metric in scope.metrics
    )


def _deliver(
    exporter: Exporter,
    data: Data,
    count: Callable[[Data], int],
    fit: Callable[[Data, Callable[[Any], bool]], Data],
) -> dict[str, int]:
    problem = _send(exporter, data)
    if problem is None:
        return _rejected(exporter, count(data))
    encode = exporter.encode
    if encode is None or _encodes(encode, data):
        return {problem: count(data)}
    sound = fit(data, lambda part: _encodes(encode, part))
    left = count(sound)
    dropped = {"unencodable": count(data) - left}
    if left:
        problem = _send(exporter, sound)
        dropped.update(_rejected(exporter, left) if problem is None else {problem: left})
    return dropped


def _rejected(exporter: Exporter, sent: int) -> dict[str, int]:
    """Return what a receiver said it did not keep of *sent* items."""
    rejected = 0 if exporter.rejected is None else min(exporter.rejected(), sent)
    return {"rejected": rejected} if rejected else {}


def _send(exporter: Exporter, data: Any) -> str | None:  # noqa: ANN401 - what that exporter takes
    """Export *data*; return what went wrong, or None."""
    try:
        return None if exporter.send(data) else "export_failed"
    except Exception:
        failed("export")
        return "export_error"


def _encodes(encode: Callable[[Any], object], data: Any) -> bool:  # noqa: ANN401 - see above
    try:
        encode(data)
    except Exception:
        return False
    return True


def _fit_items(items: Sequence[Any], fits: Callable[[Sequence[Any]], bool]) -> list[Any]:
    return [item for item in items if fits([item])]


def _fit_points(data: Any, fits: Callable[[Any], bool]) -> Any:  # noqa: ANN401 - MetricsData
    """Return *data* without the points that do not fit, each tried as the only one."""
    resources: list[Any] = []
    for resource in data.resource_metrics:
        scopes: list[Any] = []
        for scope in resource.scope_metrics:
            metrics: list[Any] = []
            for metric in scope.metrics:
                points = [
                    point
                    for point in metric.data.data_points
                    if fits(_alone(data, resource, scope, _with(metric, [point])))
                ]
                if points:
                    metrics.append(_with(metric, points))
            scopes.append(replace(scope, metrics=metrics))
        resources.append(replace(resource, scope_metrics=scopes))
    return replace(data, resource_metrics=resources)


def _with(metric: Any, points: list[Any]) -> Any:  # noqa: ANN401 - a metric of the SDK's
    return replace(metric, data=replace(metric.data, data_points=points))


def _alone(data: Any, resource: Any, scope: Any, metric: Any) -> Any:  # noqa: ANN401 - see above
    scoped = replace(scope, metrics=[metric])
    return replace(data, resource_metrics=[replace(resource, scope_metrics=[scoped])])
