"""Spans that are open: how old they are, and a line for one that is open for too long.

Nothing here runs on a thread of the application: the ages are computed when metrics are exported,
and what watches for slow spans is a thread of its own, in processes with specs that ask for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event, Thread
from time import monotonic

from telewright._declared import SCOPE
from telewright._guard import failed, say
from telewright._pace import Paced, paced
from telewright._registries import registries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Final, TypeAlias

    from opentelemetry.sdk.trace import ReadableSpan, Span  # noqa: TID251 - types only
    from opentelemetry.trace import SpanContext

    from telewright._group import Registry

    Opened: TypeAlias = tuple[Span, str, float]
    """A span, the name that it was opened with, and when, by the clock that nobody sets."""

_SOONEST: Final = 0.05
"""Seconds that the watch sleeps at least."""

_REST: Final = 20
"""How much longer it sleeps than it looked, however many spans are open."""

_AGAIN: Final = 1.0
"""Seconds that it sleeps when it could not look."""


@dataclass(slots=True)
class Age:
    """The open spans of one name; ages in seconds."""

    count: int = 0
    oldest: float = 0.0
    held: float = 0.0
    """That of the oldest in which nothing else is open."""


def ages(opened: Iterable[Opened]) -> dict[str, Age]:
    """Return what is open among *opened*, by the names that are declared.

    Spans of other libraries are left out.
    """
    now, found = monotonic(), dict[str, Age]()
    opened = Paced(opened)
    outer = {span.parent.span_id for span, _, _ in opened if span.parent is not None}
    for span, name, since in opened:
        if not _is_open(span):
            continue
        age = found.setdefault(name, Age())
        seconds = now - since
        age.count += 1
        age.oldest = max(age.oldest, seconds)
        if span.context is not None and span.context.span_id not in outer:
            age.held = max(age.held, seconds)
    return found


def _is_open(span: ReadableSpan) -> bool:
    """Say whether *span* is ours, and its operation goes on: that of `between` ended before."""
    if getattr(span, "over", False):
        return False
    scope = span.instrumentation_scope
    return scope is not None and scope.name.startswith(SCOPE)


class SlowWatch:
    """Says of each open span, once, that it is open for longer than its spec's `slow_after`.

    Args:
        spans: Returns the spans that are open, each as it was opened.
    """

    def __init__(self, spans: Callable[[], Iterable[Opened]]) -> None:
        self._spans: Final = spans
        self._limits: Final[dict[str, float]] = {}
        self._told: set[int] = set()
        self._wake: Final = Event()
        self._closed = False
        self._thread: Thread | None = None

    def add(self, registry: Registry) -> None:
        """Watch the spans of *registry* too; without a `slow_after` in it that is nothing."""
        declared: dict[str, Any] = dict(registries().get(registry.name, {}).get("spans", {}))
        limits = {
            name: float(span["slow_after"])
            for name, span in declared.items()
            if "slow_after" in span
        }
        if not limits:
            return
        self._limits.update(limits)
        if self._thread is None:
            self._thread = Thread(target=self._run, name="telewright-slow", daemon=True)
            self._thread.start()
        self._wake.set()

    def close(self) -> None:
        """Watch no more."""
        self._closed = True
        self._wake.set()

    def _run(self) -> None:
        try:
            while not self._closed:
                self._wake.clear()
                begun = monotonic()
                pause = self._try()
                self._wake.wait(max(pause, _REST * (monotonic() - begun)))
        except BaseException:  # the process goes on without
            failed("watch for slow spans")

    def _try(self) -> float:
        try:
            return self._look()
        except Exception:  # spans that change meanwhile
            failed("look for slow spans")
            return _AGAIN

    def _look(self) -> float:
        """Tell of what has become slow, and return in how many seconds something else may have."""
        now, limits = monotonic(), dict(self._limits)
        next_ = min(limits.values())
        told: set[int] = set()
        for span, name, since in paced(list(self._spans())):
            limit = limits.get(name)
            if limit is None or not _is_open(span):
                continue
            age = now - since
            if age < limit:
                next_ = min(next_, limit - age)
            elif span.context is not None:
                told.add(span.context.span_id)
                if span.context.span_id not in self._told:
                    _tell(name, span.context, age, limit)
        self._told = told
        return max(next_, _SOONEST)


def _tell(name: str, context: SpanContext, age: float, limit: float) -> None:
    say(
        f"{name} has been open for {age:.3g} s, longer than the {limit:g} s of its spec "
        f"(trace {context.trace_id:032x}, span {context.span_id:016x})"
    )
