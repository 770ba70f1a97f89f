"""Spans through a provider that somebody else has installed, judged before it sees them.

What happens to them there is not ours to know: in the books, *exported* means handed over.
"""

from __future__ import annotations

from threading import Thread
from time import monotonic

from opentelemetry import trace

from telewright._before import Before
from telewright._failure import note
from telewright._fit import status_of, time_of
from telewright._guard import failed, lost
from telewright._waiting import wait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any, Final

    from opentelemetry.util.types import AttributeValue

    from telewright._books import Ledger
    from telewright._guard_export import ExportGuard


def push(providers: Iterable[object], deadline: float) -> bool:
    """Have *providers* export what they hold, and say whether they did by *deadline*.

    On a thread of its own, since what is theirs may take as long as it likes.
    """
    done: list[bool] = []

    def flush() -> None:
        for provider in providers:
            rest = max(int((deadline - monotonic()) * 1000), 1)
            try:
                ask: Any = getattr(provider, "force_flush", None)
                done.append(ask is None or ask(timeout_millis=rest) is not False)
            except Exception:
                failed("flush somebody else's provider")
                done.append(False)
        done.append(True)

    thread = Thread(target=flush, name="telewright-push", daemon=True)
    try:
        thread.start()
    except RuntimeError:  # the interpreter ends: the providers have hooks of their own for that
        return False
    wait(thread.join, max(deadline - monotonic(), 0.0))
    return not thread.is_alive() and all(done)


class HandedTracer(trace.Tracer):
    """A tracer of somebody else's provider, behind our guard."""

    def __init__(self, tracer: trace.Tracer, scope: str, guard: ExportGuard, books: Ledger) -> None:
        self._tracer: Final = tracer
        self._scope: Final = scope
        self._guard: Final = guard
        self._books: Final = books

    def start_span(  # type: ignore[override]  # noqa: PLR0913, PLR0917 - OpenTelemetry's signature  # pyright: ignore[reportIncompatibleMethodOverride] - as our helpers call it
        self,
        name: str,
        context: Any = None,  # noqa: ANN401 - handed on
        kind: trace.SpanKind = trace.SpanKind.INTERNAL,
        attributes: Mapping[str, AttributeValue] | None = None,
        links: Any = None,  # noqa: ANN401 - handed on
        start_time: int | None = None,
    ) -> trace.Span:
        """Start a span, with what of *attributes* may leave."""
        judged = self._guard.attributes(attributes or {}, self._scope)
        span = self._tracer.start_span(
            self._guard.text(name), context, kind, judged, links, start_time
        )
        if not span.is_recording():
            return span
        self._books.make()
        return HandedSpan(span, kind, self._scope, self._guard, self._books)

    def start_as_current_span(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - handed on
        """Start a span, and make it current."""
        return self._tracer.start_as_current_span(*args, **kwargs)


class HandedSpan(Before):
    """A span of somebody else's provider, behind our guard: nothing unfit spoils a batch of theirs.

    Attributes:
        kind: What it was started as: the API keeps that to itself, and instrumentors ask the SDK's.
    """

    def __init__(
        self,
        span: trace.Span,
        kind: trace.SpanKind,
        scope: str,
        guard: ExportGuard,
        books: Ledger,
    ) -> None:
        super().__init__(span)
        self.kind: Final = kind
        self._scope: Final = scope
        self._guard: Final = guard
        self._books: Final = books

    def end(self, end_time: int | None = None) -> None:
        """End the span: from here on it is theirs."""
        if self._span.is_recording():
            self._books.export(1)
        super().end(time_of(end_time))

    def set_attributes(self, attributes: Mapping[str, Any]) -> None:
        """Set what of *attributes* may leave."""
        try:
            for key, value in self._guard.attributes(attributes, self._scope).items():
                super().set_attribute(key, value)
        except Exception:
            failed("set attributes")

    def set_attribute(self, key: str, value: Any) -> None:  # noqa: ANN401 - judged
        """Set an attribute if it may leave."""
        try:
            self.set_attributes({key: value})
        except Exception:  # a key that has no hash
            failed("set an attribute")

    def add_event(
        self,
        name: str,
        attributes: Mapping[str, Any] | None = None,
        timestamp: int | None = None,
    ) -> None:
        """Add an event, with what of *attributes* may leave."""
        at = time_of(timestamp)
        if at is None and timestamp is not None:
            lost("no_time")
            return
        try:
            judged = self._guard.attributes(attributes or {}, self._scope, where="event")
            self._span.add_event(self._guard.text(name), judged, at)
        except Exception:
            failed("add an event")

    def add_link(
        self, context: trace.SpanContext, attributes: Mapping[str, Any] | None = None
    ) -> None:
        """Add a link, with what of *attributes* may leave."""
        try:
            judged = self._guard.attributes(attributes or {}, self._scope, where="link")
            self._span.add_link(context, judged)
        except Exception:
            failed("add a link")

    def update_name(self, name: str) -> None:
        """Give the span another name."""
        super().update_name(self._guard.text(name))

    def set_status(
        self, status: trace.Status | trace.StatusCode, description: str | None = None
    ) -> None:
        """Set the status, with what of its text may leave; what is none is ignored."""
        try:
            fit = status_of(status, description)
            if fit is not None:
                said = fit.description
                judged = None if said is None else self._guard.description(said)
                self._span.set_status(trace.Status(fit.status_code, judged))
        except Exception:
            failed("set a status")

    def record_exception(self, exception: BaseException, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401, ARG002 - as much as may leave
        """Add what the guard lets pass of *exception*."""
        try:
            note(self, exception)
        except Exception:
            failed("record an exception")
