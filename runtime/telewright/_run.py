"""The one run id that every process of a run shares."""

from __future__ import annotations

import os

from telewright._values import clean_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from telewright._environment import Environment

_SHARED: Final[dict[str, tuple[str, str]]] = {}
"""What this process put into its environment, and what was there, for when it stops."""


def run_id(explicit: str | None, environment: Environment) -> str:
    """Return the id that was given, else the one inherited, else Slurm's, else a new one."""
    said = str(explicit).strip() if explicit else ""
    told = clean_text(said or environment.text("RUN_ID", "SLURM_JOB_ID") or "").strip()
    return told or os.urandom(6).hex()


def share(value: str, prefix: str) -> None:
    """Let the processes started from here on know the id.

    Raises:
        ValueError: If the environment takes no such variable.
    """
    variable = f"{prefix}_RUN_ID"
    before = os.environ.get(variable, "")
    if before.strip() != value:
        try:
            os.environ[variable] = value
        except (ValueError, OSError) as error:
            raise ValueError(f"{variable}={value!r} is no variable: {error}") from error
        _SHARED[variable] = value, before


def unshare() -> None:
    """Take back what `share` put into the environment.

    What was not there is emptied, which counts as not set: whoever goes through the environment on
    another thread while a variable is deleted gets a KeyError.
    """
    while _SHARED:
        variable, (value, before) = _SHARED.popitem()
        if os.environ.get(variable) == value:
            os.environ[variable] = before
