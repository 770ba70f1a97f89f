"""The enumerations of generated modules, and what becomes of a value that is no member."""

from __future__ import annotations

from enum import StrEnum

from telewright._guard import lost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final, Self, TypeVar

    Value = TypeVar("Value", bound=str | None)

__all__ = ["OTHER", "OpenEnum", "StrEnum", "member"]

OTHER: Final = "_OTHER"
"""What stands for a value that a closed enumeration does not have."""


class OpenEnum(StrEnum):
    """An enumeration that takes any value: what is no member becomes its overflow member."""

    @classmethod
    def overflow(cls) -> Self:
        """Return the member that stands for every value that is none."""
        return cls["OTHER"]

    @classmethod
    def _missing_(cls, value: object) -> Self:  # noqa: ARG003 - the protocol of `enum`
        return cls.overflow()


def member(kind: type[StrEnum], value: Value) -> Value:
    """Return *value* as a member of *kind*; what is none becomes the overflow, or ``_OTHER``.

    What was not given stays None.
    """
    if type(value) is kind or value is None:
        return value
    try:
        find, rest = _TABLES.get(kind) or _table(kind)
        found = find(value)
    except Exception:  # not even hashable
        found, rest = None, _table(kind)[1]
    if found is None:
        if rest is OTHER:
            lost("not_a_member")
        return rest  # type: ignore[return-value]  # pyright: ignore[reportReturnType] - text stays text
    return found  # type: ignore[return-value]  # pyright: ignore[reportReturnType] - text stays text


_TABLES: Final[dict[type[StrEnum], tuple[Callable[[object], StrEnum | None], str]]] = {}
"""What finds the members of an enumeration by value, and what stands for the rest."""


def _table(kind: type[StrEnum]) -> tuple[Callable[[object], StrEnum | None], str]:
    members: dict[object, StrEnum] = {str(one): one for one in kind}
    other = kind.overflow() if issubclass(kind, OpenEnum) else OTHER
    return _TABLES.setdefault(kind, (members.get, other))
