"""Trace and span ids from the operating system.

The SDK's own come from `random`, which applications seed: workers seeded alike would have the same
ids, and drawing one would move the application's stream.
"""

from __future__ import annotations

from os import urandom
from struct import unpack

from opentelemetry.sdk.trace.id_generator import (  # noqa: TID251 - started processes only
    IdGenerator,
)

from telewright._span import PROCESS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

_DRAWN: Final = 512
"""Numbers that are drawn at once: a system call costs as much as all else about an id."""


class SystemIds(IdGenerator):
    """Takes every id from what the operating system draws, and each once.

    A forked child makes a pipeline, and one of these, of its own; one that it was forked with
    draws anew.
    """

    def __init__(self) -> None:
        self._drawn: list[int] = []
        self._process: object = None

    def generate_span_id(self) -> int:
        """Return 64 random bits that are not all zero."""
        if self._process is PROCESS[0]:
            try:
                return self._drawn.pop()
            except IndexError:
                pass
        self._draw()
        return self.generate_span_id()

    def generate_trace_id(self) -> int:
        """Return 128 random bits that are not all zero."""
        if self._process is PROCESS[0]:
            try:
                return self._drawn.pop() << 64 | self._drawn.pop()
            except IndexError:
                pass
        self._draw()
        return self.generate_trace_id()

    def is_trace_id_random(self) -> bool:
        """Say that samplers may rely on the ids' randomness."""
        return True

    def _draw(self) -> None:
        self._drawn = list(filter(None, unpack(f"{_DRAWN}Q", urandom(8 * _DRAWN))))
        self._process = PROCESS[0]  # after the numbers: another thread may look in between
