"""Calls of what may hang, each on a daemon thread of its own that is waited for only so long.

What still hangs is not called again meanwhile, so that it costs one thread and one wait. What has
answered and is asked for by nobody gives way to others.
"""

from __future__ import annotations

import sys
from functools import partial
from threading import Thread
from typing import Generic, TypeVar

from telewright._quiet import quiet
from telewright._waiting import wait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any, Final

T = TypeVar("T")

_MOST: Final = 64
"""Calls that may hang at once, and whose answers are kept."""
_PENDING: Final[dict[Hashable, Aside[Any]]] = {}
"""Those whose result nobody has had yet, in the order in which they began."""


class Late(Exception):  # noqa: N818 - it says what a call is
    """There is no answer yet."""


class Aside(Generic[T]):
    """One call.

    Raises:
        RuntimeError: If no thread can be begun, as while the interpreter ends.
    """

    def __init__(self, function: Callable[[], T], key: Hashable = None) -> None:
        if sys.is_finalizing():  # `start` would wait for a thread that never runs
            raise RuntimeError("the interpreter ends")
        self._key: Final = key
        self._function: Final = function
        self._answers: Final[list[T]] = []
        self._errors: Final[list[BaseException]] = []
        self._waited = False
        self._thread: Final = Thread(target=self._run, name="telewright-aside", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._answers.append(self._function())
        except BaseException as error:  # whose it is handles it
            self._errors.append(error)

    @property
    def is_over(self) -> bool:
        """Whether it has ended, or its thread was lost to a fork."""
        return not self._thread.is_alive()

    def result(self, patience: float) -> T:
        """Return what the call returned, or raise what it raised.

        Raises:
            Late: If it has not ended within *patience* seconds; from then on it is waited for no
                more, only looked at. Also where its thread was lost to a fork.
            Thrown: For what a handler of the application raised.
        """
        wait(self._thread.join, 0.0 if self._waited else max(patience, 0.0))
        if not self.is_over:
            self._waited = True
            raise Late
        if _PENDING.get(self._key) is self:
            _PENDING.pop(self._key, None)
        for error in self._errors:
            raise error
        for answer in self._answers:
            return answer
        raise Late


def begin(key: Hashable, function: Callable[[], T]) -> Aside[T]:
    """Call *function*, quietly, or return the call of this *key* whose result nobody has had yet.

    Raises:
        Late: If too many calls hang.
        RuntimeError: If no thread can be begun, as while the interpreter ends.
    """
    pending = _PENDING.get(key)
    if pending is not None:
        return pending
    if len(_PENDING) >= _MOST and not _made_room():
        raise Late
    made = _PENDING[key] = Aside(partial(_quietly, function), key)
    return made


def _made_room() -> bool:
    """Forget the answer that has not been asked for longest; return whether there was one."""
    for key, call in list(_PENDING.items()):
        if call.is_over:
            _PENDING.pop(key, None)
            return True
    return False


def _quietly(function: Callable[[], T]) -> T:
    with quiet():
        return function()
