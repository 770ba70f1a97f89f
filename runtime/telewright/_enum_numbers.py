"""Enumerations of numbers, and what becomes of a number that is no member."""

from __future__ import annotations

import enum

from telewright._enum import PlainEnumType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from enum import IntEnum
    from typing import Self
else:

    class IntEnum(enum.IntEnum, metaclass=PlainEnumType):
        """An enumeration of numbers, as in `enum`."""


__all__ = ["IntEnum", "OpenIntEnum", "table"]


class OpenIntEnum(IntEnum):
    """An enumeration of numbers that takes any: what is no member has no place in metrics."""

    @classmethod
    def overflow(cls) -> Self | None:
        """Return the member that stands for every number that is none, if there is one."""
        return cls.__members__.get("OTHER")

    @classmethod
    def _missing_(cls, value: object) -> Self | None:  # noqa: ARG003 - the protocol of `enum`
        return cls.overflow()


def table(
    kind: type[enum.IntEnum],
) -> tuple[Callable[[object], enum.IntEnum | None], enum.IntEnum | None]:
    """Return what finds a member of *kind* by its number, and the member for the rest.

    A truth value is no member, though Python says that it is a number.
    """
    members: dict[object, enum.IntEnum] = {one.value: one for one in kind}

    def find(value: object) -> enum.IntEnum | None:
        return None if isinstance(value, bool) else members.get(value)

    return find, kind.overflow() if issubclass(kind, OpenIntEnum) else None
