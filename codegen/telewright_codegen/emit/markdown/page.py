"""What a page is made of: decided text, ready to be printed."""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from telewright_codegen.emit.markdown import inert


class Table(NamedTuple):
    """A table; every cell is Markdown of one line."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def rule(self) -> tuple[str, ...]:
        """The line under the headings."""
        return ("---",) * len(self.headings)


class Section(NamedTuple):
    """A heading and what stands under it, in this order."""

    title: str
    """Markdown; empty where the content needs no heading."""
    paragraphs: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    """A word and what there is to say, one a line."""
    table: Table | None = None
    diagram: str = ""
    """The source of a mermaid diagram."""
    sections: tuple[Section, ...] = ()


class Page(NamedTuple):
    """One file."""

    path: str
    """Below the output folder, with forward slashes."""
    source: str
    """What it was generated from, as headers call it."""
    body: Section


def facts(*pairs: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the *pairs* that say something."""
    return tuple(pair for pair in pairs if pair[1])


def table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> Table | None:
    """Return a table without the columns that no row has anything in; None without rows."""
    if not rows:
        return None
    kept = [index for index in range(len(headings)) if any(row[index] for row in rows)]
    return Table(
        tuple(headings[index] for index in kept),
        tuple(tuple(row[index] for index in kept) for row in rows),
    )


def stacked(*lines: str) -> str:
    """Return a cell of several lines."""
    return "<br/>".join(line for line in lines if line)


def anchored(key: str) -> str:
    """Return *key* as code that a link can lead to."""
    return f'<a id="{escape(key)}"></a>{inert.code(key)}'
