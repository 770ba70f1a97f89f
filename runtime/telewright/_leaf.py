"""Spans whose time counts towards a bucket, and scopes that say otherwise for what is inside."""

from __future__ import annotations

from telewright import _otel as otel
from telewright._block import KEY, Block, Scope, attributes_of, here
from telewright._guard import failed
from telewright._span import Span
from telewright._values import clean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import ClassVar, Final, Self

    from opentelemetry.context import Context
    from opentelemetry.trace import Link
    from opentelemetry.util.types import AttributeValue

    from telewright._group import Group

CHANGES: Final = "telewright-changes"
"""Where a context holds what its scopes change: groups by registry, and buckets by attribute."""


def _changes(context: Context) -> tuple[dict[str, Group], dict[str, str]] | None:
    # Only this module writes CHANGES.
    return context.get(CHANGES)  # type: ignore[return-value]  # pyright: ignore[reportReturnType]


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
            context = here()
            if self._attributes:
                merged = {**(attributes_of(context) or {}), **clean(self._attributes)}
                context = otel.set_value(KEY, merged, context)
            groups, buckets = _changes(context) or ({}, {})
            if self._group is not None:
                groups = {**groups, self._group.registry.name: self._group}
            if self._rebucket is not None:
                buckets = {**buckets, self._rebucket[0]: self._rebucket[1]}
            context = otel.set_value(CHANGES, (groups, buckets), context)
            self._context = context
            Block.__enter__(self)
        except Exception:
            failed("enter a scope")
        return self


def moved(group: Group) -> Group:
    """Return the group that spans of *group* belong to where scopes have moved them."""
    changes = _changes(here())
    return group if changes is None else changes[0].get(group.registry.name, group)
