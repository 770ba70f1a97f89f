"""Opening and shutting gates: which groups record, and where their spans and metrics come from."""

from __future__ import annotations

from telewright._group import ADOPTERS, METRICS, READING, REGISTRIES, TRACES
from telewright._guard import LOCK, failed, say
from telewright._select import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final

    from opentelemetry.metrics import Meter
    from opentelemetry.trace import Tracer

    from telewright._group import Registry
    from telewright._instrument import Instrument


class Source:
    """Where the helpers of this process get tracers and meters, and for which groups.

    Args:
        groups: What a person selected.
        process: The role of this process, which decides what it may write.
        tracer: Makes the tracer of a registry; None if spans go nowhere.
        meter: Makes the meter of a registry; None if metrics go nowhere.
        read: Told of each instrument that this process writes and that is read from a page.
    """

    def __init__(
        self,
        groups: str,
        process: str | None,
        tracer: Callable[[Registry], Tracer] | None,
        meter: Callable[[Registry], Meter] | None,
        *,
        read: Callable[[Instrument], None] | None = None,
    ) -> None:
        self.groups = groups
        self._process: Final = process
        self._tracer: Final = tracer
        self._meter: Final = meter
        self._read: Final = read

    def open(self) -> None:
        """Open the gates, now and for every registry that is imported later."""
        with LOCK:
            TRACES.on = self._tracer is not None
            METRICS.on = READING.on = self._meter is not None
            ADOPTERS[:] = [self._adopt]
            _NOW[:] = [self]
            known = list(REGISTRIES.values())
        for registry in known:
            self._adopt(registry)

    def select(self, groups: str) -> None:
        """Open the gates of *groups* and no others, now and for what is imported later."""
        choose(groups)
        self.groups = groups

    def _adopt(self, registry: Registry) -> None:
        try:
            tracer = None if self._tracer is None else self._tracer(registry)
            meter = None if self._meter is None else self._meter(registry)
            chosen, _ = resolve(self.groups, [registry])
        except Exception:
            failed("adopt a registry")
            return
        registry.joins = None
        if meter is not None:
            registry.joins = join = self._joins(meter)
            for instrument in list(registry.instruments):
                join(instrument)
        for group in registry.groups:
            if tracer is not None:
                group.tracer = tracer
            group.chosen = group in chosen
            group.refresh()

    def _joins(self, meter: Meter) -> Callable[[Instrument], None]:
        """Return what makes an instrument on *meter*, if it is for this process to write."""

        def join(instrument: Instrument) -> None:
            try:
                writes = self.writes(instrument.writer)
                instrument.bind(meter if writes else None)
                if writes and getattr(instrument, "source", None) is not None:
                    self._reads(instrument)
            except Exception:
                failed("make an instrument")

        return join

    def _reads(self, instrument: Instrument) -> None:
        """Have *instrument* read from its page, where that is this process's role and no other's.

        A process without a role writes everything, but does not ask the pages of a whole cluster.
        """
        if self._read is not None and instrument.writer in {None, self._process}:
            self._read(instrument)

    def writes(self, writer: str | None) -> bool:
        """Say whether this process may write what belongs to *writer*."""
        return writer is None or self._process is None or writer == self._process


def choose(groups: str, registries: Iterable[Registry] | None = None) -> None:
    """Have *groups*, and no others, be those whose gates are open while traces export.

    Args:
        groups: What a person selected.
        registries: Those it is about; else all.
    """
    known = list(REGISTRIES.values() if registries is None else registries)
    chosen, _ = resolve(groups, known)
    for registry in known:
        for group in registry.groups:
            group.chosen = group in chosen
            group.refresh()


def report_unknown(groups: str, *, strict: bool) -> frozenset[str]:
    """Log names that no registry has, imported or not, and return them.

    Raises:
        ValueError: If *strict* and there are any.
    """
    from telewright._registries import groups_and_presets

    _, unknown = resolve(groups, list(REGISTRIES.values()))
    unknown -= groups_and_presets()
    if unknown:
        written = {one.strip() for one in groups.split(",") if one.strip().lower() in unknown}
        problem = f"no registry has a span group or preset called {', '.join(sorted(written))}"
        if strict:
            raise ValueError(problem)
        say(f"{problem}; ignored")
    return unknown


_NOW: Final[list[Source]] = []


def now() -> Source | None:
    """Return what the gates lead to, if they are open."""
    return _NOW[0] if _NOW else None


def shut(*, reading: bool = False) -> None:
    """Shut every gate. Blocks that are open end as they began.

    Args:
        reading: Whether observable instruments are still read, until `READING` is off too.
    """
    with LOCK:
        TRACES.on = METRICS.on = False
        READING.on = reading and READING.on
        ADOPTERS.clear()
        _NOW.clear()
        known = list(REGISTRIES.values())
    for registry in known:
        registry.joins = None
        for group in registry.groups:
            group.chosen = False
            group.refresh()
        for instrument in registry.instruments:
            instrument.bind(None)
