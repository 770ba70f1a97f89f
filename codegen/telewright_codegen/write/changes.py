"""What is to be done to the files of one run, and what was."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from pathlib import Path


class Wanted(NamedTuple):
    """A file as it should be."""

    path: Path
    """Absolute."""
    into: Path
    """The output folder it is below."""
    data: bytes


class Found(NamedTuple):
    """A file that should be, and what is in its place."""

    wanted: Wanted
    data: bytes | None
    """None where nothing is there."""
    stat: os.stat_result | None

    @property
    def same(self) -> bool:
        """Whether what is there needs no change; a checkout may have turned its line ends."""
        if self.data is None:
            return False
        data = self.wanted.data
        return self.data == data or (
            b"\r" not in data and b"\r" in self.data and self.data.replace(b"\r\n", b"\n") == data
        )


@dataclass(frozen=True, slots=True)
class Changes:
    """What a run did to the disk, or with `check`, would do."""

    written: tuple[Path, ...] = ()
    unchanged: tuple[Path, ...] = ()
    removed: tuple[Path, ...] = ()
    diffs: Mapping[Path, str] = field(default_factory=dict["Path", str])
    """Unified, of everything written or removed; only with `check`."""
