"""Ending telemetry as children of `multiprocessing` end: without ``atexit``, or by a signal."""

from __future__ import annotations

import os
import sys
from signal import SIG_DFL, SIGTERM, getsignal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

_PATIENCE: Final = 3.0
"""Seconds that a child waits for its telemetry when its work is done."""

_ARRANGED: Final[list[int]] = []
"""The process that has arranged for its end."""


def end_with_child(end: Callable[[float], object]) -> None:
    """Have *end* called before this process ends, if it is a child of `multiprocessing`.

    Children that are daemons, the workers of a pool among them, are ended by a signal as soon as
    nobody needs them. Where nothing else handles it, they end their telemetry first.
    """
    module: Any = sys.modules.get("multiprocessing.process")
    if module is None:
        return
    if module.parent_process() is not None:
        _arrange(end)
    elif getattr(module.current_process(), "_inheriting", False):
        # It imports its main module, and forgets what was arranged before its work begins.
        from multiprocessing.util import register_after_fork

        register_after_fork(end, _arrange)


def expect_the_end() -> None:
    """In a forked child: let its telemetry end by a signal, on whatever thread it will open.

    Only the main thread may handle one, which is the one that runs now.
    """
    util: Any = sys.modules.get("multiprocessing.util")
    if util is not None:
        util.register_after_fork(_expect, _expect)


def _expect(_: object) -> None:
    from multiprocessing.process import current_process

    if current_process().daemon and getsignal(SIGTERM) is SIG_DFL:
        from telewright import _signals

        _signals.prepare()


def _arrange(end: Callable[[float], object]) -> None:
    from multiprocessing.process import current_process
    from multiprocessing.util import Finalize

    if [os.getpid()] != _ARRANGED:
        _ARRANGED[:] = [os.getpid()]
        Finalize(None, end, args=(_PATIENCE,), exitpriority=0)
    handler = getsignal(SIGTERM)
    if current_process().daemon and (handler is SIG_DFL or _is_ours(handler)):
        from telewright import _signals

        _signals.install()


def _is_ours(handler: object) -> bool:
    return getattr(handler, "__module__", None) == "telewright._signals"
