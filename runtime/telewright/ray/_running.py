"""The calls that run in a worker now, each in the context that its carrier brought."""

from __future__ import annotations

import os
from _thread import RLock
from time import monotonic

from telewright._carry import continued, within
from telewright._group import TRACES
from telewright._guard import failed
from telewright._steps import NOWHERE, Around
from telewright._taken import take

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import Final, Self

    from telewright._span import Block

WORKER: Final = "TELEWRIGHT_WORKER"
"""The variable of workers whose environment says how to start."""

_LOOKED: Final[list[bool]] = []
"""Filled when this process has looked for it."""

_LOCK: Final = RLock()
_COUNT: Final = [0]

_SELDOM: Final = 1.0
"""Seconds between two exports that idleness asks for."""

_HASTENED: Final = [0.0]


def running() -> int:
    """Return how many calls that came with a carrier run in this process."""
    return _COUNT[0]


def _hasten() -> None:
    """Have what this process has exported while it is idle: Ray may end it without notice."""
    try:
        from telewright._start import hasten

        now = monotonic()
        if now - _HASTENED[0] >= _SELDOM:
            _HASTENED[0] = now
            hasten()
    except Exception:
        failed("hasten an export")


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
        elif not _LOOKED:
            _LOOKED.append(True)
            if WORKER in os.environ:
                take(os.environ)
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
            if not _COUNT[0] and TRACES.on:
                _hasten()

    def here(self) -> Block:
        """Return a block in which what was brought is current."""
        return within(self._handed)

    def steps(self) -> Around:
        """Return what makes it current around one step after another."""
        if self._handed is None or not TRACES.on:
            return NOWHERE
        try:
            return Around(continued(self._handed))
        except Exception:
            failed("read a carrier")
            return NOWHERE
