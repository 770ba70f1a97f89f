"""How a block ended, in the words its specs have for it."""

from __future__ import annotations

from telewright._enum import OpenEnum, StrEnum
from telewright._values import clean_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final


class Outcomes:
    """The attribute that says how a block ended, and the members that say it."""

    __slots__ = ("cancelled", "error", "key", "ok")

    def __init__(
        self, key: str, *, ok: StrEnum, error: StrEnum, cancelled: StrEnum | None = None
    ) -> None:
        self.key: Final = key
        self.ok: Final = ok
        self.error: Final = error
        self.cancelled: Final = error if cancelled is None else cancelled

    def decide(self, said: StrEnum | None, error: BaseException | None) -> StrEnum:
        """Return what was said, unless an exception leaves a block that claimed no failure."""
        if error is None:
            return self.ok if said is None else said
        if said is not None and said is not self.ok:
            return said
        return self.error if isinstance(error, Exception) else self.cancelled

    def read(self, said: object) -> StrEnum:
        """Return *said* as a member; what is none is taken for a failure."""
        if type(said) is type(self.ok):
            return said  # pyright: ignore[reportReturnType] - its type is that of a member
        try:
            return type(self.ok)._value2member_map_[said]  # type: ignore[return-value]  # pyright: ignore[reportReturnType, reportArgumentType] - a member of that type
        except Exception:  # not a member, not even hashable
            return self.error


class ErrorCodes:
    """The attribute that says why a block failed, and how an exception says it.

    A key of *codes* is the name of an exception's class, plain or dotted, looked up along its
    bases; or, as ``.name``, an attribute of the exception that holds the code.
    """

    __slots__ = ("_codes", "_kind", "key", "overflow")

    def __init__(
        self,
        key: str,
        *,
        kind: type[StrEnum],
        codes: Mapping[str, StrEnum | None],
        overflow: StrEnum | None = None,
    ) -> None:
        self.key: Final = key
        self.overflow: Final = overflow
        self._kind: Final = kind
        self._codes: Final = codes

    def decide(self, said: object, error: BaseException | None) -> str | None:
        """Return the code that was said, else the one *error* stands for, else the overflow."""
        code = self._read(said)
        if code is None and error is not None:
            code = self._find(error)
        return self.overflow if code is None else code

    def _read(self, said: object) -> str | None:
        """Return a member; the text of an open enumeration stays as it is."""
        if said is None:
            return None
        try:
            return str(self._kind._value2member_map_[said])
        except Exception:  # not a member, not even hashable
            if isinstance(said, str) and issubclass(self._kind, OpenEnum):
                return clean_text(str.__str__(said))
            return self.overflow

    def _find(self, error: BaseException) -> str | None:
        for name in self._codes:
            if name[0] == ".":
                code = self._read(getattr(error, name[1:], None))
                if code is not None:
                    return code
        for base in type(error).__mro__:
            for name in (base.__name__, f"{base.__module__}.{base.__qualname__}"):
                if name in self._codes:
                    return self._codes[name]
        return None
