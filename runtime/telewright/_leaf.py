"""Spans whose time counts towards a bucket, and scopes that say otherwise for what is inside."""

from __future__ import annotations

from telewright import _otel as otel
from telewright._block import Block
from telewright._guard import failed
from telewright._scope import KEY, Scope, attributes_of
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

BUCKETS: Final = "telewright-buckets"
"""Where a context holds the buckets that its scopes say, by the attribute they are said with."""

MOVED: Final = "telewright-moved"
"""Where a context holds the groups that its scopes move spans to, by registry."""


class Leaf(Span):
    """A span that contains no other, so that its time counts towards one bucket.

    What its spec says of itself wins over what scopes say, and that over what its group says. In
    an umbrella group, where a scope has moved it, it has no bucket.
    """

    __slots__ = ()

    bucket: ClassVar[str | None] = None
    """The bucket that the spec of the span itself says."""

    def _start(self, context: Context, links: Sequence[Link] | None = None) -> None:
        group, said = self._gate, self._attributes
        key = group.registry.bucket
        if key is not None and group.umbrella:
            self._attributes = {name: value for name, value in said.items() if name != key}
        elif key is not None and (bucket := self._counts_towards(key, context)) is not None:
            self._attributes = {key: bucket, **said}
        super()._start(context, links)

    def _counts_towards(self, key: str, context: Context) -> str | None:
        own, groups = self.bucket, self._gate.bucket
        held = context.get(BUCKETS) if own is None and groups is not None else None
        # Only this module writes BUCKETS, and nothing but a dict of texts.
        return own or (groups if held is None else held.get(key, groups))  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]


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
            context = otel.get_current()
            if self._attributes:
                merged = {**(attributes_of(context) or {}), **clean(self._attributes)}
                context = otel.set_value(KEY, merged, context)
            if self._rebucket is not None:
                context = _with(context, BUCKETS, *self._rebucket)
            if self._group is not None:
                context = _with(context, MOVED, self._group.registry.name, self._group)
            self._context = context
            Block.__enter__(self)
        except Exception:
            failed("enter a scope")
        return self


def _with(context: Context, where: str, key: str, value: object) -> Context:
    # Only this module writes there, and nothing but dicts.
    held: dict[str, object] = context.get(where) or {}  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
    return otel.set_value(where, {**held, key: value}, context)


def moved(group: Group) -> Group:
    """Return the group that spans of *group* belong to where scopes have moved them."""
    held = otel.get_current().get(MOVED)
    if held is None:
        return group
    # Only this module writes MOVED, and nothing but a dict of groups.
    return held.get(group.registry.name, group)  # type: ignore[attr-defined, no-any-return]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownVariableType]
