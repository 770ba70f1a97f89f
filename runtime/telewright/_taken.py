"""Going on here as another process says that handed its telemetry over."""

from __future__ import annotations

import os
import sys

from telewright._environment import Environment
from telewright._guard import failed, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

PREFIX: Final = "TELEWRIGHT_PREFIX"
"""The variable that says what the others begin with."""

FALLBACK: Final = "TELEWRIGHT_FALLBACK_PREFIX"
"""The variable that says what they may begin with instead."""

TRIED: Final[list[str]] = []
"""The runs that this process has started for, or tried to, the last one at the end."""

_MOST_TRIED: Final = 64

_SET: Final[dict[str, str]] = {}
"""The variables that this process has from another one, and not of its own."""

_PATIENCE: Final = 1.0
"""Seconds that what ran for an earlier run has to export."""


def take(handed: Mapping[str, str], *, inherited: bool = False) -> None:
    """Start the telemetry of this process as *handed* says, unless its own runs or must not.

    It is tried once for each run. What was started so for an earlier run ends.

    Args:
        handed: What another process was started with.
        inherited: Whether this process's environment is a copy of that one's, maybe an old one;
            else it is its own, and wins, but for which run this is.
    """
    try:
        _take(handed, inherited=inherited)
    except Exception:
        failed("take telemetry over")


def _take(handed: Mapping[str, str], *, inherited: bool) -> None:
    prefix = handed.get(PREFIX)
    if prefix is None:
        return
    run = handed.get(f"{prefix}_RUN_ID", "")
    if run in TRIED or _goes_on(run):
        return
    from telewright import _control, _settings, _start

    with _control.STARTING[0]:
        if run in TRIED or _goes_on(run):
            return
        TRIED.append(run)
        del TRIED[:-_MOST_TRIED]
        fallback = handed.get(FALLBACK)
        if _settings.switched_off(Environment(prefix, fallback)):
            return
        before = _start.STATE.settings
        if before is not None:
            say(f"run {before.run_id} is over here, for what comes now belongs to run {run}")
            _start.stop(_PATIENCE)
        _set(handed, f"{prefix}_RUN_ID", inherited=inherited)
        _control.start(prefix=prefix, fallback_prefix=fallback)


def _goes_on(run: str) -> bool:
    """Say whether the telemetry of this process is that of *run*, or its own, and stays.

    A forked child's is its parent's, whether it has recorded anything or not.
    """
    from telewright import _start

    fork = sys.modules.get("telewright._fork")
    settings = _start.STATE.settings
    if settings is not None:
        return settings.run_id == run or not (settings.run_id in TRIED or _woke(settings.run_id))
    if fork is None or not fork._ASLEEP:
        return False
    asleep = fork.inherited()
    return asleep is None or asleep.run_id == run


def _woke(run: str) -> bool:
    fork = sys.modules.get("telewright._fork")
    return fork is not None and [run] == fork.WOKE


def _set(handed: Mapping[str, str], which: str, *, inherited: bool) -> None:
    """Have the variables that were *handed*, and no more those of an earlier time."""
    earlier = {key for key, text in _SET.items() if os.environ.get(key) == text}
    for variable in earlier - handed.keys():
        os.environ[variable] = ""  # which counts as not set; see `_run.unshare`
    _SET.clear()
    for variable, text in handed.items():
        own = os.environ.get(variable) and variable not in earlier and variable != which
        if variable.isupper() and (inherited or not own):
            os.environ[variable] = _SET[variable] = text
