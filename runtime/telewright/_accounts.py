"""Accounts of processes in a folder: each opens one when it starts, and closes it with its books.

Whoever looks there knows which process never closed its own: it was killed, or left by `os._exit`,
and what it had not exported is missing.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from socket import gethostname

from telewright._guard import failed, lost, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final

    from telewright._books import Stats
    from telewright._settings import Settings

_MOST: Final = 100_000
"""Accounts that are read, of however many processes there were."""


class Account:
    """That of this process, beside those of the other processes of its run.

    Args:
        folder: Where they are, for all processes of the run the same.
        settings: What telemetry was started with.
    """

    def __init__(self, folder: str, settings: Settings) -> None:
        self._folder: Final = Path(folder)
        self._said: Final[dict[str, Any]] = {
            "run": settings.run_id,
            "host": gethostname(),
            "pid": os.getpid(),
            "name": settings.process or settings.service,
            "closed": False,
        }
        name = f"{self._said['host']}-{self._said['pid']}-{os.urandom(4).hex()}.json"
        self._file: Final = self._folder / name
        self._first: Final = self._is_first()
        self._write()

    def close(self, stats: Stats) -> None:
        """Close it with what became of everything.

        The first process of a run, which outlives the others as a rule, says which of them did not.
        """
        self._said.update(
            closed=True, made=stats.made, exported=stats.exported, dropped=stats.dropped
        )
        self._write()
        unclosed = self.unclosed() if self._first else ()
        if unclosed:
            say(f"{len(unclosed)} processes never closed their books: {', '.join(unclosed)}")

    def unclosed(self) -> tuple[str, ...]:
        """Return the processes of the run that did not close theirs, and do not run here."""
        try:
            return tuple(
                sorted(
                    f"{other.get('name') or 'process'} {other['pid']} on {other['host']}"
                    for other in self._others()
                    if not other.get("closed") and not self._runs(other)
                )
            )
        except Exception:
            failed("read the accounts of processes")
            return ()

    def _is_first(self) -> bool:
        try:
            return next(self._others(), None) is None
        except Exception:
            failed("read the accounts of processes")
            return True

    def _others(self) -> Iterator[dict[str, Any]]:
        for place in sorted(self._folder.glob("*.json"))[:_MOST]:
            try:
                found = json.loads(place.read_text("utf-8"))
                if place != self._file and found["run"] == self._said["run"]:
                    yield {**found, "pid": int(found["pid"]), "host": str(found["host"])}
            except (OSError, ValueError, TypeError, KeyError):  # being replaced, or another's file
                lost("unreadable_account")

    def _runs(self, other: dict[str, Any]) -> bool:
        """Say whether a process of this host is there; of another host nobody knows."""
        if other["host"] != self._said["host"]:
            return False
        try:
            os.kill(other["pid"], 0)
        except ProcessLookupError:
            return False
        except OSError:  # it is somebody else's
            return True
        return not _is_a_zombie(other["pid"])

    def _write(self) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            draft = self._file.with_suffix(".new")
            draft.write_text(json.dumps(self._said), "utf-8")
            draft.replace(self._file)
        except Exception:
            failed("write the account of a process")


def _is_a_zombie(pid: int) -> bool:
    """Say whether a process has ended, and its parent does not know yet; where that can be told."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] == "Z"
    except (OSError, IndexError):
        return False
