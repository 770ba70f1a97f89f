"""Markdown as readers see it: rendered, and taken apart again."""

from __future__ import annotations

from html.parser import HTMLParser

from markdown_it import MarkdownIt
from tests.codegen.checking import resolved

from telewright_codegen.emit.emitter import Target
from telewright_codegen.emit.markdown.emitter import MarkdownEmitter


def pages(folder, files, registries=None):
    """Return the pages that *files* become, by path."""
    model = resolved(folder, files).model
    names = registries or tuple(one.name for one in model.registries)
    target = Target(names, {one.name: f"telewright.{one.name}" for one in model.registries})
    return {str(made.path): made.text for made in MarkdownEmitter().emit(model, target)}


class Seen(HTMLParser):
    """What a browser makes of Markdown: texts of cells and paragraphs, elements, links."""

    def __init__(self, markdown):
        """Render *markdown* with tables, as GitHub does."""
        super().__init__()
        self.elements = []
        self.links = []
        self.rows = []
        self.heads = []
        self.headings = []
        self.paragraphs = []
        self._open = []
        self.feed(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown))

    def handle_starttag(self, tag, attrs):
        """Open an element."""
        self.elements.append(tag)
        self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "thead":
            self.heads.append(len(self.rows))
        if tag == "p":
            self.paragraphs.append("")
        if tag in ("h1", "h2", "h3", "h4"):
            self.headings.append("")
        if tag == "a" and dict(attrs).get("href"):
            self.links.append(dict(attrs)["href"])

    def handle_endtag(self, tag):
        """Close an element."""
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data):
        """Take text to where it belongs."""
        if {"td", "th"} & set(self._open):
            self.rows[-1][-1] += data
        elif "p" in self._open:
            self.paragraphs[-1] += data
        elif {"h1", "h2", "h3", "h4"} & set(self._open):
            self.headings[-1] += data


def row(page, first):
    """Return the first row of a table whose first cell is *first*, by heading."""
    seen = Seen(page)
    headings = []
    for number, cells in enumerate(seen.rows):
        if number in seen.heads:
            headings = cells
        elif cells[0] == first:
            return dict(zip(headings, cells, strict=True))
    raise AssertionError(f"no row {first}")


def section(page, title):
    """Return what stands under the heading *title*, as Markdown."""
    lines = page.splitlines()
    start = next(n for n, line in enumerate(lines) if line.lstrip("#").strip() == title)
    depth = len(lines[start]) - len(lines[start].lstrip("#"))
    end = next(
        (
            n
            for n, line in enumerate(lines[start + 1 :], start + 1)
            if line.startswith("#") and len(line) - len(line.lstrip("#")) <= depth
        ),
        len(lines),
    )
    return "\n".join(lines[start:end])
