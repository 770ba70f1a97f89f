"""A limit on how many series one instrument has."""

from __future__ import annotations

from telewright._enum import OTHER
from telewright._guard import LOCK, lost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

    from opentelemetry.util.types import AttributeValue

    Key = frozenset[tuple[str, object]]


class Series:
    """The attribute sets an instrument has had; those beyond the limit become one."""

    __slots__ = ("_limit", "_overflow", "_seen")

    def __init__(self, limit: int, overflow: str = OTHER) -> None:
        self._limit: Final = limit
        self._overflow: Final = overflow
        self._seen: Final[set[Key]] = set()

    def admit(self, attributes: Mapping[str, AttributeValue]) -> Mapping[str, AttributeValue]:
        """Return *attributes*, or those of the overflow series if there would be too many."""
        key = key_of(attributes)
        with LOCK:
            if key in self._seen:
                return attributes
            if len(self._seen) < self._limit:
                self._seen.add(key)
                return attributes
        lost("series_limit")
        return dict.fromkeys(attributes, self._overflow)

    def knows(self, attributes: Mapping[str, AttributeValue]) -> bool:
        """Say whether there has been a series of *attributes*."""
        return key_of(attributes) in self._seen

    def clear(self) -> None:
        """Forget every series."""
        with LOCK:
            self._seen.clear()


def key_of(attributes: Mapping[str, AttributeValue]) -> Key:
    """Return what tells the series of *attributes* from others, as whoever receives them does.

    That is, in whatever order, and 1, 1.0, True and "1" are four values.
    """
    return frozenset(
        [
            (name, value if type(value) is str else _exact(value))
            for name, value in attributes.items()
        ]
    )


def _exact(value: object) -> object:
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, (list, tuple)):
        items: Any = value  # pyright: ignore[reportUnknownVariableType] - of anything
        return "list", tuple([_exact(item) for item in items])
    return type(value).__name__, repr(value)
