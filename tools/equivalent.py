"""Breaks that make no difference, so that no test can notice them, each with the reason."""

from __future__ import annotations

from typing import Final

EQUIVALENT: Final[dict[tuple[str, str, str], str]] = {}
"""Reasons by module, kind of break, and the line as it is written."""
