"""Counting a thing once, in bounded memory."""

from __future__ import annotations

from telewright._guard import LOCK


class Once:
    """Remembers the keys seen last: at least *size* of them, at most twice as many."""

    __slots__ = ("_new", "_old", "_size")

    def __init__(self, size: int = 4096) -> None:
        self._size = size
        self._new: set[tuple[str, ...]] = set()
        self._old: set[tuple[str, ...]] = set()

    def first(self, key: tuple[str, ...]) -> bool:
        """Say whether *key*, of exact strings, is new; and remember it."""
        with LOCK:
            if key in self._new:
                return False
            known = key in self._old
            if len(self._new) >= self._size:
                self._old, self._new = self._new, set()
            self._new.add(key)
            return not known

    def clear(self) -> None:
        """Forget everything."""
        with LOCK:
            self._new, self._old = set(), set()
