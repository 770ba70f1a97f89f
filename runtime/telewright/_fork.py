"""What a forked child makes of the telemetry it was forked with: nothing, until it needs its own.

The child shuts out everything made before the fork: SDK objects, threads, locks, counts. Its gates
lead to stand-ins; the first of them that is used opens a pipeline with the parent's settings.
"""

from __future__ import annotations

import sys
from _thread import RLock
from dataclasses import replace
from os import register_at_fork

from opentelemetry import trace
from opentelemetry.context import attach, get_current, set_value

from telewright import _children, _control, _gates, _relay, _start
from telewright._books import Books
from telewright._group import ADOPTERS, METRICS, REGISTRIES, TRACES
from telewright._guard import FAILURES, VALUES, failed
from telewright._instrument import OnceCounter, ignore
from telewright._observable import Observable
from telewright._span import PROCESS, Home
from telewright._variants import OWNER
from telewright._waiting import Thrown
from telewright._when_done import COUNTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from telewright._group import Registry
    from telewright._instrument import Attributes, Instrument
    from telewright._settings import Settings

_WATCHING: Final[list[bool]] = []
_ASLEEP: Final[list[Settings]] = []

WOKE: Final[list[str]] = []
"""The run of its parent's that this child has opened a pipeline for."""


def watch() -> None:
    """Have children of this process begin anew."""
    if not _WATCHING:
        _WATCHING.append(True)
        register_at_fork(after_in_child=_in_child)


def _in_child() -> None:
    try:
        state = _start.STATE
        _control.STARTING[0] = RLock()
        PROCESS[0] = Home(object())
        FAILURES.clear()
        VALUES.clear()
        COUNTED.clear()
        WOKE.clear()
        inherited = state.pipeline, state.ending
        state.books = Books()
        state.account, state.arrived = None, True
        settings, state.pipeline, state.ending = state.settings, None, None
        scrape = sys.modules.get("telewright._scrape")
        if scrape is not None:
            scrape.SCRAPER.abandon()
        if settings is not None and not _ASLEEP:
            _ASLEEP.append(settings)
            state.settings = state.source = None
            _sleep()
            forget_the_span()
            _children.expect_the_end()
        for pipeline in filter(None, inherited):
            pipeline.disown()
    except Exception:
        failed("begin anew in a child")
        _gates.shut()


def _sleep() -> None:
    """Put stand-ins where the parent's tracers and instruments are."""
    if TRACES.on:
        _relay.RELAY.lead_to(_SleepingProvider())
    else:
        _relay.RELAY.lead_to(None)
    ADOPTERS[:] = [_adopt]
    books = sys.modules.get("telewright._self_metrics")
    if books is not None:
        books.remove()  # they begin anew here, and are read again from then on
    for registry in REGISTRIES.values():
        _stand_in(registry)
        for instrument in registry.instruments:
            instrument.forget_series()
            if isinstance(instrument, OnceCounter):
                instrument.forget_counted()
            if isinstance(instrument, Observable):
                instrument.inherit()
            if instrument.send is not ignore and METRICS.on:
                instrument.send = _waking(instrument)


def _adopt(registry: Registry) -> None:
    """Put stand-ins where those of a registry would be that this child is the first to import."""
    _gates.choose(_ASLEEP[0].groups, [registry])
    _stand_in(registry)


def _stand_in(registry: Registry) -> None:
    registry.joins = _joins if METRICS.on else None
    for group in registry.groups:
        if TRACES.on:
            group.tracer = _SleepingTracer(_finder(registry))


def _joins(instrument: Instrument) -> None:
    """Have the first value of an instrument that is declared from now on open the pipeline."""
    if not isinstance(instrument, Observable):
        instrument.send = _waking(instrument)


def select(groups: str) -> bool:
    """Have a child that sleeps record *groups* and no others; return whether there is one."""
    with _control.STARTING[0]:
        if not _ASLEEP:
            return False
        _gates.choose(groups)
        _ASLEEP[:] = [replace(_ASLEEP[0], groups=groups)]
        return True


def inherited() -> Settings | None:
    """Return what a child that sleeps will wake with; nothing where the parent had only joined."""
    return _ASLEEP[0] if _ASLEEP and _relay.foreign_tracer_provider() is None else None


def rest() -> None:
    """Have a child that sleeps never wake: it starts anew, or stops."""
    if not _ASLEEP:
        return
    _ASLEEP.clear()
    _relay.RELAY.lead_to(None)
    _gates.shut()
    logs = sys.modules.get("telewright._logs")
    if logs is not None:
        logs.hush()


def forget_the_span() -> None:
    """Keep what the current span is called, for what the child does under it; not the span."""
    context = get_current()
    current = trace.get_current_span(context).get_span_context()
    if current.is_valid:
        context = trace.set_span_in_context(trace.NonRecordingSpan(current), context)
    attach(set_value(OWNER, None, context))


def wake() -> None:
    """Open this child's own pipeline, once."""
    with _control.STARTING[0]:
        if not _ASLEEP:
            return
        settings = _ASLEEP.pop()
        WOKE[:] = [settings.run_id]
        try:
            _start.open_(settings, forked=True)
        except (Exception, Thrown):  # a helper has to go on, whatever a handler raised meanwhile
            failed("start in a child")
            _gates.shut()


def _finder(registry: Registry) -> Callable[[], trace.Tracer]:
    def find() -> trace.Tracer:
        groups = registry.groups
        return groups[0].tracer if groups else trace.NoOpTracer()

    return find


def _waking(instrument: Instrument) -> Callable[[float, Attributes], None]:
    def first(value: float, attributes: Attributes) -> None:
        wake()
        if instrument.send is not first:
            instrument.send(value, attributes)

    return first


class _SleepingTracer(trace.Tracer):
    """Opens the pipeline at the first span, and starts that with what came of it."""

    def __init__(self, find: Callable[[], trace.Tracer]) -> None:
        self._find: Final = find

    def _awake(self) -> trace.Tracer:
        wake()
        found = self._find()
        return trace.NoOpTracer() if isinstance(found, _SleepingTracer) else found

    def start_span(self, *args: Any, **kwargs: Any) -> trace.Span:  # noqa: ANN401 - handed on
        """Start a span of this process."""
        return self._awake().start_span(*args, **kwargs)

    def start_as_current_span(self, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - handed on
        """Start a span of this process, and make it current."""
        return self._awake().start_as_current_span(*args, **kwargs)


class _SleepingProvider(trace.TracerProvider):
    """Where the tracers of other libraries lead until the first of them starts a span."""

    def get_tracer(self, *args: Any, **kwargs: Any) -> trace.Tracer:  # noqa: ANN401 - handed on
        """Return a tracer that opens the pipeline when it is used."""

        def find() -> trace.Tracer:
            target = _relay.RELAY.target
            if target is None or isinstance(target, _SleepingProvider):
                return trace.NoOpTracer()
            return target.get_tracer(*args, **kwargs)

        return _SleepingTracer(find)
