"""What may be called on the current span with what it does not take."""

from __future__ import annotations

from opentelemetry import trace

ELSEWHERE = trace.SpanContext(7, 8, is_remote=True, trace_flags=trace.TraceFlags(1))


class Mute:
    """Says nothing of itself, not even whether it is anything."""

    __hash__ = None

    def _raise(self, *_given):
        raise RuntimeError

    __bool__ = __len__ = __str__ = __repr__ = __eq__ = __iter__ = items = keys = _raise


class Unbound:
    """As werkzeug's LocalProxy: it raises for whatever it is asked."""

    @property
    def __class__(self):
        raise RuntimeError("outside of a request")


class MuteError(Exception):
    """An error whose text cannot be had."""

    def __str__(self):
        raise RuntimeError


VALUES = [
    *(None, 5, "x", "\ud800", b"k", [], [("a", 1)], {}.items(), object(), Mute, 1.5, True),
    *(float("nan"), -1, 2**70, {5: 1, "kiln.town": "here"}, {"kiln.town": Mute()}),
    *(Mute(), Unbound()),
]
CALLS = {
    "key": lambda span, value: span.set_attribute(value, 1),
    "value": lambda span, value: span.set_attribute("kiln.town", value),
    "attributes": lambda span, value: span.set_attributes(value),
    "event": lambda span, value: span.add_event(value),
    "attributes of an event": lambda span, value: span.add_event("e", value),
    "time of an event": lambda span, value: span.add_event("e", {}, value),
    "link": lambda span, value: span.add_link(value),
    "attributes of a link": lambda span, value: span.add_link(ELSEWHERE, value),
    "name": lambda span, value: span.update_name(value),
    "status": lambda span, value: span.set_status(value),
    "code": lambda span, value: span.set_status(trace.Status(value)),
    "description": lambda span, value: span.set_status(trace.StatusCode.ERROR, value),
    "exception": lambda span, value: span.record_exception(value),
    "exception of no text": lambda span, _: span.record_exception(MuteError()),
    "attributes of it": lambda span, value: span.record_exception(ValueError(), value),
    "end": lambda span, value: span.end(value),
}


def call_all(call, make):
    """Do *call* with each value in a block of its own that *make* opens; return what it raised."""
    escaped = []
    for value in VALUES:
        with make():
            span = trace.get_current_span()
            try:
                call(span, value)
            except Exception as error:
                escaped.append(f"{type(span).__name__}: {type(error).__name__}")
    return escaped
