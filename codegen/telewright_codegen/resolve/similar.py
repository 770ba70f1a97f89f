"""Did you mean: the declared name that is nearest to an unknown one."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate most like *name*; None if none is."""
    known = list(candidates)
    folded = {candidate.casefold(): candidate for candidate in reversed(known)}
    if (same := folded.get(name.casefold())) is not None:
        return same
    found = difflib.get_close_matches(name, known, n=1, cutoff=0.7)
    if found:
        return found[0]
    last = name.rpartition(".")[2]
    ends = [candidate for candidate in known if candidate.rpartition(".")[2] == last]
    return ends[0] if len(ends) == 1 else None


def did_you_mean(name: str | None) -> str | None:
    """Return the line of help that proposes *name*."""
    return None if name is None else f"did you mean `{name}`?"
