"""Pausing the collection of garbage where everything that is made is kept."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Generator

_PYTHONS_OWN: Final = 1000
"""Python 3.12 begins with some hundreds of frozen objects; who freezes has many more."""

_MANY: Final = 20_000
"""Objects; fewer are walked through as soon as they are counted."""


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
        made = gc.get_count()[0]  # to count what is frozen is a walk through it
        if made > _MANY and gc.get_freeze_count() <= _PYTHONS_OWN:  # else somebody's would thaw
            gc.freeze()
            gc.unfreeze()
        gc.enable()
