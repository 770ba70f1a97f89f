"""A registry's page: what is switched, who emits, and where to read on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.emit.markdown import inert, words
from telewright_codegen.emit.markdown.book import unique
from telewright_codegen.emit.markdown.page import Page, Section, Table, facts, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telewright_codegen.emit.markdown.book import Book
    from telewright_codegen.model.registry import Registry
    from telewright_codegen.model.signals import Group, Instrumentation, Preset, Span
    from telewright_codegen.spec.registry import InvariantSpec


def page(registry: Registry, book: Book) -> Page:
    """Return the page of *registry*."""
    here = book.registry_page(registry.name)
    return Page(here, registry.folder, body(registry, book, here))


def body(registry: Registry, book: Book, here: str) -> Section:
    """Return what there is to say about *registry* on the page *here*."""
    return Section(
        inert.text(registry.title),
        words.prose(registry.spec),
        facts(
            ("Registry", inert.code(registry.name)),
            ("Version", inert.text(registry.version)),
            ("Owners", ", ".join(map(inert.text, registry.spec.owners))),
            ("Uses", ", ".join(_registry_link(name, book, here) for name in registry.uses)),
            ("Namespaces", ", ".join(map(inert.code, registry.spec.namespaces))),
            ("Schema", inert.text(registry.spec.schema_url or "")),
            ("Buckets of time", _buckets(registry, book, here)),
            *words.status(registry.spec),
        ),
        sections=tuple(part for part in _sections(registry, book, here) if part is not None),
    )


def _sections(registry: Registry, book: Book, here: str) -> Iterator[Section | None]:
    yield _titled("Topics", topics(registry, book, here))
    if registry.presets:
        each = tuple(_preset(preset, registry, book, here) for preset in registry.presets)
        yield Section("Presets", table=presets(registry, book, here), sections=each)
    if registry.groups:
        each = tuple(_group(group, registry, book, here) for group in registry.groups)
        yield Section("Groups", table=groups(registry.groups, book, here), sections=each)
    yield _titled("Processes", processes(registry, book, here))
    yield _titled("Boundaries", _boundaries(registry))
    yield _titled("Invariants", _invariants(registry.spec.invariants, book, here))


def _buckets(registry: Registry, book: Book, here: str) -> str:
    buckets = registry.buckets
    if buckets is None:
        return ""
    where = f"{book.to(buckets.enum, here)}, said by {book.to(buckets.attribute, here)}"
    default = buckets.default
    return f"{where}; {inert.code(default.text)} where nothing is said" if default else where


def _titled(title: str, content: Table | None) -> Section | None:
    return None if content is None else Section(title, table=content)


def _registry_link(name: str, book: Book, here: str) -> str:
    return inert.link(inert.code(name), book.path(book.registry_page(name), here))


def topics(registry: Registry, book: Book, here: str) -> Table | None:
    """Return the table of topics, each with how much it declares."""
    return table(
        ("Topic", "Spans", "Metrics", "Attributes", "Settings", "What it is about"),
        [
            (
                inert.link(
                    inert.code(topic.name),
                    book.path(book.registry_page(registry.name, f"{topic.module}.md"), here),
                ),
                _count(topic.spans),
                _count(topic.metrics),
                _count(topic.attributes),
                _count(topic.settings),
                words.meaning(topic.spec),
            )
            for topic in registry.topics
        ],
    )


def _count(things: tuple[object, ...]) -> str:
    return str(len(things)) if things else ""


def presets(registry: Registry, book: Book, here: str) -> Table | None:
    """Return the table of presets: which groups they switch on, and what that costs at most."""
    return table(
        ("Preset", "Switches on", "Spans", "Costs", "Emitted by"),
        [_preset_row(preset, registry, book, here) for preset in registry.presets],
    )


def _preset_row(preset: Preset, registry: Registry, book: Book, here: str) -> tuple[str, ...]:
    spans = [span for span in book.spans(registry) if span.group in preset.groups]
    foreign = [one for group in preset.groups for one in _instrumentations_of(group, book)]
    return (
        book.to(preset, here),
        ", ".join(book.to(group, here) for group in preset.groups),
        str(len(spans)),
        _costs(spans, preset.groups),
        _processes_of((*spans, *foreign)),
    )


def _preset(preset: Preset, registry: Registry, book: Book, here: str) -> Section:
    spans = [span for span in book.spans(registry) if span.group in preset.groups]
    return Section(
        f"Preset {inert.code(preset.id)}",
        words.prose(preset.spec) if preset.spec is not None else (),
        table=table(
            ("Span", "Group", "Emitted by", "Cost"),
            [
                (
                    words.span_name(span, book, here),
                    book.to(span.group, here),
                    words.emitters(span.processes),
                    words.span_cost(span),
                )
                for span in sorted(spans, key=lambda span: preset.groups.index(span.group))
            ],
        ),
    )


def _processes_of(emitters: Iterable[Span | Instrumentation]) -> str:
    """Return every process that emits one of them; any, where one says nobody."""
    found = list(emitters)
    named = unique(name for one in found for name in one.processes)
    silent = [one for one in found if not one.processes]
    return ", ".join([*map(inert.code, named), *(["any process"] if silent else [])])


def _costs(spans: Iterable[Span], groups: Iterable[Group]) -> str:
    """Return every cost that occurs, the smallest first."""
    found = {words.span_cost(span) for span in spans}
    found.update(words.cost(group.cardinality) for group in groups)
    return ", ".join(word for word in words.COSTS.values() if word in found)


def groups(found: Iterable[Group], book: Book, here: str) -> Table | None:
    """Return the table of groups: cost, presets, who emits, and every span by name."""
    return table(
        ("Group", "Cost", "Switched on by", "Emitted by", "Spans"),
        [_group_row(group, book, here) for group in found],
    )


def _group_row(group: Group, book: Book, here: str) -> tuple[str, ...]:
    spans = _spans_of(group, book)
    foreign = _instrumentations_of(group, book)
    names = [book.to(span, here) for span in spans]
    names += [inert.code(name) for one in foreign for name in one.spec.spans]
    return (
        book.to(group, here),
        _costs(spans, [group]),
        words.switches(group, book, here),
        _processes_of((*spans, *foreign)),
        ", ".join(names),
    )


def _spans_of(group: Group, book: Book) -> list[Span]:
    return [span for topic in book.model.topics() for span in topic.spans if span.group == group]


def _instrumentations_of(group: Group, book: Book) -> list[Instrumentation]:
    return [
        one
        for topic in book.model.topics()
        for one in topic.instrumentations
        if one.group is not None and one.group == group
    ]


def _group(group: Group, registry: Registry, book: Book, here: str) -> Section:
    spans = [span for span in book.spans(registry) if span.group == group]
    foreign = _instrumentations_of(group, book)
    third = (
        f"{inert.code(one.package)}: {', '.join(map(inert.code, one.spec.spans))}"
        for one in foreign
    )
    umbrella = "its spans contain others and count towards no bucket" if group.spec.umbrella else ""
    return Section(
        f"Group {inert.code(group.id)}",
        words.prose(group.spec),
        facts(
            ("Cost", _costs(spans, [group])),
            ("Switched on by", words.switched_on_by(group, book, here)),
            ("Bucket", inert.code(group.bucket.text) if group.bucket else ""),
            ("Umbrella", umbrella),
            ("Third-party spans", "; ".join(third)),
            *words.status(group.spec),
        ),
        table=table(
            ("Span", "Emitted by", "Cost", "What it is"),
            [
                (
                    book.to(span, here),
                    words.emitters(span.processes),
                    words.span_cost(span),
                    words.meaning(span.spec),
                )
                for span in spans
            ],
        ),
    )


def processes(registry: Registry, book: Book, here: str) -> Table | None:
    """Return the table of process roles: how many there are, and what they emit."""
    return table(
        ("Process", "Instances", "Emits", "Writes", "What it is"),
        [
            (
                inert.code(name),
                {"one": "one in a run", "many": "many"}[spec.instances],
                ", ".join(
                    book.to(span, here) for span in book.spans(registry) if name in span.processes
                ),
                ", ".join(
                    book.to(metric, here)
                    for topic in registry.topics
                    for metric in topic.metrics
                    if metric.spec.writer == name
                ),
                words.meaning(spec),
            )
            for name, spec in registry.spec.processes.items()
        ],
    )


def _boundaries(registry: Registry) -> Table | None:
    return table(
        ("Name", "Ends of buckets"),
        [
            (inert.code(name), ", ".join(map(words.number, values)))
            for name, values in registry.spec.boundaries.items()
        ],
    )


def _invariants(found: Iterable[InvariantSpec], book: Book, here: str) -> Table | None:
    return table(
        ("What holds for every trace", "Means"),
        [(inert.text(one.brief), _invariant(one, book, here)) for one in found],
    )


def _invariant(one: InvariantSpec, book: Book, here: str) -> str:
    where = "" if one.root is None else f" where {_span_link(one.root, book, here)} is the root"
    where += "" if one.group is None else f", while the group {inert.code(one.group)} is on"
    if one.constant is not None:
        return f"{inert.code(one.constant)} has one value{where}"
    if one.one_link is not None:
        return f"{_span_link(one.one_link, book, here)} has exactly one link{where}"
    return f"at most {one.at_most} of {_span_link(one.span or '', book, here)}{where}"


def _span_link(name: str, book: Book, here: str) -> str:
    span = book.span(name)
    return inert.code(name) if span is None else book.to(span, here)
