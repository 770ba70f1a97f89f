"""One run at a time in a folder; a lock ends with the process that holds it."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from pathlib import Path

    from telewright_codegen.write.signals import Held

try:
    import fcntl
except ImportError:  # Windows has none: two runs at once are then the user's business
    fcntl = None  # type: ignore[assignment]  # the same name, for the check below


@contextmanager
def locked(folders: Iterable[Path], held: Held) -> Generator[None]:
    """Hold *folders*, which exist, waiting for whoever holds them now; *held* may end the wait.

    The lock is on the folder itself, so that nothing needs to be left on disk.
    """
    with ExitStack() as stack:
        for folder in sorted({os.path.realpath(folder) for folder in folders}):
            descriptor = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, descriptor)
            if fcntl is not None:
                with suppress(OSError), held.let_in():  # a file system without locks
                    fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
