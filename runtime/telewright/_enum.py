"""The enumerations of generated modules, and what becomes of a value that is no member."""

from __future__ import annotations

import enum

from telewright import _late as late

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from enum import StrEnum
    from typing import Any, Final, Self, TypeVar

    Kind = type[enum.StrEnum | enum.IntEnum]
    Find = Callable[[object], enum.StrEnum | enum.IntEnum | None]
    Value = TypeVar("Value", bound=str | int | None)
    _Frame = tuple[type | None, dict[str, Any], list[tuple[str, type]]]

__all__ = ["OTHER", "OpenEnum", "PlainEnumType", "StrEnum", "member"]

OTHER: Final = "_OTHER"
"""What stands for a value that a closed enumeration does not have."""

_KEPT: Final = frozenset(
    {
        "__format__",
        "__new__",
        "__reduce_ex__",
        "__repr__",
        "__str__",
        "_generate_next_value_",
        "_member_map_",
        "_member_names_",
        "_member_type_",
        "_new_member_",
        "_unhashable_values_",
        "_unhashable_values_map_",
        "_use_args_",
        "_value2member_map_",
        "_value_repr_",
    }
)
"""What `enum` writes into every class; a class without members has all of it, its lists empty."""

_SAID: Final = frozenset(
    {"__doc__", "__firstlineno__", "__module__", "__qualname__", "__static_attributes__"}
)
"""What a class statement says of any class."""


class PlainEnumType(enum.EnumType):
    """Makes classes of nothing but names and their values, as `enum` would make them, but at once.

    For each member `enum` looks for what it might be instead: a descriptor, an alias, a flag,
    a call of a constructor. A process makes a hundred members before it does anything. What is
    not as plain as that, `enum` makes itself.
    """

    @classmethod
    def __prepare__(  # type: ignore[override]  # a plain dictionary: `_sorted` looks at the names
        cls,
        name: str,
        bases: tuple[type, ...],
        /,
        **keywords: Any,  # noqa: ANN401 - what `enum` takes
    ) -> dict[str, object]:
        return {}

    def __new__(
        cls,
        name: str,
        bases: tuple[type, ...],
        space: dict[str, Any],
        /,
        **keywords: Any,  # noqa: ANN401 - what `enum` takes
    ) -> PlainEnumType:
        plain = None if keywords or len(bases) != 1 else _sorted(bases[0], space)
        if plain is None:
            names = super().__prepare__(name, bases, **keywords)
            for key, value in space.items():
                names[key] = value
            return super().__new__(cls, name, bases, names, **keywords)
        members, body = plain
        made: Any = type.__new__(cls, name, bases, body)
        new = made._member_type_.__new__
        by_name, by_value = made._member_map_, made._value2member_map_
        for place, (key, value) in enumerate(members.items()):
            one = new(made, value)
            one._value_ = value
            one._name_ = key
            one.__objclass__ = made
            one._sort_order_ = place
            by_name[key] = by_value[value] = one
        made._member_names_.extend(members)
        for key, one in by_name.items():  # by itself: each makes Python forget what it looked up
            type.__setattr__(made, key, one)
        return made  # type: ignore[no-any-return]  # what `cls` makes


def _sorted(base: type, space: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """Return the members that a class on *base* will have and what else it has, if it is plain."""
    if base not in _FRAMES:
        _FRAMES[base] = _frame(vars(base))
    kind, body, own = _FRAMES[base]
    members: dict[str, Any] = {}
    body = body.copy()
    for key, empty in own:
        body[key] = empty()
    for key, value in space.items():
        if type(value) is kind and key.isupper() and key[0] != "_":
            members[key] = value
        elif key in _SAID or type(value) is classmethod:
            body[key] = value
        else:
            return None
    return (members, body) if kind and len(set(members.values())) == len(members) else None


def _frame(said: Mapping[str, Any]) -> _Frame:
    """Return what members of a class on one with *said* are, and what such a class begins with.

    That is, as it is, and which lists and dictionaries it has of its own.
    """
    kind = said.get("_member_type_")
    plain = kind in {str, int} and not said["_member_names_"]
    body: dict[str, Any] = {}
    own: list[tuple[str, type]] = []
    for key, value in said.items():
        if key in _KEPT:
            body[key] = value
            if isinstance(value, (dict, list)):
                own.append((key, type(value)))  # pyright: ignore[reportUnknownArgumentType] - empty
        elif key[0] == key[-1] == "_" != key[1:2] and not isinstance(value, classmethod):
            plain = False  # there is more to it
    return kind if plain else None, body, own


_FRAMES: Final[dict[type, _Frame]] = {}


if not TYPE_CHECKING:

    class StrEnum(enum.StrEnum, metaclass=PlainEnumType):
        """An enumeration of texts, as in `enum`."""


class OpenEnum(StrEnum):
    """An enumeration that takes any value: what is no member becomes its overflow member."""

    @classmethod
    def overflow(cls) -> Self:
        """Return the member that stands for every value that is none."""
        return cls["OTHER"]

    @classmethod
    def _missing_(cls, value: object) -> Self:  # noqa: ARG003 - the protocol of `enum`
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
            late.lost("not_a_member")
        return rest  # type: ignore[return-value]  # pyright: ignore[reportReturnType] - text stays text
    return found  # type: ignore[return-value]  # pyright: ignore[reportReturnType] - text stays text


_TABLES: Final[dict[Kind, tuple[Find, str | int | None]]] = {}
"""What finds the members of an enumeration by value, and what stands for the rest."""


def _table(kind: Kind) -> tuple[Find, str | int | None]:
    if issubclass(kind, enum.IntEnum):
        from telewright._enum_numbers import table

        return _TABLES.setdefault(kind, table(kind))
    members: dict[object, enum.StrEnum] = {str(one): one for one in kind}
    other = kind.overflow() if issubclass(kind, OpenEnum) else OTHER
    return _TABLES.setdefault(kind, (members.get, other))
