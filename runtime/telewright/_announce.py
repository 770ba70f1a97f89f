"""Spans that say that they have begun, so that a trace of weeks is seen before it ends.

A span is exported when it ends, and once. What says that it has begun is therefore another one: a
child of no length, which is exported at once.
"""

from __future__ import annotations

import sys

from telewright._guard import failed
from telewright._span import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from opentelemetry.context import Context
    from opentelemetry.trace import Link

STARTED: Final = "nemo.span.started"
"""The name of the span that says so, and of its attribute: the name of the one that began."""


class Announced(Span):
    """A span that is announced when it starts."""

    __slots__ = ()

    def _start(self, context: Context, links: Sequence[Link] | None = None) -> None:
        super()._start(context, links)
        if self.on:
            try:
                self._announce()
            except Exception:
                failed("announce a span")

    def _announce(self) -> None:
        begun = self._otel
        if begun is None or getattr(begun, "over", False):
            return
        if not begun.get_span_context().trace_flags & 1:  # not sampled
            return
        from time import time_ns

        from telewright._past import dated

        now = getattr(begun, "start_time", None) or time_ns()
        bucket = self._gate.registry.bucket
        said = {key: value for key, value in self._attributes.items() if key != bucket}
        marker = Span(dated(self._gate, now, now), STARTED, {**said, STARTED: self._name})
        marker._start(self._context)
        if marker._otel is not None:
            marker._otel.end()
        running = sys.modules.get("telewright._start")
        if running is not None:
            running.hasten()
