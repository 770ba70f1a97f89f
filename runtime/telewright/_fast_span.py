"""A span of our own: what the SDK's does, for a fraction of what that costs.

It is a span of OpenTelemetry's API while it is open. What processors get when it ends is the SDK's
public `ReadableSpan`; our own queue keeps the span itself and has that made on the export thread.

Nothing here takes a lock as a rule. What must happen once (ending) or whole (one attribute) is one
operation on a slot or on a dictionary, which the interpreter does not let go of half way.
"""

from __future__ import annotations

from time import time_ns
from types import MappingProxyType

from opentelemetry.attributes import BoundedAttributes
from opentelemetry.sdk.trace import Event, ReadableSpan  # noqa: TID251 - started processes only
from opentelemetry.sdk.util import BoundedList  # noqa: TID251 - started processes only
from opentelemetry.trace import Link, Span, SpanContext, Status, StatusCode

from telewright._fast_parts import bounded_link, described_exception, too_late
from telewright._fit import status_of
from telewright._guard import LOCK, failed, said_by
from telewright._reentrant import reentrant_list
from telewright._values import HARMLESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType
    from typing import Any, Final

    from opentelemetry.sdk.resources import Resource  # noqa: TID251 - types only
    from opentelemetry.sdk.util.instrumentation import InstrumentationScope  # noqa: TID251 - types
    from opentelemetry.trace import SpanKind, TraceFlags, TraceState
    from opentelemetry.util.types import AnyValue, Attributes

    from telewright._fast_tracer import FastTracer

_UNSET: Final = Status(StatusCode.UNSET)


