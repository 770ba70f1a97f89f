"""The tables that can be asked for by name: ``gym/checkpoint spans``, ``gym presets``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.emit.markdown import (
    attributes,
    diagram,
    metrics,
    others,
    registry,
    spans,
)
from telewright_codegen.emit.markdown.page import Section

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from telewright_codegen.emit.markdown.book import Book
    from telewright_codegen.emit.markdown.page import Table
    from telewright_codegen.model.registry import Registry, Topic


def _plain(table: Table | None) -> Section:
    return Section("", ("None.",)) if table is None else Section("", table=table)


def _diagram(topic: Topic, book: Book, here: str) -> Section:
    del here
    source = diagram.parent_chains(topic.spans, book)
    return Section("", diagram=source) if source else Section("", ("None.",))


OF_TOPIC: Final[Mapping[str, Callable[[Topic, Book, str], Section]]] = {
    "attributes": lambda topic, book, here: _plain(
        attributes.overview(topic.attributes, book, here)
    ),
    "diagram": _diagram,
    "enums": lambda topic, book, here: _plain(attributes.members(topic.enums, book, here)),
    "instrumentations": lambda topic, book, here: _plain(
        others.instrumentations(topic.instrumentations, book, here)
    ),
    "metrics": lambda topic, book, here: _plain(metrics.overview(topic.metrics, book, here)),
    "settings": lambda topic, _, __: _plain(others.settings(topic.settings)),
    "spans": lambda topic, book, here: _plain(spans.overview(topic.spans, book, here)),
}
"""What there is of a topic."""

OF_REGISTRY: Final[Mapping[str, Callable[[Registry, Book, str], Section]]] = {
    "attributes": lambda one, book, here: _plain(
        attributes.overview((x for topic in one.topics for x in topic.attributes), book, here)
    ),
    "groups": lambda one, book, here: _plain(registry.groups(one.groups, book, here)),
    "metrics": lambda one, book, here: _plain(
        metrics.overview((x for topic in one.topics for x in topic.metrics), book, here)
    ),
    "presets": lambda one, book, here: _plain(registry.presets(one, book, here)),
    "processes": lambda one, book, here: _plain(registry.processes(one, book, here)),
    "settings": lambda one, _, __: _plain(
        others.settings(x for topic in one.topics for x in topic.settings)
    ),
    "spans": lambda one, book, here: _plain(spans.switchboard(book.spans(one), book, here)),
    "topics": lambda one, book, here: _plain(registry.topics(one, book, here)),
}
"""What there is of a registry."""
