"""Puts what lies beside the package into wheels and source archives.

These are the pages of `docs/rules`, for `telewright explain`, and the registries of `specs`, which
others use by name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Beside(BuildHookInterface[Any]):
    """In a checkout both lie outside of this folder; in a source archive, in the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add them to what is packed, except where the checkout itself is installed."""
        checkout = Path(self.root).parent
        for folder, name in ((checkout / "docs" / "rules", "rules"), (checkout / "specs", "specs")):
            if version != "editable" and folder.is_dir():
                build_data["force_include"][str(folder)] = f"telewright_codegen/{name}"
