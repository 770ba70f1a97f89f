"""The index of a book, and tables of everything that is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.emit.markdown import attributes, inert, metrics, registry, spans, words
from telewright_codegen.emit.markdown.book import ALL_ATTRIBUTES, ALL_METRICS, ALL_SPANS, INDEX
from telewright_codegen.emit.markdown.page import Page, Section, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.emit.markdown.book import Book
    from telewright_codegen.emit.markdown.page import Table

_LISTS: Final = (
    (ALL_SPANS, "every span: its group, the presets that switch it on, who emits it, its cost"),
    (ALL_METRICS, "every metric: kind, unit, the name that Prometheus gives it"),
    (ALL_ATTRIBUTES, "every attribute: type, what is done to its values, examples"),
)


_HOW: Final = (
    "What telemetry there is, generated from the specs. Presets and groups are switched on by "
    "their names: `default`, `gym.checkpoint`, `default,checkpoint`; a name without a registry "
    "means every registry's."
)


def pages(book: Book) -> Iterator[Page]:
    """Yield the index and the pages that list everything."""
    source = ", ".join(one.folder for one in book.registries)
    if book.many:
        yield Page(INDEX, source, _index(book))
    all_spans = Section("All spans", sections=tuple(_all_spans(book)))
    all_metrics = Section("All metrics", (metrics.ALWAYS,), sections=tuple(_all_metrics(book)))
    all_attributes = Section("All attributes", sections=tuple(_all_attributes(book)))
    yield Page(ALL_SPANS, source, all_spans)
    yield Page(ALL_METRICS, source, all_metrics)
    yield Page(ALL_ATTRIBUTES, source, all_attributes)


def lists(book: Book, here: str) -> Section:
    """Return links to the pages that list everything."""
    return Section(
        "",
        table=table(
            ("Page", "Lists"),
            [(inert.link(inert.code(page), book.path(page, here)), what) for page, what in _LISTS],
        ),
    )


def _index(book: Book) -> Section:
    return Section(
        "Conventions",
        (_HOW,),
        sections=(
            Section("Registries", table=_registries(book)),
            Section("Everything", sections=(lists(book, INDEX),)),
            *(
                Section(f"Presets of {inert.text(one.title)}", table=found)
                for one in book.registries
                if (found := registry.presets(one, book, INDEX)) is not None
            ),
            *(
                Section(f"Groups of {inert.text(one.title)}", table=found)
                for one in book.registries
                if (found := registry.groups(one.groups, book, INDEX)) is not None
            ),
        ),
    )


def _registries(book: Book) -> Table | None:
    return table(
        ("Registry", "Version", "Topics", "What it is"),
        [
            (
                inert.link(inert.text(one.title), book.path(book.registry_page(one.name), INDEX)),
                inert.text(one.version),
                ", ".join(
                    inert.link(
                        inert.code(topic.name),
                        book.path(book.registry_page(one.name, f"{topic.module}.md"), INDEX),
                    )
                    for topic in one.topics
                ),
                words.meaning(one.spec),
            )
            for one in book.registries
        ],
    )


def _all_spans(book: Book) -> Iterator[Section]:
    for one in book.registries:
        found = sorted(book.spans(one), key=lambda span: span.name)
        if rows := spans.switchboard(found, book, ALL_SPANS):
            yield Section(inert.text(one.title), table=rows)


def _all_metrics(book: Book) -> Iterator[Section]:
    for one in book.registries:
        found = sorted(
            (metric for topic in one.topics for metric in topic.metrics),
            key=lambda metric: metric.name,
        )
        if rows := metrics.listing(found, book, ALL_METRICS):
            yield Section(inert.text(one.title), table=rows)


def _all_attributes(book: Book) -> Iterator[Section]:
    for one in book.registries:
        found = sorted(
            (attribute for topic in one.topics for attribute in topic.attributes),
            key=lambda attribute: attribute.key,
        )
        if rows := attributes.overview(found, book, ALL_ATTRIBUTES):
            yield Section(inert.text(one.title), table=rows)
