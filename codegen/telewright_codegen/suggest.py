"""The nearest of several names to one that does not exist."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(word: str, words: Iterable[str]) -> str | None:
    """Return the one of *words* that was probably meant, None if none is near."""
    known = list(words)
    folded = {name.casefold(): name for name in reversed(known)}
    match = get_close_matches(word[:200].casefold(), folded, n=1, cutoff=0.6)
    return folded[match[0]] if match else None


def did_you_mean(word: str, words: Iterable[str]) -> str | None:
    """Return the question for a line of help, None if nothing is near."""
    name = nearest(word, words)
    return None if name is None else f"did you mean `{name}`?"
