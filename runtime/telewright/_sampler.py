"""Sampling where nobody says anything about it: a span is kept unless its parent is not.

What `opentelemetry.sdk.trace.sampling.DEFAULT_ON` decides, found in one look at the parent: the
SDK's takes three, which is a twentieth of what a span costs. Attributes are handed on as they came:
the SDK copies them at once, and through a read-only view that costs it another fiftieth.
"""

from __future__ import annotations

from os import environ

from opentelemetry.sdk.trace.sampling import (  # noqa: TID251 - started processes only
    Decision,
    Sampler,
    SamplingResult,
)
from opentelemetry.trace import TraceFlags

from telewright import _late as late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from opentelemetry.context import Context
    from opentelemetry.trace import Link, SpanKind, TraceState
    from opentelemetry.util.types import Attributes

_KEPT: Final = Decision.RECORD_AND_SAMPLE
_SAMPLED: Final = TraceFlags.SAMPLED


class _Kept(SamplingResult):
    """That a span is kept."""

    def __init__(self, attributes: Attributes, trace_state: TraceState | None = None) -> None:
        self.decision = _KEPT
        self.attributes = {} if attributes is None else attributes  # type: ignore[assignment]  # the SDK reads it only
        self.trace_state = trace_state


class ParentSampler(Sampler):
    """Keeps every trace that begins here, and of the others those that are kept elsewhere."""

    def should_sample(  # noqa: PLR0913, PLR0917 - the SDK's signature
        self,
        parent_context: Context | None,
        trace_id: int,  # noqa: ARG002 - the SDK's signature
        name: str,  # noqa: ARG002 - the SDK's signature
        kind: SpanKind | None = None,  # noqa: ARG002 - the SDK's signature
        attributes: Attributes = None,
        links: Sequence[Link] | None = None,  # noqa: ARG002 - the SDK's signature
        trace_state: TraceState | None = None,  # noqa: ARG002 - the SDK's signature
    ) -> SamplingResult:
        """Decide as the parent did; without one, keep the span."""
        if parent_context is not None and late.SPAN_KEY not in parent_context:
            return _Kept(attributes)
        parent = late.get_current_span(parent_context).get_span_context()
        if not parent.is_valid:
            return _Kept(attributes)
        if parent.trace_flags & _SAMPLED:
            return _Kept(attributes, parent.trace_state)
        return SamplingResult(Decision.DROP, None, parent.trace_state)

    def get_description(self) -> str:
        """Name this sampler as the SDK names its own that decides so."""
        return "ParentBased{root:AlwaysOnSampler}"


def sampler() -> Sampler | None:
    """Return this sampler, or None for the SDK's if ``OTEL_TRACES_SAMPLER`` chooses one."""
    return None if environ.get("OTEL_TRACES_SAMPLER", "").strip() else ParentSampler()
