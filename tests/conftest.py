"""What holds for all tests: which files begin first, how many workers there are, who is heard."""

from __future__ import annotations

import gc
import os
import signal

import pytest

_WAITING = 12
"""Workers that are enough where most of them wait."""


def pytest_configure():
    """Have interrupts heard where a shell started this in the background, which ignores them."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items):
    """Put the files that have a long test before all others, so that no worker ends with one."""
    long = {item.path for item in items if item.get_closest_marker("long") is not None}
    items.sort(key=lambda item: item.path not in long)


@pytest.hookimpl(optionalhook=True, wrapper=True)
def pytest_xdist_auto_num_workers():
    """Have more workers than processors, since tests wait; most of them do with telemetry off."""
    found = yield
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return found
    return max(found + 1, min(3 * found, _WAITING) if "SUITE_OFF" in os.environ else 0)


def pytest_collection_finish():
    """Keep what collecting has made out of collections of garbage: tests ask for those often."""
    gc.collect()
    gc.freeze()
