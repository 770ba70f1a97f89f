"""Joining the telemetry that somebody else has set up in this process."""

from __future__ import annotations

from telewright._control import STARTING, Telemetry
from telewright._guard import failed, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from telewright._settings import Arguments


def adopt(  # noqa: PLR0913 - what can be said of telemetry that is exported by others
    groups: str = "default",
    *,
    guard: bool = False,
    process: str | None = None,
    run_id: str | None = None,
    prefix: str = "TELEWRIGHT",
    fallback_prefix: str | None = None,
    metrics: bool = True,
    traces: bool = True,
    logs: bool = False,
    content: bool = False,
    hash_key: str | bytes | None = None,
    strict: bool = False,
) -> Telemetry:
    """Join the telemetry that somebody else has set up in this process.

    As `telewright.start`, but nothing is exported by us: spans, metrics and log records go to the
    providers that are there, and where there are none telemetry stays off. Nothing that is not ours
    is replaced or shut down.

    Args:
        groups: Span groups and presets.
        guard: Whether what *they* record is judged too: their exporters get what the specs and the
            scan let leave, until `stop`. What cannot be reached is said, one line each.
        process: The role of this process; what another role writes is not written here.
        run_id: The run that this process belongs to.
        prefix: What our variables begin with; ``TELEWRIGHT_GUARD`` is that of *guard*.
        fallback_prefix: What they may begin with instead.
        metrics: Whether metrics are handed over.
        traces: Whether spans are.
        logs: Whether log records are, where nobody hands them over yet.
        content: Whether what the specs call content may leave.
        hash_key: The key that personal values are hashed with; without one they are dropped.
        strict: Whether a mistake raises; so does what the guard cannot be put before.

    Returns:
        What stops our half of it. Its `on` is False where there is nothing to join.

    Raises:
        RuntimeError: Only if *strict*: there is nothing to join, or the guard cannot be placed.
        ValueError: Only if *strict*: a setting cannot be.
    """
    named = locals()
    with STARTING[0]:
        try:
            from telewright._settings import Arguments

            arguments = Arguments(exporter="none", **named)
            there = _is_there()
        except Exception:
            failed("adopt")
            return Telemetry(on=False)
        if not there:
            return Telemetry(on=_alone(strict=strict is True))
        return Telemetry(on=_adopted(arguments), asked=arguments)


def _adopted(arguments: Arguments) -> bool:
    from telewright import _start

    if arguments.guard is True and _start.STATE.settings is not None:
        return _start.guard(strict=arguments.strict is True)
    return _start.begin(arguments)


def _alone(*, strict: bool) -> bool:
    problem = "nobody has set up telemetry in this process: `telewright.start` does"
    if strict:
        raise RuntimeError(problem)
    say(problem)
    return False


def _is_there() -> bool:
    """Say whether a provider is installed that is neither ours nor a stand-in."""
    try:
        from telewright import _relay
    except ImportError:
        return False
    found = (
        _relay.foreign_tracer_provider(),
        _relay.foreign_meter_provider(),
        _relay.foreign_logger_provider(),
    )
    return any(one is not None for one in found)
