"""What happens to every span of our providers: scopes, books, the queue, the end of the process."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic

from opentelemetry.context import get_current
from opentelemetry.sdk.trace import (  # noqa: TID251 - started processes only
    Span,
    SpanProcessor,
    SynchronousMultiSpanProcessor,
)
from opentelemetry.trace import TraceFlags

from telewright._added import Added
from telewright._books import THREADS_RUN_AT_ONCE
from telewright._declared import SCOPE
from telewright._group import TRACES
from telewright._guard import failed, say
from telewright._judge import TRUNCATED, Judge
from telewright._reentrant import let_span
from telewright._span import KEY, attributes_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import ReadableSpan  # noqa: TID251 - see above
    from opentelemetry.trace import Tracer, TracerProvider

    from telewright._batcher import Batcher
    from telewright._books import Ledger
    from telewright._group import Registry
    from telewright._open_spans import Opened

MOST_OPEN: Final = 65_536
_SAMPLED: Final = TraceFlags.SAMPLED


class ScopeProcessor(SpanProcessor):
    """Copies the open scopes, judged, onto the spans of somebody else's provider as they start.

    A processor cannot be taken away again: while telemetry is off, this one does nothing.
    """

    def __init__(self) -> None:
        self._judge: Final = Judge()

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        """Add what the scopes of *parent_context* say, unless the span is ours, which has it."""
        if not TRACES.on:
            return
        try:
            context = get_current() if parent_context is None else parent_context
            tracer = span.instrumentation_scope
            if KEY in context and not (tracer is not None and tracer.name.startswith(SCOPE)):
                apply_scope(span, context, self._judge)
        except Exception:  # a span of another kind than the SDK's
            failed("apply a scope")


_BROUGHT: Final[list[object]] = []
"""The providers that got a `ScopeProcessor`, or have no place for one."""


def bring_scopes(provider: TracerProvider) -> None:
    """Have the spans of *provider*, which is somebody else's, carry the open scopes."""
    if any(one is provider for one in _BROUGHT):
        return
    _BROUGHT.append(provider)
    try:
        add: Any = getattr(provider, "add_span_processor", None)
        if add is None:
            name = type(provider).__qualname__
            say(f"scopes are on spans of ours alone: {name} takes no processors")
        else:
            add(ScopeProcessor())
    except Exception:
        failed("bring scopes to somebody else's spans")


def apply_scope(span: Span, context: Context, judge: Judge | None = None) -> None:
    """Add to *span* what the scopes open in *context* say and the span itself does not."""
    try:
        scope = attributes_of(context)
        own = span.attributes or {}
        added = {key: value for key, value in (scope or {}).items() if key not in own}
        if added:
            span.set_attributes(added if judge is None else judge.attributes(added, ""))
    except Exception:
        failed("apply a scope")


