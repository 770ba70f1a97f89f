"""Which measurement of an interval is a data point's exemplar: the last in each bucket, or of all.

The SDK draws by lot where there are no buckets, and with the application's `random`. What may be
one at all is decided as the SDK does where nobody says anything about it.
"""

from __future__ import annotations

from os import environ

from opentelemetry.sdk.metrics import (  # noqa: TID251 - started processes only
    AlignedHistogramBucketExemplarReservoir,
    Exemplar,
    ExemplarFilter,
    ExemplarReservoir,
)
from opentelemetry.sdk.metrics.view import View  # noqa: TID251 - started processes only
from opentelemetry.trace import Span, TraceFlags, get_current_span

from telewright import _late as late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from opentelemetry.context import Context
    from opentelemetry.util.types import Attributes

_SAMPLED: Final = TraceFlags.SAMPLED
_SPAN: Final = late.SPAN_KEY


class InSampledSpan(ExemplarFilter):
    """Takes what is measured inside a sampled span, as the SDK's own filter does in more calls.

    Each measurement asks it.
    """

    def should_sample(
        self,
        value: float,  # noqa: ARG002 - the SDK's signature
        time_unix_nano: int,  # noqa: ARG002 - the SDK's signature
        attributes: Attributes,  # noqa: ARG002 - the SDK's signature
        context: Context,
    ) -> bool:
        """Say whether the span of *context* is sampled."""
        if not context:
            return False
        span = context.get(_SPAN)
        if span is None or not isinstance(span, Span):
            return False
        return bool(span.get_span_context().trace_flags & _SAMPLED)


def chosen_filter() -> str:
    """Return what the environment chooses; an empty variable is one that is not set."""
    return environ.get("OTEL_METRICS_EXEMPLAR_FILTER", "").strip()


def only() -> ExemplarFilter | None:
    """Return that filter, or None for the SDK's if the environment chooses one."""
    return None if chosen_filter() else InSampledSpan()


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
