"""Beginning anew: for work that is started by a request, and is not part of it."""

from __future__ import annotations

from telewright import _late as late
from telewright._group import TRACES
from telewright._span import NOTHING, Block


def detached() -> Block:
    """Return a block in which no span is current and no scope is open.

    A task or a thread that is started inside has none of its starter's, however long it lives.
    What it does may be linked to where it came from, by the ``links`` of its span.
    """
    return Block(late.Context()) if TRACES.on else NOTHING
