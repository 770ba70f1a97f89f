"""Spans that are linked to others: to spans, and to what carriers brought of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from telewright import _late as late
from telewright._guard import failed, lost
from telewright._span import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias, TypeVar

    from opentelemetry.context import Context
    from opentelemetry.trace import Link, SpanContext
    from opentelemetry.trace import Span as OtelSpan

    Linkable: TypeAlias = Span | OtelSpan | Mapping[str, str]
    Links: TypeAlias = Linkable | Sequence[Linkable] | None
    """What a span can be linked to: spans, ours or OpenTelemetry's, and carriers."""

    S = TypeVar("S", bound="Linking")


class Linking(Span):
    """A span that is linked to others when it starts."""

    __slots__ = ()

    def _start(self, context: Context, links: Sequence[Link] | None = None) -> None:
        try:
            links = [*self._found(), *(links or ())]
        except Exception:
            failed("link a span")
        super()._start(context, links)

    def _found(self) -> Iterator[Link]:
        known: set[tuple[int, int]] = set()
        said = self._links
        for one in said if isinstance(said, Sequence) else (said,):
            try:
                other = _context_of(one)
            except Exception:  # what is nothing that has a context
                lost("no_link")
                continue
            if other.is_valid and (other.trace_id, other.span_id) not in known:
                known.add((other.trace_id, other.span_id))
                yield late.Link(other)


def _context_of(one: Linkable | None) -> SpanContext:
    """Return what is to be linked to: nothing valid, where telemetry is off or was elsewhere."""
    if one is None or (isinstance(one, Span) and not one.live):
        return late.INVALID_SPAN.get_span_context()
    if isinstance(one, Span):
        return late.get_current_span(one._context).get_span_context()  # pyright: ignore[reportPrivateUsage] - a span of ours
    if isinstance(one, Mapping):
        headers = {key.lower(): text for key, text in one.items()}
        context = late.TRACE_CONTEXT.extract(headers, late.Context())
        return late.get_current_span(context).get_span_context()
    return one.get_span_context()


def linked(span: S, links: Links) -> S:
    """Have *span* be linked to *links* when it starts."""
    span._links = links  # pyright: ignore[reportPrivateUsage] - before anybody else has it
    return span
