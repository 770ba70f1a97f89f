"""The folder of study material beside the checkout, which developers have and users do not."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

_FOLDER: Final = Path(__file__).resolve().parents[2] / "shared"

SHARED: Final[Path | None] = _FOLDER if _FOLDER.is_dir() else None


def shared(*parts: str) -> Path:
    """Return a path inside the folder, or skip the test that asks, visibly."""
    if SHARED is None:
        pytest.skip("needs the study material beside the checkout")
    return SHARED.joinpath(*parts)
