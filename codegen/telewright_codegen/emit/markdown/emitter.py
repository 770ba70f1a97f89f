"""Pages for people: one a topic, one a registry, an index, and lists of everything."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, ClassVar

from telewright_codegen.emit.emitter import Artifact, Target
from telewright_codegen.emit.markdown import overview, registry, topic
from telewright_codegen.emit.markdown.book import Book
from telewright_codegen.emit.markdown.environment import render
from telewright_codegen.emit.markdown.inject import injected

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.emit.emitter import Pages
    from telewright_codegen.emit.markdown.page import Page
    from telewright_codegen.model.registry import Model


class MarkdownEmitter:
    """Writes Markdown that GitHub, MkDocs and MDX readers all show in the same way."""

    name: ClassVar[str] = "markdown"

    def emit(self, model: Model, target: Target, /) -> Iterator[Artifact]:
        """Yield the pages."""
        for page in pages(Book(model, target)):
            yield Artifact(PurePosixPath(page.path), render("page.md.jinja", page=page))

    def inject(
        self, model: Model, target: Target, existing: Pages, report: Report, /
    ) -> Iterator[Artifact]:
        """Yield the pages of others in the same folder that have markers, with their tables."""
        book = Book(model, target if existing.only is None else Target((), target.packages))
        yield from injected(book, existing, report, but={page.path for page in pages(book)})


def pages(book: Book) -> Iterator[Page]:
    """Yield every page of *book*."""
    if not book.registries:
        return
    yield from overview.pages(book)
    for one in book.registries:
        yield registry.page(one, book)
        for part in one.topics:
            yield topic.page(part, one, book)
