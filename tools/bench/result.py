"""What a benchmark found: one line of a table, and whether the goal was met."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Final

VERSION: Final = sys.version_info[:2]


@dataclass(frozen=True, slots=True)
class Result:
    """One figure.

    Attributes:
        id: The goal's number; figures for comparison have none.
        name: What was measured.
        value: The ratio, or the amount.
        unit: ``x`` for a ratio, else a unit.
        goal: What *value* may be at most; None where there is none.
        detail: The times behind the ratio.
    """

    id: str
    name: str
    value: float
    unit: str = "x"
    goal: float | None = None
    detail: str = ""

    @property
    def is_met(self) -> bool:
        """Whether there is no goal, or it is met at the precision that it is stated in."""
        return self.goal is None or round(self.value, 2) <= self.goal


def report(results: Iterator[Result]) -> None:
    """Print each result as a line of JSON, for the program that collects them."""
    for result in results:
        print(json.dumps(asdict(result)), flush=True)


def rounds(usual: int) -> int:
    """Return how many rounds to run: *usual*, or what the command line says."""
    return int(sys.argv[1]) if len(sys.argv) > 1 else usual
