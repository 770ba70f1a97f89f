"""One run at a time in a folder; a lock ends with the process that holds it."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

    from telewright_codegen.write.signals import Held

try:
    import fcntl
except ImportError:  # Windows has none: two runs at once are then the user's business
    fcntl = None  # type: ignore[assignment]  # the same name, for the check below

_PAUSE: Final = 0.05
"""Seconds until a folder that is another's is asked for again, and a signal is looked for."""


@contextmanager
def locked(folders: Iterable[Path], held: Held, make: Callable[[Path], object]) -> Generator[None]:
    """Hold *folders*, waiting for whoever holds them now; *held* may end the wait.

    The lock is on the folder itself, so that nothing needs to be left on disk. One that is not
    there, or that whoever held it removed, *make* makes.

    Raises:
        OSError: If a folder cannot be made or opened.
    """
    with ExitStack() as stack:
        for folder in sorted({os.path.realpath(folder) for folder in folders}):
            while True:
                held.give_way()
                make(Path(folder))
                with suppress(FileNotFoundError):  # somebody else made it, and removed it
                    descriptor = os.open(folder, os.O_RDONLY)
                    if _is_held(folder, descriptor, held, stack):
                        break
        yield


def _is_held(folder: str, descriptor: int, held: Held, stack: ExitStack) -> bool:
    """Wait for the lock, to hold it as long as *stack*; say whether that is *folder*'s still."""
    with ExitStack() as waiting:
        waiting.callback(os.close, descriptor)
        while not _is_ours(descriptor):
            held.give_way()
            time.sleep(_PAUSE)
        if os.path.samestat(os.fstat(descriptor), Path(folder).stat()):
            stack.push(waiting.pop_all())
            return True
    return False


def _is_ours(descriptor: int) -> bool:
    """Take the lock; return whether that can be done, or there are none."""
    if fcntl is not None:
        with suppress(OSError):  # a file system without locks
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
    return True
