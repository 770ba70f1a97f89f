"""Behaviours are shown with what tests of the runtime have."""

from __future__ import annotations

from tests.runtime.conftest import clean_process, probe, receiver, sdk_probe

__all__ = ["clean_process", "probe", "receiver", "sdk_probe"]
