"""Accounts of processes in a folder: each opens one when it starts, and closes it with its books.

Whoever looks there knows which process never closed its own: it was killed, or left by `os._exit`,
and what it had not exported is missing. The first process of a run reads the others at its end, and
removes what is closed; so what is left in the folder is of processes that never closed.
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

_FIRST: Final = ".first.json"
"""How the file of a run's first process ends, so that the others find it among thousands."""


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
            "began": _stat(os.getpid())[1],
            "name": settings.process or settings.service,
            "closed": False,
        }
        name = f"{self._said['host']}-{self._said['pid']}-{os.urandom(4).hex()}.json"
        self._file = self._folder / name
        self._first: Final = not self._first_is_there()
        if self._first:
            self._file = self._file.with_suffix(_FIRST)
        self._write()

    def close(self, stats: Stats) -> None:
        """Close it with what became of everything.

        The first process of a run, which outlives the others as a rule, says which of them did not,
        and removes the accounts that are closed, its own last. Who closes later removes its own.
        """
        self._said.update(
            closed=True, made=stats.made, exported=stats.exported, dropped=stats.dropped
        )
        if not self._write():
            return
        if self._first:
            self._clear()
        elif not self._first_is_there():
            self._remove(self._file)

    def _clear(self) -> None:
        """Say which processes never closed their accounts, and remove what is closed."""
        unclosed = self.unclosed()
        if unclosed:
            say(f"{len(unclosed)} processes never closed their books: {', '.join(unclosed)}")
        try:
            closed = [place for place, other in self._others() if other.get("closed")]
        except Exception:
            failed("read the accounts of processes")
            return
        for place in (*closed, self._file):
            self._remove(place)

    def unclosed(self) -> tuple[str, ...]:
        """Return the processes of the run that did not close theirs, and do not run here."""
        try:
            return tuple(
                sorted(
                    f"{other.get('name') or 'process'} {other['pid']} on {other['host']}"
                    for _, other in self._others()
                    if not other.get("closed") and not self._runs(other)
                )
            )
        except Exception:
            failed("read the accounts of processes")
            return ()

    def _first_is_there(self) -> bool:
        """Say whether the first process of the run will still read the others' accounts."""
        try:
            return any(
                not other.get("closed")
                and (other["host"] != self._said["host"] or self._runs(other))
                for _, other in self._others(_FIRST)
            )
        except Exception:
            failed("read the accounts of processes")
            return False

    def _others(self, ending: str = ".json") -> Iterator[tuple[Path, dict[str, Any]]]:
        """Yield the accounts of the run's other processes, and where they are."""
        for place in sorted(self._folder.glob(f"*{ending}"))[:_MOST]:
            try:
                found = json.loads(place.read_text("utf-8"))
                if place != self._file and found["run"] == self._said["run"]:
                    yield place, {**found, "pid": int(found["pid"]), "host": str(found["host"])}
            except FileNotFoundError:  # who closed it has removed it
                continue
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
            pass
        state, began = _stat(other["pid"])
        if state == "Z":  # it has ended, and its parent does not know yet
            return False
        return None in (began, other.get("began")) or began == other["began"]

    def _write(self) -> bool:
        """Write it whole; say whether that went well."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            draft = self._file.with_suffix(".new")
            draft.write_text(json.dumps(self._said), "utf-8")
            draft.replace(self._file)
        except Exception:
            failed("write the account of a process")
            return False
        return True

    @staticmethod
    def _remove(place: Path) -> None:
        try:
            place.unlink(missing_ok=True)
        except Exception:
            failed("remove the account of a process")


def _stat(pid: int) -> tuple[str, int] | tuple[None, None]:
    """Return the state of a process and when it began, where the system says that in a file."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
        fields = stat.rpartition(")")[2].split()
        return fields[0], int(fields[19])
    except (OSError, ValueError, IndexError):
        return None, None
