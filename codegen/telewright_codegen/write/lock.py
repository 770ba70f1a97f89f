"""One run at a time in a folder; a lock ends with the process that holds it."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from pathlib import Path

    from telewright_codegen.write.signals import Held

try:
    import fcntl
except ImportError:  # Windows has none: two runs at once are then the user's business
    fcntl = None  # type: ignore[assignment]  # the same name, for the check below

_PAUSE: Final = 0.05
"""Seconds until a folder that is another's is asked for again, and a signal is looked for."""


@contextmanager
def locked(folders: Iterable[Path], held: Held) -> Generator[None]:
    """Hold *folders*, which exist, waiting for whoever holds them now; *held* may end the wait.

    The lock is on the folder itself, so that nothing needs to be left on disk.
    """
    with ExitStack() as stack:
        for folder in sorted({os.path.realpath(folder) for folder in folders}):
            descriptor = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, descriptor)
            while not _is_ours(descriptor):
                held.give_way()
                time.sleep(_PAUSE)
        yield


def _is_ours(descriptor: int) -> bool:
    """Take the lock; return whether that can be done, or there are none."""
    if fcntl is not None:
        with suppress(OSError):  # a file system without locks
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
    return True
