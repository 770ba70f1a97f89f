"""Where the configuration of a folder is; every command begins here, so it imports only `os`."""

# ruff: noqa: PTH118, PTH120, PTH123  pathlib takes longer to import than all of this to run

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

NAMES: Final = ("telewright.toml", "pyproject.toml")
"""Where a configuration is looked for, in each folder upward."""
_SECTION: Final = b"tool.telewright"


def nearest(folder: str) -> str | None:
    """Return the configuration nearest to *folder*, looking upward; None if there is none."""
    while True:
        for name in NAMES:
            file = os.path.join(folder, name)
            if _is_configuration(file, name):
                return file
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _is_configuration(file: str, name: str) -> bool:
    try:
        with open(file, "rb") as stream:
            return name != "pyproject.toml" or _SECTION in stream.read()
    except OSError:
        return False
