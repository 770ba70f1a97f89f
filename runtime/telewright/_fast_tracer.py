"""The fast tier of spans: our own, as long as nothing in the process needs the SDK's.

What decides about a span is what the standard tier has: its sampler, its ids, its limits, its
queue. A span that is not sampled, or that is asked for in an unusual way, is the SDK's.
"""

from __future__ import annotations

import sys
from os import environ
from time import monotonic

from opentelemetry.attributes import BoundedAttributes
from opentelemetry.sdk.trace import (  # noqa: TID251 - started processes only
    SpanLimits,
    SpanProcessor,
    SynchronousMultiSpanProcessor,
)
from opentelemetry.sdk.trace.export import (  # noqa: TID251 - started processes only
    BatchSpanProcessor,
    SimpleSpanProcessor,
)
from opentelemetry.sdk.util.instrumentation import (  # noqa: TID251 - started processes only
    InstrumentationScope,
)
from opentelemetry.trace import SpanKind, TraceFlags, Tracer, get_current_span

from telewright import _late as late
from telewright._books import THREADS_RUN_AT_ONCE
from telewright._fast_parts import bounded_link
from telewright._fast_span import FastSpan
from telewright._guard import say
from telewright._processor import MOST_OPEN, QueueProcessor, apply_scope
from telewright._reentrant import reentrant_list
from telewright._span import KEY, attributes_of
from telewright._values import HARMLESS, LONGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final

    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import Tracer as SdkTracer  # noqa: TID251 - types only
    from opentelemetry.sdk.util import BoundedList  # noqa: TID251 - types only
    from opentelemetry.trace import Link, Span
    from opentelemetry.util.types import Attributes

    from telewright._batcher import Batcher
    from telewright._books import Ledger
    from telewright._group import Registry

_INTERNAL: Final = SpanKind.INTERNAL
_RANDOM: Final = int(getattr(TraceFlags, "RANDOM_TRACE_ID", 0))
_FLAGS: Final = TraceFlags(TraceFlags.SAMPLED)
_RANDOM_FLAGS: Final = TraceFlags(TraceFlags.SAMPLED | _RANDOM)

_BLIND: Final = (BatchSpanProcessor, SimpleSpanProcessor)
"""Processors that do nothing with a span while it is open, though they have the methods."""


def queue(batcher: Batcher, ledger: Ledger, limits: SpanLimits | None) -> QueueProcessor:
    """Return a queue whose tracers make our own spans, unless the environment forbids it."""
    reason = _unfit()
    if reason is None:
        return FastQueue(batcher, ledger, limits or SpanLimits())
    say(f"the standard tier of spans runs: {reason}")
    return QueueProcessor(batcher, ledger)


def _unfit() -> str | None:
    """Say what in the environment asks for the SDK's own spans."""
    sampler = environ.get("OTEL_TRACES_SAMPLER", "").strip().lower()
    if sampler not in {"", "parentbased_always_on"}:
        return f"OTEL_TRACES_SAMPLER is {sampler}"
    if environ.get("OTEL_PYTHON_SDK_INTERNAL_METRICS_ENABLED", "").strip().lower() == "true":
        return "the SDK is to measure itself"
    return None


class FastQueue(QueueProcessor):
    """Accounts for our own spans as its base does for the SDK's.

    Attributes:
        standard: Whether a processor needs the SDK's own spans from now on.
    """

    def __init__(self, batcher: Batcher, ledger: Ledger, limits: SpanLimits) -> None:
        super().__init__(batcher, ledger)
        self.standard = False
        self._limits: Final = limits

    def tracer(self, sdk: SdkTracer, registry: Registry) -> Tracer:  # type: ignore[override]  # of the SDK's alone
        """Return what makes the spans of *registry*: a tracer of our own."""
        return FastTracer(sdk, self, registry, self._limits)

    def add_span_processor(self, span_processor: SpanProcessor) -> None:
        """Add a processor. One that looks at spans while they are open is shown the SDK's."""
        super().add_span_processor(span_processor)
        kind = type(span_processor)
        if kind not in _BLIND and not self.standard and _sees_open_spans(kind):
            self.standard = True
            say(
                f"the standard tier of spans runs from now on: {kind.__name__} looks at spans "
                "while they are open"
            )

    def begin(self, span: FastSpan, name: str) -> None:
        """Count a span, and remember it while it is open."""
        spans: dict[int, Any] = self._open  # what `truncate` calls, our spans have
        key, room = id(span), len(spans) < MOST_OPEN
        opened = span, name, monotonic()
        if THREADS_RUN_AT_ONCE:
            with self._counting:
                if not self._full:
                    self._ledger.made += 1
                    if room:
                        spans[key] = opened
        elif not self._full:  # no other thread comes in between
            self._ledger.made += 1
            if room:
                spans[key] = opened

    def done(self, span: FastSpan) -> None:
        """Queue a span that has ended, and hand it to other processors as what they know."""
        if not self._over and (self._open.pop(id(span), None) is not None or not self._full):
            self._put(span)
        if self._added:
            SynchronousMultiSpanProcessor.on_end(self, span.readable())


