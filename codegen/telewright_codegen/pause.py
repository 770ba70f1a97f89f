"""Pausing the collection of garbage where everything that is made is kept."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator

_PYTHONS_OWN: Final = 1000
"""Python 3.12 begins with some hundreds of frozen objects; who freezes has many more."""


@contextmanager
def collection_paused() -> Generator[None]:
    """Keep the collector from walking, again and again, what a run builds up and needs to its end.

    That is a third of the time of reading a large registry. Nothing is left on afterwards that was
    off before. What was made counts as old from then on: as new, all of it would be walked once
    more, by the first collection afterwards.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if gc.get_freeze_count() <= _PYTHONS_OWN:  # else somebody's objects would thaw
            gc.freeze()
            gc.unfreeze()
        gc.enable()
