"""The calls that run in a worker now, each in the context that its carrier brought."""

from __future__ import annotations

from _thread import RLock

from telewright._block import NOTHING
from telewright._carry import continued, within
from telewright._group import TRACES
from telewright._guard import failed
from telewright._handover import take
from telewright._steps import Around, drive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from types import TracebackType
    from typing import Any, Final, Self, TypeVar

    from telewright._block import Block

    R = TypeVar("R")

_LOCK: Final = RLock()
_COUNT: Final = [0]


def running() -> int:
    """Return how many calls that came with a carrier run in this process."""
    return _COUNT[0]


class Running:
    """One call, for as long as it runs; without a carrier it is nothing of ours."""

    __slots__ = ("_handed",)

    def __init__(self, handed: Mapping[str, str] | None) -> None:
        self._handed = handed or None

    def __enter__(self) -> Self:
        if self._handed is not None:
            take(self._handed)
            with _LOCK:
                _COUNT[0] += 1
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None:
        if self._handed is not None:
            with _LOCK:
                _COUNT[0] -= 1

    def here(self) -> Block:
        """Return a block in which what was brought is current."""
        return within(self._handed)

    def steps(self) -> Block:
        """Return what makes it current around one step after another."""
        if self._handed is None or not TRACES.on:
            return NOTHING
        try:
            return Around(continued(self._handed))
        except Exception:
            failed("read a carrier")
            return NOTHING

    def drive(self, body: Generator[Any, Any, R]) -> Generator[Any, Any, R]:
        """Run a generator step by step."""
        return drive(self.steps(), body)
