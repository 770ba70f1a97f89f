"""A topic's page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.emit.markdown import attributes, inert, metrics, others, spans, words
from telewright_codegen.emit.markdown.page import Page, Section, facts

if TYPE_CHECKING:
    from telewright_codegen.emit.markdown.book import Book
    from telewright_codegen.model.registry import Registry, Topic


def page(topic: Topic, registry: Registry, book: Book) -> Page:
    """Return the page of *topic*."""
    path = book.registry_page(registry.name, f"{topic.module}.md")
    parts = (
        spans.section(topic, book, path),
        metrics.section(topic, book, path),
        *others.sections(topic, book, path),
        attributes.section(topic, book, path),
        attributes.enums(topic, book, path),
    )
    up = inert.link(inert.text(registry.title), book.path(book.registry_page(registry.name), path))
    body = Section(
        inert.text(f"{registry.name}.{topic.name}"),
        words.prose(topic.spec),
        facts(
            ("Registry", up),
            ("Declared in", inert.code(topic.file)),
            ("In Python", _import(topic, book)),
            ("Group", book.to(topic.group, path) if topic.group else ""),
            (
                "Switched on by",
                words.switched_on_by(topic.group, book, path) if topic.group else "",
            ),
            *words.status(topic.spec),
        ),
        sections=tuple(part for part in parts if part is not None),
    )
    return Page(path, topic.file, body)


def _import(topic: Topic, book: Book) -> str:
    package = book.target.packages.get(topic.registry)
    return inert.code(f"from {package} import {topic.module}") if package else ""
