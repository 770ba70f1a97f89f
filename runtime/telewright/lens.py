"""nemo-lens: a process whose telemetry it has set up uses generated helpers unchanged.

Its enabled groups open our gates and its providers export; nothing of it is replaced or shut down.

    from nemo.lens import NemoLensConfig, setup_telemetry
    from telewright import lens

    setup_telemetry(NemoLensConfig.from_env("NEMO_GYM_OTEL", "NEMO_LENS"))
    lens.adopt()
"""

from __future__ import annotations

from importlib import import_module

from telewright import _start
from telewright._control import STARTING, Telemetry, select, start
from telewright._group import ADOPTERS, REGISTRIES
from telewright._guard import failed, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from telewright._group import Registry

__all__ = ["adopt"]


def adopt(
    *, process: str | None = None, content: bool = False, hash_key: str | bytes | None = None
) -> Telemetry:
    """Join the telemetry that nemo-lens has set up in this process.

    Call it after ``setup_telemetry``, and again whenever the groups that are enabled have changed.
    A group is on if nemo-lens has enabled one of its name, ``rollout``, or of its id,
    ``gym.rollout``. Names belong to nobody there: ``checkpoint`` opens that of every registry.

    Args:
        process: The role of this process; what another role writes is not written here.
        content: Whether what the specs call content may leave.
        hash_key: The key that personal values are hashed with; without one they are dropped.

    Returns:
        What stops our half of it. Its `on` is False where nemo-lens exports nothing here.
    """
    with STARTING[0]:
        try:
            return _adopt(process, content=content, hash_key=hash_key)
        except ImportError as error:
            say(f"nemo-lens cannot be joined: {error}")
        except Exception:
            failed("join nemo-lens")
    return Telemetry(on=False)


def _adopt(process: str | None, *, content: bool, hash_key: str | bytes | None) -> Telemetry:

    from telewright import _relay

    state: Any = import_module("nemo.lens.state")  # found only where the package is
    asks: Callable[[str], bool] = state.is_span_group_enabled
    spans, metrics = _relay.foreign_tracer_provider(), _relay.foreign_meter_provider()
    traces = spans is not None and _relay.records(spans)
    if not traces and metrics is None:
        return Telemetry(on=False)
    enabled = _enabled(asks)
    if _start.STATE.settings is not None:
        select(enabled)
        handle = Telemetry(on=True)
    else:
        handle = start(
            enabled,
            process=process,
            run_id=_run_id(spans or metrics),
            prefix="NEMO_LENS",
            exporter="none",
            content=content,
            hash_key=hash_key,
            traces=traces,
            metrics=metrics is not None,
        )
    if handle.on:
        ADOPTERS.append(_following(asks))
    return handle


def _enabled(asks: Callable[[str], bool]) -> str:
    """Return the groups of every registry that nemo-lens has enabled, imported or not."""
    from telewright._registries import registries

    names = {(registry, name) for registry, data in registries().items() for name in data["groups"]}
    names |= {
        (registry.name, group.name.removeprefix(f"{registry.name}."))
        for registry in REGISTRIES.values()
        for group in registry.groups
    }
    found = [
        f"{registry}.{name}" for registry, name in sorted(names) if _asked(asks, registry, name)
    ]
    return ",".join(found) or "none"


def _asked(asks: Callable[[str], bool], registry: str, name: str) -> bool:
    return asks(name) or asks(f"{registry}.{name}")


def _following(asks: Callable[[str], bool]) -> Callable[[Registry], None]:
    """Return what opens the gates of a registry that is imported later."""

    def follow(registry: Registry) -> None:
        for group in registry.groups:
            name = group.name.removeprefix(f"{registry.name}.")
            group.chosen = _asked(asks, registry.name, name)
            group.refresh()

    return follow


def _run_id(provider: object) -> str | None:
    """Return the run that nemo-lens says this process belongs to."""
    attributes = getattr(getattr(provider, "resource", None), "attributes", None)
    found = None if attributes is None else attributes.get("nemo.run.id")
    return found if isinstance(found, str) else None
