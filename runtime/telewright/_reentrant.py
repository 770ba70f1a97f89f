"""Locks that a thread may take again, in place of the SDK's, which it may not.

A signal's handler runs in the midst of whatever its thread is at, and so does a finalizer. Were it
to record into what is just recorded into, the thread would wait for itself, for ever.
"""

from __future__ import annotations

import sys
from threading import RLock

from opentelemetry.sdk.util import BoundedList  # noqa: TID251 - started processes only

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def let_series() -> None:
    """Have the series of metrics that the SDK makes from now on take such locks."""
    for name in ("_view_instrument_match", "aggregation"):
        module: Any = sys.modules.get(f"opentelemetry.sdk.metrics._internal.{name}")
        if hasattr(module, "Lock"):  # else this SDK has others
            module.Lock = RLock


def let_span(span: Any) -> None:  # noqa: ANN401 - the SDK's, or one that has other parts
    """Give *span*, which nobody else knows yet, one such lock for all its parts.

    Each of them has one of its own, which Python's collector of garbage walks as well.
    """
    try:
        attributes, events, links = span._attributes, span._events, span._links
        span._lock = attributes._lock = events._lock = links._lock = RLock()
    except AttributeError:
        return


def reentrant_list(most: int | None) -> BoundedList[Any]:
    """Return a list as spans of the SDK's have, of *most* items, that has such a lock."""
    kept: BoundedList[Any] = BoundedList(most)
    vars(kept)["_lock"] = RLock()
    return kept
