"""Where an instrument is read from that other programs keep: a series on Prometheus pages."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Final

    Value = str | int | float | bool


class Source:
    """What a spec says of where an instrument is read from; `_scrape` does the reading.

    Attributes:
        series: The name of the series.
        page: The address of the page, or the name of what finds it.
        keys: The attributes that the instrument has.
        labels: From a label of the page to the attribute that it becomes.
        attributes: What attributes are where nothing else says so.
        every: Seconds between two readings.
        scale: What a reading is multiplied with.
        window: ``step`` or ``run``: values are what a total has risen by since that began.
    """

    __slots__ = ("attributes", "every", "keys", "labels", "page", "scale", "series", "window")

    def __init__(  # noqa: PLR0913 - what a spec may say of a source
        self,
        series: str,
        *,
        page: str,
        keys: Sequence[str] = (),
        labels: Mapping[str, str] | None = None,
        attributes: Mapping[str, Value] | None = None,
        every: float = 10.0,
        scale: float = 1.0,
        window: str | None = None,
    ) -> None:
        self.series: Final = series
        self.page: Final = page
        self.keys: Final = frozenset(keys)
        self.labels: Final = labels or {}
        self.attributes: Final = attributes or {}
        self.every: Final = every
        self.scale: Final = scale
        self.window: Final = window
