"""Which measurement of an interval is a data point's exemplar: the last in each bucket, or of all.

The SDK draws by lot where there are no buckets, and with the application's `random`.
"""

from __future__ import annotations

from opentelemetry.sdk.metrics import (  # noqa: TID251 - started processes only
    AlignedHistogramBucketExemplarReservoir,
    Exemplar,
    ExemplarReservoir,
)
from opentelemetry.sdk.metrics.view import View  # noqa: TID251 - started processes only
from opentelemetry.trace import get_current_span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opentelemetry.context import Context
    from opentelemetry.util.types import Attributes


class LastExemplar(ExemplarReservoir):
    """Keeps the last measurement that it was offered."""

    def __init__(self) -> None:
        self._offered: tuple[float, int, Attributes, Context] | None = None

    def offer(
        self, value: float, time_unix_nano: int, attributes: Attributes, context: Context
    ) -> None:
        """Keep a measurement in the place of the one before."""
        self._offered = value, time_unix_nano, attributes, context

    def collect(self, point_attributes: Attributes) -> list[Exemplar]:
        """Return what was kept, with what its data point does not say already."""
        offered, self._offered = self._offered, None
        if offered is None:
            return []
        value, when, attributes, context = offered
        known = point_attributes or {}
        further = {key: one for key, one in (attributes or {}).items() if key not in known}
        span = get_current_span(context).get_span_context()
        return [Exemplar(further, value, when, span.span_id, span.trace_id)]


def view() -> View:
    """Return a view of every instrument that has these exemplars."""
    return View(instrument_name="*", exemplar_reservoir_factory=_factory)


def _factory(_kind: type[Any]) -> Any:  # noqa: ANN401 - the SDK has it as a function of one mapping, and calls it with keywords
    return _reservoir


def _reservoir(**given: Any) -> ExemplarReservoir:  # noqa: ANN401 - what an aggregation says
    if "boundaries" in given:
        return AlignedHistogramBucketExemplarReservoir(**given)
    return LastExemplar()
