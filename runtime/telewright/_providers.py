"""Providers of the SDK's that a forked child leaves alone."""

from __future__ import annotations

from typing import TypeVar, cast

P = TypeVar("P")


def unforked(kind: type[P]) -> type[P]:
    """Return a *kind* of provider that does nothing in a forked child, where nobody uses it.

    The SDK's own detects resources anew there, on threads, before the child gets to do anything:
    that takes as long as its detectors do, and for ever where the parent never had such threads.
    """
    return cast("type[P]", type(kind.__name__, (kind,), {"_handle_fork": _do_nothing}))


def _do_nothing(provider: object) -> None:
    """Leave *provider* as it is."""
