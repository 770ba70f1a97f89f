"""The enumerations of generated modules, and what becomes of a value that is no member."""

from __future__ import annotations

from enum import IntEnum, StrEnum

from telewright._guard import lost

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Final, Self, TypeVar

    Kind = type[StrEnum | IntEnum]
    Find = Callable[[object], StrEnum | IntEnum | None]
    Value = TypeVar("Value", bound=str | int | None)

__all__ = ["OTHER", "IntEnum", "OpenEnum", "OpenIntEnum", "StrEnum", "member"]

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


class OpenIntEnum(IntEnum):
    """An enumeration of numbers that takes any: what is no member has no place in metrics."""

    @classmethod
    def overflow(cls) -> Self | None:
        """Return the member that stands for every number that is none, if there is one."""
        return cls.__members__.get("OTHER")

    @classmethod
    def _missing_(cls, value: object) -> Self | None:  # noqa: ARG003 - the protocol of `enum`
        return cls.overflow()


def member(kind: Kind, value: Value) -> Value:
    """Return *value* as a member of *kind*; what is none becomes the overflow, or ``_OTHER``.

    Where members are numbers and none stands for the others, it becomes None: no text could be a
    value of such an attribute. What was not given stays None.
    """
    if type(value) is kind or value is None:
        return value
    try:
        find, rest = _TABLES.get(kind) or _table(kind)
        found = find(value)
    except Exception:  # not even hashable
        found, rest = None, _table(kind)[1]
    if found is None:
        if rest is OTHER or rest is None:
            lost("not_a_member")
        return rest  # type: ignore[return-value]  # pyright: ignore[reportReturnType] - text stays text
    return found  # type: ignore[return-value]  # pyright: ignore[reportReturnType] - text stays text


_TABLES: Final[dict[Kind, tuple[Find, str | int | None]]] = {}
"""What finds the members of an enumeration by value, and what stands for the rest."""


def _table(kind: Kind) -> tuple[Find, str | int | None]:
    if issubclass(kind, IntEnum):
        numbers: dict[object, IntEnum] = {one.value: one for one in kind}
        rest = kind.overflow() if issubclass(kind, OpenIntEnum) else None
        return _TABLES.setdefault(kind, (_of_numbers(numbers), rest))
    members: dict[object, StrEnum] = {str(one): one for one in kind}
    other = kind.overflow() if issubclass(kind, OpenEnum) else OTHER
    return _TABLES.setdefault(kind, (members.get, other))


def _of_numbers(members: Mapping[object, IntEnum]) -> Callable[[object], IntEnum | None]:
    """Return what finds a member by its number; a truth value is none, though Python says so."""

    def find(value: object) -> IntEnum | None:
        return None if isinstance(value, bool) else members.get(value)

    return find
