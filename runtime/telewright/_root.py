"""Who owns a trace, spans that begin a new one linked to it, and those that are announced.

Ownership travels in the context, beside the current span: it comes with the owner, follows it into
tasks and carried threads, never crosses processes, and is gone when the owner's block ends.
"""

from __future__ import annotations

from telewright import _otel as otel
from telewright._guard import failed
from telewright._span import PROCESS, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import ClassVar, Final

    from opentelemetry.context import Context
    from opentelemetry.trace import Link

OWNER: Final = "telewright-owner"
"""Where a context holds the span that owns its trace."""


class Owner(Span):
    """A span that owns its trace if this process opened it with no valid span above it."""

    __slots__ = ()

    def _start(self, context: Context, links: Sequence[Link] | None = None) -> None:
        if not otel.get_current_span(context).get_span_context().is_valid:
            context = otel.set_value(OWNER, self, context)
        super()._start(context, links)


class Root(Span):
    """A span that begins a trace of its own, whatever is current."""

    __slots__ = ()

    def _start(self, context: Context, links: Sequence[Link] | None = None) -> None:
        super()._start(otel.set_span_in_context(otel.INVALID_SPAN, context), links)


class LinkedRoot(Span):
    """A span that begins a trace linked to the owner while that is current; else it nests."""

    __slots__ = ()

    linked_to: ClassVar[str | tuple[str, ...]]
    """The name of the owner; all that it can have where that is a pattern."""

    def _start(self, context: Context, links: Sequence[Link] | None = None) -> None:
        owner, names = context.get(OWNER), self.linked_to
        if (
            owner is not None
            and isinstance(owner, Span)
            and (owner._name == names if isinstance(names, str) else owner._name in names)
            and owner._otel is not None
        ):
            current = otel.get_current_span(context).get_span_context()
            if current.is_valid and current == owner._otel.get_span_context():
                links = [otel.Link(current), *(links or ())]
                context = otel.set_span_in_context(otel.INVALID_SPAN, context)
        super()._start(context, links)


class Announced(Span):
    """A span that is announced when it has started, and not ended at once."""

    __slots__ = ()

    def _start(self, context: Context, links: Sequence[Link] | None = None) -> None:
        super()._start(context, links)
        if self.on:
            try:
                from telewright._announce import remember

                remember(self)
            except Exception:
                failed("announce a span")

    def herald(self) -> bool:
        """Say that the span has begun, if it is open; return whether that was said."""
        begun = self._otel
        if begun is None or not self.is_here() or getattr(begun, "over", False):
            return False
        if not begun.get_span_context().trace_flags & 1:  # not sampled
            return False
        from time import time_ns

        from telewright._announce import STARTED
        from telewright._past import dated

        now = getattr(begun, "start_time", None) or time_ns()
        bucket = self._gate.registry.bucket
        said = {key: value for key, value in self._attributes.items() if key != bucket}
        marker = Span(dated(self._gate, now, now), STARTED, {**said, STARTED: self._name})
        marker._start(self._context)
        if marker._otel is None:
            return False
        marker._otel.end()
        return True

    def is_here(self) -> bool:
        """Say whether it was started in this process, whose telemetry goes on."""
        return self._gate.on and self._home is PROCESS[0]
