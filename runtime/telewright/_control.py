"""Starting, stopping, asking: what an application calls, before the rest is even loaded."""

from __future__ import annotations

import sys
from _thread import RLock

from telewright._guard import failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike
    from types import TracebackType
    from typing import Final, Self

    from opentelemetry.util.types import AttributeValue

    from telewright._books import Stats
    from telewright._group import Resource
    from telewright._settings import Arguments

STARTING: Final = [RLock()]
"""Held while telemetry starts or stops; a forked child gets a new one."""

_A_MOMENT: Final = 0.05
"""Seconds that `select` waits before it looks whether telemetry ends."""


class Telemetry:
    """What `start` returns: stops what it started at the end of a ``with`` block, or when told."""

    __slots__ = ("_asked", "on")

    def __init__(self, *, on: bool, asked: Arguments | None = None) -> None:
        self.on: Final = on
        """Whether telemetry runs."""
        self._asked: Final = asked

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
        /,
    ) -> None:
        if self._asked is not None:
            from telewright import _start

            if _start.STATE.arguments is self._asked:  # else it runs for somebody else, or not
                self.stop()

    def stop(self, timeout: float = 5.0) -> bool:
        """Do as `telewright.stop`."""
        return stop(timeout)

    def flush(self, timeout: float = 5.0) -> bool:
        """Do as `telewright.flush`."""
        return flush(timeout)

    def stats(self) -> Stats:
        """Do as `telewright.stats`."""
        return stats()


def start(  # noqa: PLR0913 - everything that can be said of a process's telemetry
    groups: str = "default",
    *,
    process: str | None = None,
    service: str | None = None,
    run_id: str | None = None,
    resource: Iterable[Mapping[str, AttributeValue | None] | Resource]
    | Mapping[str, AttributeValue | None]
    | Resource = (),
    exporter: str = "otlp",
    path: str | PathLike[str] | None = None,
    prefix: str = "TELEWRIGHT",
    fallback_prefix: str | None = None,
    metrics: bool = True,
    traces: bool = True,
    logs: bool = False,
    content: bool = False,
    hash_key: str | bytes | None = None,
    strict: bool = False,
    fast: bool = False,
    sigterm: bool = False,
    books: str | PathLike[str] | None = None,
) -> Telemetry:
    """Start the telemetry of this process, or join what already runs in it.

    At the end of a ``with`` block it stops, unless it ran before.

    Every argument but *prefix* and *fallback_prefix* can be given, and overridden, by a variable
    of its name: ``TELEWRIGHT_GROUPS``, and so on. OpenTelemetry's variables are honoured where
    nothing was said. ``TELEWRIGHT_OFF`` or ``OTEL_SDK_DISABLED`` leave everything off. A mistake
    costs one line in the log, and telemetry stays off, unless *strict* says to raise.

    Args:
        groups: Span groups and presets, such as ``"default,gym.checkpoint,-gym.job"``.
        process: The role of this process; what another role writes is not written here.
        service: The name of the service; else OpenTelemetry's variables name it.
        run_id: The run that this process belongs to; else the one inherited from the process that
            started it, else Slurm's, else a new one.
        resource: What is true of the whole process: mappings, or what generated constructors make.
        exporter: ``otlp``, ``console``, ``file``, ``none``, or one that a distribution provides.
        path: The file or folder of the file exporter; may contain ``{pid}`` and ``{service}``.
        prefix: What our variables begin with.
        fallback_prefix: What they may begin with instead.
        metrics: Whether metrics are exported.
        traces: Whether spans are exported.
        logs: Whether log records are exported.
        content: Whether what the specs call content (prompts, completions) may leave.
        hash_key: The key that personal values are hashed with; without one they are dropped.
        strict: Whether a mistake raises.
        fast: Whether to use spans and metrics of our own where nothing needs the SDK's; where
            something does, the standard tier runs, and one line in the log says why.
        sigterm: Whether SIGTERM exports what there is before it does what it does.
        books: A folder in which each process of the run opens an account, and closes it with its
            books, so that it is known which never did.

    Raises:
        ValueError: Only if *strict*: a setting cannot be.
        RuntimeError: Only if *strict*: telemetry runs already, with other settings.
        ImportError: Only if *strict*: a library is not installed.
    """
    named = locals()
    with STARTING[0]:
        try:
            from telewright import _settings, _start

            arguments = _settings.Arguments(**named)
        except Exception:
            failed("start")
            return Telemetry(on=False)
        return Telemetry(on=_start.begin(arguments), asked=arguments)


def _never_started() -> bool:
    return "telewright._start" not in sys.modules


def stop(timeout: float = 5.0) -> bool:
    """Stop the telemetry of this process, and say whether all that was still here arrived.

    Ends within *timeout* seconds. Spans that are open are exported, marked as truncated. What had
    not arrived by then is counted as dropped. What was lost before is in `stats`.
    """
    if _never_started():
        return True
    from telewright import _start

    return _start.stop(timeout)


def flush(timeout: float = 5.0) -> bool:
    """Export what there is, and say whether all of it arrived within *timeout* seconds.

    What was lost before is in `stats`.
    """
    if _never_started():
        return True
    from telewright import _start

    return _start.flush(timeout)


def select(groups: str) -> frozenset[str]:
    """Record the spans of *groups* and no others from now on; return the names nobody declares."""
    if _never_started():
        return frozenset()
    from telewright import _start

    starting = STARTING[0]
    while not starting.acquire(timeout=_A_MOMENT):
        if _start.STATE.ending is not None:  # on another thread, which may take its time
            return frozenset()
    try:
        return _start.select(groups)
    finally:
        starting.release()


def stats() -> Stats:
    """Return the books: what was made, what was exported, and what was dropped, and why."""
    from telewright import _start

    return _start.stats()
