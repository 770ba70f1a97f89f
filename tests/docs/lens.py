"""As much of nemo-lens as the guide names, for Pythons that the real one does not install on.

`tests/lens` runs the same block of the guide with the real one.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from types import ModuleType, SimpleNamespace

GROUPS: set[str] = set()


class NemoLensConfig(SimpleNamespace):
    """Its settings."""

    @classmethod
    def from_env(cls, *prefixes):
        """Read them under the first prefix that has them."""
        found = (os.environ.get(f"{prefix}_SPAN_GROUPS") for prefix in prefixes)
        return cls(span_groups=next(filter(None, found), ""))


def setup_telemetry(config):
    """Enable the groups of a configuration."""
    GROUPS.update(filter(None, config.span_groups.split(",")))


def stand_in():
    """Let `nemo.lens` be this module where the real package is not installed."""
    if importlib.util.find_spec("nemo") is not None:
        return
    package, state = ModuleType("nemo"), ModuleType("nemo.lens.state")
    package.__path__ = []
    state.is_span_group_enabled = GROUPS.__contains__
    ours = sys.modules[__name__]
    sys.modules |= {"nemo": package, "nemo.lens": ours, "nemo.lens.state": state}
