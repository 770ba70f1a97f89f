"""Ending telemetry as children of `multiprocessing` end: without ``atexit``, or by a signal."""

from __future__ import annotations

import os
import sys
from signal import SIG_DFL, SIGTERM, getsignal, signal
from threading import current_thread, main_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

_PATIENCE: Final = 3.0
"""Seconds that a child waits for its telemetry when its work is done."""

_BRIEFLY: Final = 2.0
"""Seconds that it waits when it was told to end."""

_ARRANGED: Final[list[int]] = []
"""The process that has arranged for its end."""


def end_with_child(end: Callable[[float], object]) -> None:
    """Have *end* called before this process ends, if it is a child of `multiprocessing`.

    Children that are daemons, the workers of a pool among them, are ended by a signal as soon as
    nobody needs them. Where nothing else handles it, they end their telemetry first.
    """
    module: Any = sys.modules.get("multiprocessing.process")
    if module is None or [os.getpid()] == _ARRANGED:
        return
    if module.parent_process() is not None:
        _arrange(end)
    elif getattr(module.current_process(), "_inheriting", False):
        # It imports its main module, and forgets what was arranged before its work begins.
        from multiprocessing.util import register_after_fork

        register_after_fork(end, _arrange)


def _arrange(end: Callable[[float], object]) -> None:
    from multiprocessing.process import current_process
    from multiprocessing.util import Finalize

    _ARRANGED[:] = [os.getpid()]
    ending = _Ending(end)
    Finalize(None, ending.done, exitpriority=0)
    main = current_thread() is main_thread()
    if main and current_process().daemon and getsignal(SIGTERM) is SIG_DFL:
        signal(SIGTERM, ending.told)


class _Ending:
    """The end of a child, which a signal may hurry, also while it is under way."""

    def __init__(self, end: Callable[[float], object]) -> None:
        self._end: Final = end
        self._under_way = False
        self._told = 0

    def done(self) -> None:
        """End telemetry because the work is done."""
        self._finish(_PATIENCE)

    def told(self, number: int, _frame: object) -> None:
        """End telemetry because of a signal, and then do what that does."""
        self._told = number
        if not self._under_way:  # else what it interrupted goes on, and does the rest
            self._finish(_BRIEFLY)

    def _finish(self, timeout: float) -> None:
        self._under_way = True
        self._end(timeout)
        self._under_way = False
        if self._told:
            signal(self._told, SIG_DFL)
            os.kill(os.getpid(), self._told)