class QueueProcessor(SynchronousMultiSpanProcessor):
    """Accounts for every span, and queues it for export when it ends.

    It stands where the SDK has a list of processors, which costs a call each time a span starts,
    is about to end, and ends; processors that others add come after it.
    """

    def __init__(self, batcher: Batcher, ledger: Ledger) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # the SDK's
        self._batcher: Final = batcher
        self._put: Final = batcher.put
        self._ledger: Final = ledger
        self._counting = ledger.lock
        self._open: Final[dict[int, Opened]] = {}  # by its context, which its copies share
        self._full = False  # no span is counted any more
        self._over = False  # nor does one that ends go anywhere
        self._added = False
        self._others: Final[list[Added]] = []

    def add_span_processor(self, span_processor: SpanProcessor) -> None:
        """Add a processor that comes after this one."""
        super().add_span_processor(span_processor)
        made = Added(span_processor)
        with self._counting:
            late = self._over
            if not late:
                self._others.append(made)
        if late:
            made.close()
        self._added = True

    def tracer(self, sdk: Tracer, registry: Registry) -> Tracer:  # noqa: ARG002 - the fast tier needs it
        """Return what makes the spans of *registry*: the SDK's tracer."""
        return sdk

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        """Count a span, give it the scopes it lacks, and remember it while it is open."""
        let_span(span)
        key, room = id(span.context), len(self._open) < MOST_OPEN
        opened = span, span.name, monotonic()
        if THREADS_RUN_AT_ONCE:
            with self._counting:
                if not self._full:
                    self._ledger.made += 1
                    if room:
                        self._open[key] = opened
        elif not self._full:  # without a call no other thread comes in between
            self._ledger.made += 1
            if room:
                self._open[key] = opened
        context = get_current() if parent_context is None else parent_context
        if KEY in context:
            apply_scope(span, context)
        if self._added:
            super().on_start(span, parent_context)

    def _on_ending(self, span: Span) -> None:
        if self._added:
            super()._on_ending(span)

    def on_end(self, span: ReadableSpan) -> None:
        """Queue a span if it is sampled; else it was only recorded."""
        if not self._over:
            context = span.context
            if self._open.pop(id(context), None) is None and self._full:
                pass  # it may have started too late to be counted
            elif context is not None and context.trace_flags & _SAMPLED:
                self._put(span)
            else:
                self._ledger.drop("not_sampled")
        if self._added:
            super().on_end(span)

    def open_spans(self) -> list[Opened]:
        """Return the spans that are open now, each with its name and time of then."""
        return list(self._open.values())

    def truncate(self, reason: str) -> None:
        """End every open span, the innermost first, marked as what its process did not end.

        From now on no other is counted.
        """
        with self._counting:
            self._full = True
        self._batcher.widen()
        for span, _, _ in reversed(list(self._open.values())):
            try:
                if span.is_recording():
                    span.set_attribute(TRUNCATED, value=True)
                    span.add_event(TRUNCATED, {"reason": reason})
                    span.end()
            except Exception:
                failed("end an open span")

    def finish(self) -> None:
        """Take no span that ends any more, and have the processors that were added shut down."""
        with self._counting:
            self._over = True
        self._open.clear()
        for one in self._others:
            one.close()

    def disown(self) -> None:
        """Take nothing in a forked child: what is open here is the parent's, and ends there."""
        self._full, self._over, self._added = True, True, False
        self._others.clear()
        self._counting = self._ledger.lock
        spans: list[object] = [span for span, _, _ in list(self._open.values())]
        for span in spans:
            if isinstance(span, Span):  # the fast tier's own spans have no lock
                with suppress(TypeError):  # an SDK whose spans have another layout
                    span.__class__ = _Inherited
        self._open.clear()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Export what is queued within the time given, and have what was added do so."""
        deadline = monotonic() + timeout_millis / 1000
        others = self.ask_others(deadline)
        arrived = self._batcher.wait(self._batcher.ask(), deadline)
        return others() and arrived

    def ask_others(self, deadline: float) -> Callable[[], bool]:
        """Have the processors that were added flush; return what waits, and says if they did."""
        asked = [(one, one.ask_until(deadline)) for one in self._others]

        def wait() -> bool:
            answers = [one.wait(ticket, deadline) for one, ticket in asked]
            return all(answers)

        return wait

    def others_are_over(self, deadline: float) -> bool:
        """Wait until *deadline* for the processors that were added to be shut down; say if so."""
        answers = [one.is_over(deadline) for one in self._others]
        return all(answers)


class _Inherited(Span):
    """A span of the SDK's that the parent of a forked child has open: here nothing touches it.

    A thread that wrote on it at the fork holds its lock, and is not in the child.
    """

    def is_recording(self) -> bool:
        """Say that nothing is kept."""
        return False

    def _ignore(self, *given: object, **named: object) -> None:
        """Do nothing."""

    end = set_attribute = set_attributes = add_event = add_link = _ignore
    record_exception = set_status = update_name = _ignore
