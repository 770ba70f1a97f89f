"""What happens to every span of our providers: scopes, books, the queue, the end of the process."""

from __future__ import annotations

from opentelemetry.context import get_current
from opentelemetry.sdk.trace import Span, SpanProcessor  # noqa: TID251 - started processes only

from telewright._guard import failed
from telewright._judge import TRUNCATED
from telewright._scope import attributes_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import ReadableSpan  # noqa: TID251 - see above

    from telewright._batcher import Batcher
    from telewright._books import Ledger

_MOST_OPEN: Final = 65_536


class ScopeProcessor(SpanProcessor):
    """Copies the open scopes onto every span as it starts; what the span says itself wins."""

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        """Add what the scopes of *parent_context* say and the span does not."""
        try:
            scope = attributes_of(get_current() if parent_context is None else parent_context)
            if scope:
                own = span.attributes or {}
                added = {key: value for key, value in scope.items() if key not in own}
                if added:
                    span.set_attributes(added)
        except Exception:
            failed("apply a scope")


class QueueProcessor(SpanProcessor):
    """Accounts for every span, and queues it for export when it ends."""

    def __init__(self, batcher: Batcher, ledger: Ledger) -> None:
        self._batcher: Final = batcher
        self._ledger: Final = ledger
        self._open: Final[dict[int, Span]] = {}
        self._over = False

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        """Count a span, and remember it while it is open."""
        del parent_context
        if not self._over:
            self._ledger.make()
            if len(self._open) < _MOST_OPEN:
                self._open[span.get_span_context().span_id] = span

    def on_end(self, span: ReadableSpan) -> None:
        """Queue a span if it is sampled; else it was only recorded."""
        if self._over:
            return
        context = span.get_span_context()
        if context is not None:
            self._open.pop(context.span_id, None)
        if context is not None and context.trace_flags.sampled:
            self._batcher.put(span)
        else:
            self._ledger.drop("not_sampled")

    def truncate(self, reason: str) -> None:
        """End every open span, the innermost first, marked as what its process did not end."""
        self._batcher.widen()
        for span in reversed(list(self._open.values())):
            try:
                if span.is_recording():
                    span.set_attribute(TRUNCATED, value=True)
                    span.add_event(TRUNCATED, {"reason": reason})
                    span.end()
            except Exception:
                failed("end an open span")

    def finish(self) -> None:
        """Take no more, and settle the books."""
        self._batcher.close()
        self._over = True
        self._open.clear()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Export what is queued within the time given."""
        from time import monotonic

        return self._batcher.wait(self._batcher.ask(), monotonic() + timeout_millis / 1000)
