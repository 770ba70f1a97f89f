"""Series of the fast tier that there is no room for: each counts in the one of all those."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

    from telewright._fast_cells import Cell


class Beyond:
    """One of them, which its exemplars tell of, since the series they are in does not."""

    __slots__ = ("_attributes", "_rest")

    def __init__(self, rest: Cell, attributes: Mapping[str, Any]) -> None:
        self._rest: Final = rest
        self._attributes: Final = attributes

    def take(self, value: Any = 1) -> None:  # noqa: ANN401 - anything may come
        """Take a value, whatever it is."""
        self._rest.take(value)
        self._rest.note(self._attributes)
