"""Random programs that make spans, and a machine that runs one of them in either tier.

Ids and clocks are counters, so that what two runs export can be compared byte by byte.
"""

from __future__ import annotations

import logging
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from itertools import count
from time import monotonic
from unittest import mock

from hypothesis import strategies as st
from opentelemetry import context as contexts
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk import trace as sdk_trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.id_generator import IdGenerator

from telewright import _fast_span, _gates
from telewright._batcher import Batcher
from telewright._books import Ledger
from telewright._fast_tracer import FastQueue
from telewright._guard_export import ExportGuard
from telewright._processor import QueueProcessor
from telewright._sampler import ParentSampler
from telewright._settings import Batching
from tests.runtime.sample import groups, kiln


class Odd:
    """A value of no kind that telemetry knows, with a text of its own."""

    def __str__(self):
        return "odd"


class Mute:
    """A value whose text cannot be had."""

    def __str__(self):
        raise RuntimeError("no text")


class Long(str):
    """A text that says it is longer than any limit."""

    __slots__ = ()

    def __len__(self):
        return 10**9


ODD = [Odd(), Mute(), Long("x"), object(), lambda: 1, {1, 2}, bytearray(b"x"), Odd]

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([2**63, -(2**63) - 1, 2**200]),
    st.floats(),
    st.text(max_size=12),
    st.builds(str.__mul__, st.just("x"), st.just(70_000)),
    st.sampled_from(["\ud800", *kiln.Stage, *kiln.FaultCode]),
    st.binary(max_size=4),
    st.sampled_from(ODD),
)
VALUES = st.one_of(
    SCALARS,
    st.lists(SCALARS, max_size=3),
    st.tuples(SCALARS, SCALARS),
    st.dictionaries(st.text(max_size=2), SCALARS, max_size=2),
)
KEYS = st.sampled_from(["kiln.batch", "kiln.kind", "kiln.shelves", "a", "b", "c", "exception.type"])
ODD_KEYS = st.one_of(KEYS, st.sampled_from(["", None, 7]))
ATTRIBUTES = st.one_of(st.none(), st.dictionaries(ODD_KEYS, VALUES, max_size=6))

TIMES = st.sampled_from([None, None, 1, 2_000_000_000])
LINKS = st.lists(st.tuples(st.integers(0, 3), ATTRIBUTES), max_size=4)
PARENTS = st.tuples(st.integers(0, 7), st.booleans(), st.sampled_from([(), (("vendor", "x"),)]))
ERRORS = st.sampled_from([ValueError("v"), TimeoutError(), KeyError("k"), KeyboardInterrupt()])
NONE = st.sampled_from([5, object()])
"""What is no mapping, and no exception."""
STATUSES = st.sampled_from([*trace.StatusCode, "ERROR", 2, None])

CALLS = st.one_of(
    st.tuples(st.just("attribute"), ODD_KEYS, VALUES),
    st.tuples(st.just("attributes"), st.dictionaries(ODD_KEYS, VALUES, max_size=5) | NONE),
    st.tuples(st.just("event"), st.text(max_size=5), ATTRIBUTES | NONE, TIMES),
    st.tuples(st.just("link"), st.integers(0, 3), ATTRIBUTES | NONE),
    st.tuples(st.just("name"), st.text(max_size=5)),
    st.tuples(st.just("status"), STATUSES, st.none() | st.text()),
    st.tuples(st.just("exception"), ERRORS | NONE, ATTRIBUTES | NONE),
    st.tuples(st.just("end"), TIMES),
    st.tuples(st.just("raise"), ERRORS),
    st.tuples(st.just("set"), VALUES),
    st.tuples(st.just("leave open"), st.sampled_from(["fire", "pot"])),
)


