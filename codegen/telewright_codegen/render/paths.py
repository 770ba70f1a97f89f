"""Files as a reader would type them: below the working folder, relative to it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path


class Paths(NamedTuple):
    """Turns the names of files into paths."""

    root: Path
    """What names are relative to."""
    folder: Path
    """Where the reader is."""

    def shown(self, name: str) -> str:
        """Return the path of the file called *name*."""
        path = os.path.normpath(self.root / name)
        if path == str(self.folder):
            return "."
        below = str(self.folder).rstrip(os.sep) + os.sep
        return path.removeprefix(below).replace(os.sep, "/")
