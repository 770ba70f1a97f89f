"""What runs that were killed left beside their files, cleared where no other run may be at work."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from telewright_codegen.write.reach import Place

try:
    import fcntl
except ImportError:  # as in `lock`: where there are none, nobody can be asked
    fcntl = None  # type: ignore[assignment]  # the same name, for the check below

_NAME: Final = re.compile(r"\.telewright-\d+-\d+\.(?:tmp|old)")
"""Names of files that only a run which was killed leaves behind."""


def clear(places: Iterable[Place], intos: Iterable[Path]) -> list[Path]:
    """Remove what killed runs left in *places*, and return it; this run holds *intos*."""
    held = {os.path.realpath(into) for into in intos}
    cleared: list[Path] = []
    for folder, names, _ in places:
        left = [folder / name for name in names if _NAME.fullmatch(name)]
        if left and not _is_in_use(folder, held):
            for path in left:
                with suppress(OSError):
                    path.unlink()
            cleared += left
    return cleared


def _is_in_use(folder: Path, held: Collection[str]) -> bool:
    """Return whether another run may write there: it holds the folder, or one that it is below."""
    real = Path(os.path.realpath(folder))
    return any(_is_locked(one) for one in (real, *real.parents) if str(one) not in held)


def _is_locked(folder: Path) -> bool:
    if fcntl is None:
        return False
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:  # then no run of ours can hold it either
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # a file system without locks
        return False
    finally:
        os.close(descriptor)
    return False