def _blocks(body):
    return st.one_of(
        st.tuples(st.just("fire"), SCALARS, VALUES, body),
        st.tuples(st.sampled_from(["heat", "write", "shift", "sale", "inspection"]), body),
        st.tuples(st.just("pot"), VALUES, body),
        st.tuples(st.just("scope"), VALUES, body),
        st.tuples(
            st.just("raw"),
            st.text(max_size=4),
            ATTRIBUTES,
            LINKS,
            st.sampled_from(list(trace.SpanKind)),
            TIMES,
            st.booleans(),
            body,
        ),
        st.tuples(st.just("managed"), ATTRIBUTES, body),
        st.tuples(st.just("foreign"), ATTRIBUTES, body),
        st.tuples(st.just("remote"), PARENTS, body),
        st.tuples(st.just("attempt"), body),
    )


PROGRAMS = st.lists(
    st.recursive(CALLS, lambda below: _blocks(st.lists(below, max_size=4)), max_leaves=25),
    min_size=1,
    max_size=5,
)
"""What is done one after another: calls on the current span, and blocks that hold more of both."""

_SOME = st.none() | st.integers(0, 3)
LIMITS = st.one_of(
    st.just({"max_attribute_length": 65_537}),
    st.fixed_dictionaries(
        {
            "max_span_attributes": _SOME,
            "max_event_attributes": _SOME,
            "max_link_attributes": _SOME,
            "max_events": _SOME,
            "max_links": _SOME,
            "max_attribute_length": st.none() | st.integers(0, 4),
        }
    ),
)


class _Ids(IdGenerator):
    """Counts."""

    def __init__(self):
        self._next = count(1).__next__

    def generate_span_id(self):
        return self._next()

    def generate_trace_id(self):
        return self._next() << 64

    def is_trace_id_random(self):
        return True


@dataclass(frozen=True)
class Made:
    """What came of a run: what processors got, what was exported, the books, what calls said."""

    handed: bytes
    exported: bytes
    books: object
    said: list[str] = field(hash=False)


def run(program, *, fast, limits):
    """Run *program* in one of the tiers."""
    return _Machine(fast=fast, limits=limits).run(program)


