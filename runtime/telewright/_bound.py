"""Instruments bound to one set of attributes: what is looked up otherwise, is looked up once.

They record whatever tier runs, and nothing while none does; only in the fast one are they fast.
"""

from __future__ import annotations

from telewright._group import METRICS
from telewright._guard import failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, Protocol

    from telewright._instrument import Attributes, Instrument

    class Add(Protocol):
        """Adds an amount."""

        def __call__(self, value: float = 1) -> None: ...

    class Take(Protocol):
        """Takes a value."""

        def __call__(self, value: float) -> None: ...


class Bound:
    """An instrument bound to one set of attributes."""

    __slots__ = ("__weakref__", "_attributes", "_instrument", "_take")

    _verb = "_take"

    def __init__(self, instrument: Instrument, attributes: Attributes) -> None:
        self._instrument: Final = instrument
        self._attributes: Attributes | None = None
        try:
            self._attributes = {**attributes}
        except Exception:  # a mapping, or a key, that lies about itself
            failed("bind an instrument")
        self.release()

    def release(self) -> None:
        """Forget where values go; the next one finds out."""
        setattr(self, self._verb, self._first)

    def _first(self, value: Any = 1) -> None:  # noqa: ANN401 - anything may come
        attributes = self._attributes
        if not METRICS.on or attributes is None:
            return
        try:
            take = self._instrument.direct(attributes)
        except Exception:
            failed("bind an instrument")
            return
        if take is None:
            self._instrument.put(value, attributes)
        else:
            setattr(self, self._verb, take)
            take(value)


class BoundAnew(Bound):
    """An instrument bound once more, for who has kept the verb of a series that is over."""

    __slots__ = ("take",)

    _verb = "take"
    take: Take
    """Takes a value."""


class BoundCounter(Bound):
    """A counter bound to one set of attributes."""

    __slots__ = ("add",)

    _verb = "add"
    add: Add
    """Adds an amount; 1 if none is given."""


class BoundHistogram(Bound):
    """A histogram bound to one set of attributes."""

    __slots__ = ("record",)

    _verb = "record"
    record: Take
    """Records a value."""


class BoundGauge(Bound):
    """A gauge bound to one set of attributes."""

    __slots__ = ("set",)

    _verb = "set"
    set: Take
    """Sets a value."""
