"""Spans that stand elsewhere than where they are opened: in a trace, or in the accounts of time.

Of traces: who owns one, spans that begin a new one linked to it, and those that are announced.
Ownership travels in the context, beside the current span: it comes with the owner, follows it into
tasks and carried threads, never crosses processes, and is gone when the owner's block ends.

Of time: spans that count towards a bucket, and scopes that say otherwise for what is inside.
"""

from __future__ import annotations

from telewright import _late as late
from telewright._span import KEY, PROCESS, Scope, Span, attributes_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import ClassVar, Final, Self

    from opentelemetry.context import Context
    from opentelemetry.trace import Link
    from opentelemetry.util.types import AttributeValue

    from telewright._group import Group

OWNER: Final = "telewright-owner"
"""Where a context holds the span that owns its trace."""


class Owner(Span):
    """A span that owns its trace if this process opened it with no valid span above it."""

    __slots__ = ()

    def _start(self, context: Context, links: Sequence[Link] | None = None) -> None:
        if not late.get_current_span(context).get_span_context().is_valid:
            context = late.set_value(OWNER, self, context)
        super()._start(context, links)


class Root(Span):
    """A span that begins a trace of its own, whatever is current."""

    __slots__ = ()

    def _start(self, context: Context, links: Sequence[Link] | None = None) -> None:
        super()._start(late.set_span_in_context(late.INVALID_SPAN, context), links)


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
            and owner._home.process is PROCESS[0].process
        ):
            current = late.get_current_span(context).get_span_context()
            if current.is_valid and current == owner._otel.get_span_context():
                links = [late.Link(current), *(links or ())]
                context = late.set_span_in_context(late.INVALID_SPAN, context)
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
                late.failed("announce a span")

    def herald(self) -> bool:
        """Say that the span has begun, if it is open; return whether it is."""
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
        if marker._otel is not None:
            marker._otel.end()
        return True

    def is_here(self) -> bool:
        """Say whether it was started in this process, whose telemetry goes on."""
        return self._gate.on and self._home is PROCESS[0]


CHANGES: Final = "telewright-changes"
"""Where a context holds what its scopes change: groups by registry, and buckets by attribute."""


def _changes(context: Context) -> tuple[dict[str, Group], dict[str, str]] | None:
    # Only this module writes CHANGES.
    return context.get(CHANGES)  # type: ignore[return-value]  # pyright: ignore[reportReturnType] - only we set it


class Leaf(Span):
    """A span that contains no other, so that its time counts towards one bucket.

    It is made with that bucket among its attributes. A scope may replace it, unless it is the
    span's own; in an umbrella group, where a scope has moved the span, there is none.
    """

    __slots__ = ()

    settled: ClassVar[bool] = False
    """Whether the bucket is the span's own, not its group's."""

    def _start(self, context: Context, links: Sequence[Link] | None = None) -> None:
        changes = _changes(context)
        if changes is not None:
            self._attributes = self._changed(changes[1])
        super()._start(context, links)

    def _changed(self, buckets: dict[str, str]) -> Mapping[str, AttributeValue]:
        group, said = self._gate, self._attributes
        key = group.registry.bucket
        if key is None or (self.settled and not group.umbrella):
            return said
        bucket = None if group.bucket is None else buckets.get(key, group.bucket)
        if bucket is None:
            return {name: value for name, value in said.items() if name != key}
        return {**said, key: bucket}


class Reclassified(Scope):
    """A scope whose spans count towards another bucket, or belong to another group."""

    __slots__ = ("_group", "_rebucket")

    def __init__(
        self,
        attributes: Mapping[str, AttributeValue],
        *,
        rebucket: tuple[str, str] | None = None,
        group: Group | None = None,
    ) -> None:
        super().__init__(attributes)
        self._rebucket = rebucket
        self._group = group

    def __enter__(self) -> Self:
        try:
            context = late.here()
            if self._attributes:
                merged = {**(attributes_of(context) or {}), **late.clean(self._attributes)}
                context = late.set_value(KEY, merged, context)
            groups, buckets = _changes(context) or ({}, {})
            if self._group is not None:
                groups = {**groups, self._group.registry.name: self._group}
            if self._rebucket is not None:
                buckets = {**buckets, self._rebucket[0]: self._rebucket[1]}
            context = late.set_value(CHANGES, (groups, buckets), context)
            self._enter(context)
        except Exception:
            late.failed("enter a scope")
        return self


def moved(group: Group) -> Group:
    """Return the group that spans of *group* belong to where scopes have moved them."""
    changes = _changes(late.here())
    return group if changes is None else changes[0].get(group.registry.name, group)