class _Machine:
    """One process's telemetry of spans, without export."""

    def __init__(self, *, fast, limits):
        self.queued, self.said = [], []
        self.ledger = Ledger()
        limits = SpanLimits(**limits)
        self.batcher = Batcher("test", self._take, bool, self.ledger, Batching())
        if fast:
            self.queue = FastQueue(self.batcher, self.ledger, limits)
        else:
            self.queue = QueueProcessor(self.batcher, self.ledger)
        self.memory = InMemorySpanExporter()
        self.provider = TracerProvider(
            sampler=ParentSampler(),
            resource=Resource({}),
            id_generator=_Ids(),
            active_span_processor=self.queue,
            span_limits=limits,
            shutdown_on_exit=False,
        )
        self.provider.add_span_processor(SimpleSpanProcessor(self.memory))
        self.open = []

    def _take(self, batch):
        self.queued += batch
        return {}

    def _tracer(self, registry):
        sdk = self.provider.get_tracer(registry.scope, registry.version, registry.schema_url)
        return self.queue.tracer(sdk, registry)

    def run(self, program):
        with closing(self.batcher), _clock(), silence(), ExitStack() as stack:
            stack.callback(self.queue.finish)
            _gates.Source("all", None, self._tracer, None).open()
            token = contexts.attach(contexts.Context())
            try:
                self._attempt(program)
            finally:
                contexts.detach(token)
                self.queue.truncate("stop")
                _gates.shut()
            self.batcher.wait(self.batcher.ask(), monotonic() + 10)
            stack.close()
            return Made(
                _bytes(self.memory.get_finished_spans()),
                _bytes(ExportGuard().spans(self.queued)),
                self.ledger.read(),
                self.said,
            )

    def _attempt(self, body):
        try:
            self._body(body)
        except (Exception, KeyboardInterrupt) as error:  # the program's own
            self.said.append(type(error).__name__)

    def _body(self, body):
        for step in body:
            what, *rest = step
            block = getattr(self, f"_{what}", None)
            if block is not None:
                block(*rest)
            else:
                self._call(what, *rest)

    # Blocks

    def _within(self, block, body):
        with block as span:
            self.current = span
            self._body(body)

    def _fire(self, stage, batch, body):
        self._within(kiln.fire(stage, batch=batch, kind="gas"), body)

    def _heat(self, body):
        self._within(kiln.heat(), body)

    def _write(self, body):
        self._within(kiln.write(), body)

    def _shift(self, body):
        self._within(kiln.shift(), body)

    def _sale(self, body):
        self._within(kiln.sale(), body)

    def _inspection(self, body):
        self._within(kiln.inspection(), body)

    def _pot(self, potter, body):
        self._within(kiln.pot(potter=potter), body)

    def _scope(self, value, body):
        with kiln.site(value, note="n"):
            self._body(body)

    def _raw(self, name, attributes, links, kind, start, usual, body):  # noqa: PLR0913, PLR0917 - as drawn
        span = _started(
            groups.FIRING.tracer,
            name,
            kind=kind,
            attributes=attributes,
            links=[trace.Link(_context(which), given) for which, given in links],
            start_time=start,
            record_exception=usual,
        )
        context = span.get_span_context()
        self.said.append(f"{int(context.trace_flags)} {context.trace_state.to_header()}")
        with trace.use_span(span, end_on_exit=True, record_exception=usual):
            self._body(body)

    def _managed(self, attributes, body):
        with (
            _started(groups.POT.tracer, "managed", attributes=attributes) as span,
            trace.use_span(span, record_exception=False, set_status_on_exception=False),
        ):
            self._body(body)

    def _foreign(self, attributes, body):
        tracer = self.provider.get_tracer("foreign")
        with trace.use_span(_started(tracer, "foreign", attributes=attributes), end_on_exit=True):
            self._body(body)

    def _remote(self, parent, body):
        flags, remote, state = parent
        above = trace.SpanContext(
            7, 8, remote, trace.TraceFlags(flags), trace.TraceState(list(state))
        )
        with trace.use_span(trace.NonRecordingSpan(above)):
            self._body(body)

    # Calls on the current span

    def _call(self, what, *given):
        if what == "raise":
            raise type(given[0])(*given[0].args)  # a new one, which has no past
        try:
            span = trace.get_current_span()
            self._on(span, what, *given)
        except Exception as error:
            if isinstance(span, _fast_span.FastSpan):  # where the SDK's raises, it goes on
                self.said.append(f"{what}: {type(error).__name__}")

    def _on(self, span, what, *given):
        if what == "attribute":
            span.set_attribute(*given)
        elif what == "attributes":
            span.set_attributes(*given)
        elif what == "event":
            span.add_event(*given)
        elif what == "link":
            span.add_link(_context(given[0]), given[1])
        elif what == "name":
            span.update_name(*given)
        elif what == "status":
            span.set_status(*given)
        elif what == "exception":
            span.record_exception(*given)
        elif what == "end":
            span.end(*given)
        elif what == "set":
            with kiln.write() as writing:
                writing.set(lines=given[0])
        else:
            made = (
                kiln.pot(potter="p")
                if given[0] == "pot"
                else kiln.fire("glaze", batch="b", kind="k")
            )
            self.open.append(made.open())


def _started(tracer, name, **given):
    """Start a span; what that raises has no traceback of either tier's own."""
    try:
        return tracer.start_span(name, **given)
    except Exception as error:
        reason = type(error).__name__
    raise RuntimeError(reason)


def _context(which):
    state = trace.TraceState([("vendor", "y")]) if which == 1 else None
    return trace.SpanContext(
        which and which + 40, which and 5, which == 3, trace.TraceFlags(1), state
    )


def _bytes(spans):
    return encode_spans(spans).SerializeToString(deterministic=True)


@contextmanager
def silence():
    """Let nobody log, which is most of what random programs would do."""
    logging.disable()
    try:
        yield
    finally:
        logging.disable(logging.NOTSET)


@contextmanager
def _clock():
    """Let both kinds of span have a clock that counts."""
    ticks = count(1_000_000).__next__
    with (
        mock.patch.object(sdk_trace, "time_ns", ticks),
        mock.patch.object(_fast_span, "time_ns", ticks),
    ):
        yield
