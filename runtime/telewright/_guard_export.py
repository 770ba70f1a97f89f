"""The last thing before the encoder: nothing passes that the specs do not let pass.

Runs on the export threads, on copies. Whatever goes wrong with one item costs that item: what
could not be judged does not leave.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from time import time_ns

from opentelemetry.attributes import BoundedAttributes
from opentelemetry.sdk.trace import Event, ReadableSpan  # noqa: TID251 - started processes only
from opentelemetry.sdk.util import BoundedList  # noqa: TID251 - started processes only
from opentelemetry.trace import Link, SpanContext, Status, TraceState

from telewright._declared import SCOPE
from telewright._fit import status_of, time_of
from telewright._guard import failed
from telewright._guard_points import joined
from telewright._judge import Judge
from telewright._pace import Paced, paced
from telewright._scanning import scan_text, scan_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, TypeVar

    from opentelemetry.util.types import Attributes, AttributeValue

    Item = TypeVar("Item")


class ExportGuard(Judge):
    """Judges spans and metric points against the specs."""

    def spans(self, spans: Sequence[ReadableSpan]) -> list[ReadableSpan]:
        """Return those of *spans* that could be judged, without what may not leave."""
        kept: list[ReadableSpan] = Paced()
        for span in paced(spans):
            try:
                kept.append(self._span(span))
            except Exception:
                failed("guard a span")
        return kept

    def _span(self, span: ReadableSpan) -> ReadableSpan:
        scope = _scope_name(span)
        context = span.get_span_context()
        attributes = self.attributes(span.attributes or {}, scope)
        start, end = span.start_time, span.end_time
        if end is not None and (end := time_of(end)) is None:
            end = time_ns()  # it was ended with what is no time, not long ago
        if start is not None and end is not None and end < start:  # somebody set the clock back
            from telewright._past import evidence_of

            attributes = {**attributes, **evidence_of(span.name, start / 1e9, end / 1e9)}
            end = start
        return ReadableSpan(
            name=self.text(span.name),
            context=_context(context) if context is not None else None,
            parent=span.parent,
            resource=self.resource(span.resource),
            attributes=_short_of(attributes, span.dropped_attributes),
            events=self._events(span.events, span.dropped_events, scope),
            links=self._links(span.links, span.dropped_links, scope),
            kind=span.kind,
            status=self._status(span.status),
            start_time=start,
            end_time=end,
            instrumentation_scope=self._instrumentation(span.instrumentation_scope),
        )

    def _status(self, status: Status) -> Status:
        """Return *status* as it may leave; one whose code is none says nothing."""
        fit = status_of(status)
        if fit is None:
            return Status()
        said = fit.description
        return Status(fit.status_code, self.description(said)) if said else fit

    def _events(self, events: Sequence[Event], dropped: int, scope: str) -> Sequence[Event]:
        if not (events or dropped):  # as with most spans
            return ()

        def judged(event: Event) -> Event:
            at = time_of(event.timestamp)
            if at is None:
                raise ValueError("an event has a time that is none")
            attributes = self.attributes(event.attributes or {}, scope, where="event")
            short = _short_of(attributes, event.dropped_attributes)
            return Event(self.text(event.name), short, at)

        return _each(judged, events, dropped)

    def _links(self, links: Sequence[Link], dropped: int, scope: str) -> Sequence[Link]:
        if not (links or dropped):
            return ()

        def judged(link: Link) -> Link:
            attributes = self.attributes(link.attributes or {}, scope, where="link")
            return Link(_context(link.context), _short_of(attributes, link.dropped_attributes))

        return _each(judged, links, dropped)

    def resource(self, resource: Any) -> Any:  # noqa: ANN401 - the SDK's class
        """Return *resource*, which was judged when it was made."""
        return resource

    def _instrumentation(self, scope: Any) -> Any:  # noqa: ANN401 - the SDK's class
        """Return *scope* with its texts and attributes as they may leave."""
        if scope is None:
            return scope
        texts = [scope.name, scope.version or "", scope.schema_url or ""]
        judged = [self.text(one, "scope") if one else one for one in texts]
        if judged == texts and not scope.attributes:
            return scope
        attributes = self.attributes(scope.attributes or {}, "", where="scope")
        return type(scope)(*judged, attributes)

    def logs(self, records: Sequence[Any]) -> list[Any]:
        """Return those of *records* that could be judged, without what may not leave."""
        kept: list[Any] = Paced()
        for record in paced(records):
            try:
                kept.append(self._log(record))
            except Exception:
                failed("guard a log record")
        return kept

    def _log(self, record: Any) -> Any:  # noqa: ANN401 - the SDK's ReadableLogRecord
        log = copy(record.log_record)
        log.body = scan_value("body", log.body, "log")
        scope = record.instrumentation_scope
        said: Mapping[str, Any] = log.attributes or {}
        if log.event_name is not None and scope is not None and scope.name.startswith(SCOPE):
            log.attributes = self.attributes(said, scope.name, where="log")
        else:
            log.attributes = self.extras(said)
        log.severity_text = None if log.severity_text is None else self.text(log.severity_text)
        log.event_name = None if log.event_name is None else self.text(log.event_name)
        return replace(
            record,
            log_record=log,
            resource=self.resource(record.resource),
            instrumentation_scope=self._instrumentation(record.instrumentation_scope),
        )

    def metrics(self, data: Any) -> Any:  # noqa: ANN401 - MetricsData, whose parts are alike
        """Return *data* with the attributes of its points as they may leave."""
        return replace(
            data,
            resource_metrics=[
                replace(
                    resource,
                    resource=self.resource(resource.resource),
                    scope_metrics=[self._scope_metrics(scope) for scope in resource.scope_metrics],
                )
                for resource in data.resource_metrics
            ],
        )

    def _scope_metrics(self, scoped: Any) -> Any:  # noqa: ANN401 - see above
        name = scoped.scope.name
        return replace(
            scoped,
            scope=self._instrumentation(scoped.scope),
            metrics=[
                replace(
                    metric,
                    name=self.text(metric.name),
                    description=self.text(metric.description or ""),
                    unit=self.text(metric.unit or ""),
                    data=replace(
                        metric.data,
                        data_points=joined(
                            metric.data,
                            Paced(
                                self._point(point, name) for point in paced(metric.data.data_points)
                            ),
                        ),
                    ),
                )
                for metric in scoped.metrics
            ],
        )

    def _point(self, point: Any, scope: str) -> Any:  # noqa: ANN401 - see above
        return replace(
            point,
            attributes=self.attributes(point.attributes or {}, scope, metric=True),
            exemplars=[
                replace(
                    exemplar,
                    filtered_attributes=self.attributes(
                        exemplar.filtered_attributes or {}, scope, metric=True
                    ),
                )
                for exemplar in point.exemplars or ()
            ],
        )


def _short_of(attributes: dict[str, AttributeValue], dropped: int) -> Attributes:
    """Return *attributes* so that they say how many there was no room for."""
    if dropped <= 0:  # less than none is what the SDK counts where it was given no mapping
        return attributes
    bounded = BoundedAttributes(attributes=attributes)
    bounded.dropped += dropped
    return bounded


def _each(judge: Callable[[Item], Item], items: Iterable[Item], dropped: int) -> Sequence[Item]:
    """Return *items* judged, and without those that cannot be."""
    kept: list[Item] = []
    for item in items:
        try:
            kept.append(judge(item))
        except Exception:
            failed("guard a part of a span")
            dropped += 1
    return _fewer_by(kept, dropped)


def _fewer_by(items: list[Item], dropped: int) -> Sequence[Item]:
    """Return *items* so that they say how many there was no room for."""
    if not dropped:
        return items
    bounded: BoundedList[Item] = BoundedList(len(items))
    bounded.extend(items)
    bounded.dropped += dropped
    return bounded


def _context(context: SpanContext) -> SpanContext:
    """Return *context* without the entries of its trace state that may not leave."""
    if not context.trace_state:
        return context
    kept = [
        pair for pair in context.trace_state.items() if scan_text("=".join(pair)) == "=".join(pair)
    ]
    if len(kept) == len(context.trace_state):
        return context
    return SpanContext(
        context.trace_id,
        context.span_id,
        context.is_remote,
        context.trace_flags,
        TraceState(kept),
    )


def _scope_name(span: ReadableSpan) -> str:
    scope = span.instrumentation_scope
    return scope.name if scope is not None else ""