class FastSpan(Span):
    """A span that is recorded and sampled; no other kind is made here."""

    __slots__ = (
        "_attributes",
        "_context",
        "_dropped",
        "_end",
        "_events",
        "_final",
        "_kind",
        "_links",
        "_name",
        "_parent",
        "_start",
        "_state",
        "_status",
        "_tracer",
        "flags",
        "span_id",
        "trace_id",
    )

    _final: dict[str, Any]

    def __init__(  # noqa: PLR0913, PLR0917 - by position, which is faster
        self,
        tracer: FastTracer,
        name: str,
        kind: SpanKind,
        trace_id: int,
        span_id: int,
        flags: TraceFlags,
        state: TraceState | None,
        parent: SpanContext | None,
        attributes: dict[str, Any],
        start: int | None,
    ) -> None:
        self._tracer = tracer
        self._name = name
        self._kind = kind
        self.trace_id = trace_id
        self.span_id = span_id
        self.flags = flags
        self._state = state
        self._parent = parent
        self._attributes = attributes  # of plain values only; it is deleted when the span ends
        self._context: SpanContext | None = None
        self._events: BoundedList[Event] | None = None
        self._links: BoundedList[Link] | None = None
        self._status = _UNSET
        self._dropped = 0
        self._end: int | None = None
        self._start = time_ns() if start is None else start

    def __repr__(self) -> str:
        return f"FastSpan(name={self._name!r}, context={self.context})"

    def hold(self, dropped: int, links: BoundedList[Link] | None) -> None:
        """Hold what there was when the span began: links, and attributes that had no room."""
        self._dropped += dropped
        self._links = links

    def end(self, end_time: int | None = None) -> None:
        """End the span, once."""
        try:
            attributes = self._attributes
            del self._attributes  # whoever can do this has ended the span
        except AttributeError:
            too_late("end")
            return
        self._final = attributes
        self._end = time_ns() if end_time is None else end_time
        self._tracer.ended(self)

    def get_span_context(self) -> SpanContext:
        """Return what children and carriers need; made when the first of them asks."""
        context = self._context
        if context is None:
            context = self._context = SpanContext(
                self.trace_id,
                self.span_id,
                is_remote=False,
                trace_flags=self.flags,
                trace_state=self._state,
            )
        return context

    def is_recording(self) -> bool:
        """Say whether the span is open."""
        return self._end is None

    def set_attribute(self, key: str, value: AnyValue) -> None:
        """Set one attribute; the oldest gives way where there are too many."""
        try:
            attributes = self._attributes
        except AttributeError:
            too_late("set an attribute of")
            return
        tracer = self._tracer
        if type(value) not in HARMLESS or type(key) is not str or not key or tracer.strict:
            cleaned = BoundedAttributes(1, max_value_len=tracer.longest, immutable=False)
            try:
                cleaned[key] = value
            except Exception:  # its class raises
                failed("set an attribute")
                return
            if not cleaned:
                self._dropped += 1
                return
            value = cleaned[key]
        self._put(attributes, key, value)

    def set_attributes(self, attributes: Mapping[str, AnyValue]) -> None:
        """Set several attributes."""
        try:
            mine = self._attributes
        except AttributeError:
            too_late("set attributes of")
            return
        try:
            cleaned = BoundedAttributes(None, attributes, max_value_len=self._tracer.longest)
        except Exception:  # no mapping, or what is in it raises
            failed("set attributes")
            return
        self._dropped += cleaned.dropped
        for key, value in cleaned.items():
            self._put(mine, key, value)

    def _put(self, attributes: dict[str, Any], key: str, value: AnyValue) -> None:
        """Put a clean value last; the oldest gives way where there are too many."""
        attributes.pop(key, None)
        most = self._tracer.most
        if len(attributes) >= most:
            self._dropped += 1
            if most == 0:
                return
            with LOCK:
                for oldest in list(attributes)[: len(attributes) - most + 1]:
                    attributes.pop(oldest, None)
        attributes[key] = value

    def add_event(
        self, name: str, attributes: Attributes = None, timestamp: int | None = None
    ) -> None:
        """Add an event; the oldest gives way where there are too many."""
        limits = self._tracer.limits
        try:
            bounded = BoundedAttributes(
                limits.max_event_attributes, attributes, max_value_len=limits.max_attribute_length
            )
        except Exception:
            failed("add an event")
            return
        event = Event(name, bounded, timestamp)
        if self._end is not None:
            too_late("add an event to")
            return
        events = self._events
        if events is None:
            fresh = reentrant_list(limits.max_events)
            with LOCK:
                if self._events is None:
                    self._events = fresh
                events = self._events
        events.append(event)

    def add_link(self, context: SpanContext, attributes: Attributes = None) -> None:
        """Add a link; the oldest gives way where there are too many."""
        limits = self._tracer.limits
        try:
            link = bounded_link(context, attributes, limits)
        except Exception:
            failed("add a link")
            return
        if link is None:
            return
        if self._end is not None:
            too_late("add a link to")
            return
        links = self._links
        if links is None:
            fresh = reentrant_list(limits.max_links)
            with LOCK:
                if self._links is None:
                    self._links = fresh
                links = self._links
        links.append(link)

    def update_name(self, name: str) -> None:
        """Give the span another name."""
        if self._end is not None:
            too_late("rename")
            return
        self._name = name

    def set_status(self, status: Status | StatusCode, description: str | None = None) -> None:
        """Set the status, unless it is ok already; what is none is ignored."""
        if self._end is not None:
            too_late("set the status of")
            return
        fit = status_of(status, description)
        if (
            fit is not None
            and self._status.status_code is not StatusCode.OK
            and fit.status_code is not StatusCode.UNSET
        ):
            self._status = fit

    def record_exception(
        self,
        exception: BaseException,
        attributes: Attributes = None,
        timestamp: int | None = None,
        escaped: bool = False,  # noqa: FBT001, FBT002 - OpenTelemetry's signature
    ) -> None:
        """Add an event that says what *exception* is; its text leaves only if that may."""
        try:
            described = described_exception(exception, escaped=escaped)
            described.update(attributes or {})
        except Exception:  # it is none, or will not say what it is
            failed("record an exception")
            return
        self.add_event("exception", described, timestamp)

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        """End the span; it says what its block failed with."""
        if exc_val is not None and self._end is None:
            self.record_exception(exc_val, escaped=True)
            said = f"{type(exc_val).__name__}: {said_by(exc_val)}"
            self.set_status(Status(StatusCode.ERROR, said))
        self.end()

    # What the SDK's span lets processors read, by the names of its `ReadableSpan`.

    @property
    def name(self) -> str:
        """The span's name."""
        return self._name

    @property
    def context(self) -> SpanContext:
        """The same as `get_span_context`."""
        return self.get_span_context()

    @property
    def kind(self) -> SpanKind:
        """The span's kind."""
        return self._kind

    @property
    def parent(self) -> SpanContext | None:
        """The context of the span above it."""
        return self._parent

    @property
    def start_time(self) -> int:
        """When it began, in nanoseconds."""
        return self._start

    @property
    def end_time(self) -> int | None:
        """When it ended, in nanoseconds; None while it is open."""
        return self._end

    @property
    def status(self) -> Status:
        """How it went."""
        return self._status

    @property
    def attributes(self) -> Mapping[str, Any]:
        """A copy of its attributes, which no thread writes to."""
        return MappingProxyType(self._plain().copy())

    def _plain(self) -> dict[str, Any]:
        try:
            return self._attributes
        except AttributeError:  # it has ended
            return self._final

    @property
    def events(self) -> Sequence[Event]:
        """Its events."""
        return tuple(self._events or ())

    @property
    def links(self) -> Sequence[Link]:
        """Its links."""
        return tuple(self._links or ())

    @property
    def dropped_attributes(self) -> int:
        """How many attributes there was no room for."""
        return self._dropped

    @property
    def dropped_events(self) -> int:
        """How many events there was no room for."""
        return 0 if self._events is None else self._events.dropped

    @property
    def dropped_links(self) -> int:
        """How many links there was no room for."""
        return 0 if self._links is None else self._links.dropped

    @property
    def resource(self) -> Resource:
        """What is true of the whole process."""
        return self._tracer.resource

    @property
    def instrumentation_scope(self) -> InstrumentationScope:
        """The registry that the span belongs to."""
        return self._tracer.scope

    def to_json(self, indent: int | None = 4) -> str:
        """Return the span as the SDK's console exporter writes it."""
        return str(self.readable().to_json(indent))

    def readable(self) -> ReadableSpan:
        """Return the span as the SDK's processors take it."""
        limits, strict = self._tracer.limits, self._tracer.strict
        attributes = BoundedAttributes(
            limits.max_span_attributes,
            self._plain().copy(),
            max_value_len=None if strict else self._tracer.longest,  # strict is done already
        )
        attributes.dropped += self._dropped
        return ReadableSpan(
            name=self._name,
            context=self.get_span_context(),
            parent=self._parent,
            resource=self._tracer.resource,
            attributes=attributes,
            events=BoundedList(limits.max_events) if self._events is None else self._events,
            links=BoundedList(limits.max_links) if self._links is None else self._links,
            kind=self._kind,
            status=self._status,
            start_time=self._start,
            end_time=self._end,
            instrumentation_scope=self._tracer.scope,
        )
