"""Items by what is said about them: words looked for in names, members, briefs and notes, ranked.

Every word must be found somewhere. What counts is where, and how exactly: a name or a part of it,
then the values that an enumeration has, then prose; a name that is only similar comes last.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from telewright_codegen.describe.item import Item, Json

_PARTS: Final = re.compile(r"[^A-Za-z0-9]+")
_WORDS: Final = re.compile(r"[A-Za-z0-9_.]+")
_WHOLE, _PART, _BEGINS, _PART_BEGINS, _INSIDE, _SIMILAR = 100.0, 60.0, 50.0, 40.0, 30.0, 20.0
_MEMBER, _BRIEF, _NOTE = 35.0, 15.0, 6.0
_NEAR: Final = 0.75
"""So much of a word must be as in a name for it to be meant."""
_SHORTEST: Final = 4
"""Letters of a word from which on a similar one may be meant."""
_OLD: Final = 0.8
"""What is deprecated counts so much less."""


class Hit(NamedTuple):
    """An item that was found."""

    item: Item
    score: float

    def data(self) -> dict[str, Json]:
        """Return it as one object of JSON."""
        found: dict[str, Json] = {
            "item": self.item.kind,
            "registry": self.item.registry,
            "name": self.item.name,
            "brief": brief(self.item),
            "place": self.item.place,
            "score": round(self.score, 1),
        }
        return found


def search(items: Iterable[Item], words: Sequence[str]) -> list[Hit]:
    """Return the items that have all *words*, the best first."""
    asked = [word.casefold() for word in words]
    hits: list[Hit] = []
    for item in items:
        page = _Page.of(item)
        scores = [page.score(word) for word in asked]
        if all(scores):
            old = "deprecated" in item.fields
            hits.append(Hit(item, sum(scores) / len(scores) * (_OLD if old else 1.0)))
    return sorted(hits, key=lambda hit: (-hit.score, hit.item.registry, hit.item.name))


def brief(item: Item) -> str:
    """Return the first line of what is said about an item."""
    return _said(item, "brief").strip().partition("\n")[0]


class _Page(NamedTuple):
    """What is looked at of one item, in small letters."""

    names: tuple[str, ...]
    parts: frozenset[str]
    members: frozenset[str]
    brief: str
    note: str

    @classmethod
    def of(cls, item: Item) -> _Page:
        called = [name.casefold() for name in _names(item)]
        return cls(
            tuple(called),
            frozenset(part for name in called for part in _PARTS.split(name) if part),
            frozenset(_members(item)),
            _said(item, "brief").casefold(),
            _said(item, "note").casefold(),
        )

    def score(self, word: str) -> float:
        """Return how well *word* fits; 0 where it does not at all."""
        exact = self._exact(word)
        return exact or self._prose(word) or self._similar(word)

    def _exact(self, word: str) -> float:
        if word in self.names:
            return _WHOLE
        if word in self.parts:
            return _PART
        if any(name.startswith(word) for name in self.names):
            return _BEGINS
        if any(part.startswith(word) for part in self.parts):
            return _PART_BEGINS
        if word in self.members:
            return _MEMBER
        return _INSIDE if any(word in name for name in self.names) else 0.0

    def _prose(self, word: str) -> float:
        for text, score in ((self.brief, _BRIEF), (self.note, _NOTE)):
            if word in text:
                return score if word in _WORDS.findall(text) else score / 2
        return 0.0

    def _similar(self, word: str) -> float:
        if len(word) < _SHORTEST:
            return 0.0
        best = 0.0
        for part in self.parts:
            if part[0] == word[0] and abs(len(part) - len(word)) <= len(word) // 3:
                best = max(best, SequenceMatcher(None, word, part).ratio())
        return _SIMILAR * best if best >= _NEAR else 0.0


def _names(item: Item) -> list[str]:
    """Return what an item is called, without the names of what it is in."""
    found = [item.name, *(one for one in item.aliases if not one.endswith(f".{item.name}"))]
    return found if item.constant is None else [*found, item.constant]


def _members(item: Item) -> Iterable[str]:
    said = item.fields.get("members")
    for one in said.value if said is not None and isinstance(said.value, list) else ():
        if isinstance(one, dict):
            yield str(one.get("name")).casefold()
            yield str(one.get("value")).casefold()


def _said(item: Item, field: str) -> str:
    found = item.fields.get(field)
    return found.value if found is not None and isinstance(found.value, str) else ""
