"""Puts the pages of `docs/rules` into wheels and source archives, for `telewright explain`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class RulePages(BuildHookInterface[Any]):
    """In a checkout the pages lie outside of this folder; in a source archive, in the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the pages to what is packed, except where the checkout itself is installed."""
        pages = Path(self.root).parent / "docs" / "rules"
        if version != "editable" and pages.is_dir():
            build_data["force_include"][str(pages)] = "telewright_codegen/rules"