def _sees_open_spans(kind: type[SpanProcessor]) -> bool:
    return any(
        getattr(kind, name, None) is not getattr(SpanProcessor, name, None)
        for name in ("on_start", "_on_ending")
    )


class FastTracer(Tracer):
    """Makes spans of our own where that is possible, else asks the SDK's tracer.

    Attributes:
        limits: How much one span may hold.
        longest: Characters of one attribute that are kept, if that is limited.
        most: Attributes of one span that are kept.
        strict: Whether texts that are otherwise fit may be too long.
        resource: What is true of the whole process.
        scope: The registry that the spans belong to.
        ended: Takes a span that has ended.
    """

    def __init__(
        self, sdk: SdkTracer, queue: FastQueue, registry: Registry, limits: SpanLimits
    ) -> None:
        ids = sdk.id_generator
        self._sdk: Final = sdk
        self._queue: Final = queue
        self._begin: Final = queue.begin
        self._trace_id: Final = ids.generate_trace_id
        self._span_id: Final = ids.generate_span_id
        random = getattr(ids, "is_trace_id_random", bool)()
        self._flags: Final = _RANDOM_FLAGS if random else _FLAGS
        self.ended: Final = queue.done
        self.limits: Final = limits
        self.longest: Final = limits.max_span_attribute_length
        self.most: Final = (
            sys.maxsize if limits.max_span_attributes is None else limits.max_span_attributes
        )
        self.strict: Final = self.longest is not None and self.longest <= LONGEST
        self.resource: Final = sdk.resource
        self.scope: Final = InstrumentationScope(
            registry.scope, registry.version, registry.schema_url
        )

    def start_span(  # noqa: C901, PLR0913, PLR0917 - OpenTelemetry's signature; one call, no more
        self,
        name: str,
        context: Context | None = None,
        kind: SpanKind = _INTERNAL,
        attributes: Attributes = None,
        links: Sequence[Link] | None = None,
        start_time: int | None = None,
        record_exception: bool = True,  # noqa: FBT001, FBT002 - OpenTelemetry's signature
        set_status_on_exception: bool = True,  # noqa: FBT001, FBT002 - OpenTelemetry's signature
    ) -> Span:
        """Start a span."""
        if context is None:
            context = late.get_current()
        parent = state = None
        flags = self._flags
        usual = record_exception and set_status_on_exception and not self._queue.standard
        if late.SPAN_KEY in context:
            above = context[late.SPAN_KEY]
            if type(above) is not FastSpan:
                above = get_current_span(context)
            found = above.get_span_context()
            if found.is_valid:
                parent, state, above_flags = found, found.trace_state, found.trace_flags
                usual = usual and above_flags.sampled
                flags = _RANDOM_FLAGS if above_flags & _RANDOM else _FLAGS
        if not usual:
            return self._sdk.start_span(
                name,
                context,
                kind,
                attributes,
                links,
                start_time,
                record_exception,
                set_status_on_exception,
            )
        trace_id = self._trace_id() if parent is None else parent.trace_id
        span_id = self._span_id()
        dropped = 0
        values: dict[str, Any] = {**attributes} if attributes else {}
        plain = not self.strict and len(values) <= self.most
        for key, value in values.items():
            if type(value) not in HARMLESS or type(key) is not str or not key:
                plain = False
                break
        if not plain:
            bounded = BoundedAttributes(
                self.limits.max_span_attributes, attributes, max_value_len=self.longest
            )
            dropped, values = bounded.dropped, dict(bounded)
        kept = self._links(links) if links else None
        span = FastSpan(
            self,
            name,
            kind,
            trace_id,
            span_id,
            flags,
            state,
            parent,
            values,
            start_time,
        )
        if dropped or kept is not None:
            span.hold(dropped, kept)
        self._begin(span, name)
        if KEY in context:
            scope = attributes_of(context)
            if scope and not scope.keys() <= values.keys():
                apply_scope(span, context)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType] - as above
        return span

    def _links(self, links: Sequence[Link]) -> BoundedList[Link]:
        """Return those of *links* that lead somewhere; the last, if there are too many."""
        kept: BoundedList[Link] = reentrant_list(self.limits.max_links)
        for link in links:
            made = bounded_link(link.context, link.attributes, self.limits) if link else None
            if made is not None:
                kept.append(made)
        return kept

    def start_as_current_span(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - handed on
        """Start a span of the SDK's, and make it current."""
        return self._sdk.start_as_current_span(*args, **kwargs)
