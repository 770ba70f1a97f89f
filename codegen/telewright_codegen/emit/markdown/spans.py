"""Spans on a topic's page."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from telewright_codegen.emit.markdown import diagram, inert, roots, words
from telewright_codegen.emit.markdown.book import shown, unique
from telewright_codegen.emit.markdown.page import Section, Table, facts, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telewright_codegen.emit.markdown.book import Book
    from telewright_codegen.model.registry import Topic
    from telewright_codegen.model.signals import Outcome, Span
    from telewright_codegen.spec.span import SpanSpec

_MOST: Final = 16
"""So many ways down to a span are on its page; what lies between them is in the diagram."""
LEGEND = (
    "Arrows lead from parents to children; dotted ones to roots of traces of their own, linked to "
    "the owner. Spans that own their trace have a heavy border, spans of other pages a dashed one."
)


def section(topic: Topic, book: Book, here: str) -> Section | None:
    """Return the spans of *topic*: a table, the parent chains, and each span by itself."""
    if not topic.spans:
        return None
    chains = diagram.parent_chains(topic.spans, book)
    parts = [Section("Parent chains", (LEGEND,), diagram=chains)] if chains else []
    return Section(
        "Spans",
        table=overview(topic.spans, book, here),
        sections=(*parts, *(_span(span, topic, book, here) for span in topic.spans)),
    )


def overview(spans: Iterable[Span], book: Book, here: str) -> Table | None:
    """Return the table that says of every span who emits it, what it costs and what it is."""
    return table(
        ("Span", "What it is", "Switched on by", "Emitted by", "Cost"),
        [
            (
                book.to(span, here),
                words.meaning(span.spec),
                words.switches(span.group, book, here),
                words.emitters(span.processes),
                words.span_cost(span),
            )
            for span in spans
        ],
    )


def switchboard(spans: Iterable[Span], book: Book, here: str) -> Table | None:
    """Return the table that says of every span which group and which presets switch it on."""
    return table(
        ("Span", "Group", "Switched on by", "Emitted by", "Cost"),
        [
            (
                words.span_name(span, book, here),
                book.to(span.group, here),
                words.switches(span.group, book, here),
                words.emitters(span.processes),
                words.span_cost(span),
            )
            for span in spans
        ],
    )


def _span(span: Span, topic: Topic, book: Book, here: str) -> Section:
    return Section(
        f"Span {book.title(span)}",
        (*words.prose(span.spec), *roots.notes(span, book, here)),
        facts(
            ("In Python", _call(span, topic)),
            *_switches(span, book, here),
            *_place(span, book, here),
            *_ends(span, book, here),
        ),
        table=_attributes(span, book, here),
    )


def _switches(span: Span, book: Book, here: str) -> Iterator[tuple[str, str]]:
    yield "Group", book.to(span.group, here)
    yield "Switched on by", words.switched_on_by(span.group, book, here)
    yield "Cost", words.span_cost(span)
    most = span.spec.max_per_parent
    yield "At most", f"{most} under one parent" if most else ""
    yield "Emitted by", words.emitters(span.processes)
    yield "Kind", span.spec.kind.value if span.spec.kind.value != "internal" else ""
    yield "Names", _names(span)
    yield "Bucket", inert.code(span.bucket or "")


def _names(span: Span) -> str:
    if span.placeholder is None:
        return ""
    names = [name for _, name in span.placeholder.names]
    return ", ".join(map(inert.code, (*names, span.placeholder.other)))


def _place(span: Span, book: Book, here: str) -> Iterator[tuple[str, str]]:
    yield "Parent chain", "; or ".join(unique(_chains(span, book, here)))
    yield "Children", ", ".join(unique(book.to(child, here) for child in book.children(span)))
    yield "Links", ", ".join(_link(name, book, here) for name in span.spec.links)
    yield "Inside scope", ", ".join(map(inert.code, span.scopes))
    yield "Siblings", "may overlap: durations do not add up" if span.spec.overlaps else ""


def _link(name: str, book: Book, here: str) -> str:
    found = book.span(name)
    return inert.code(name) if found is None else book.to(found, here)


def _chains(span: Span, book: Book, here: str) -> Iterator[str]:
    ways = diagram.chain(span, book)
    for way in islice(ways, _MOST):
        above = [book.to(parent, here) for parent in way[:-1]]
        if len(way) > diagram.FARTHEST and book.parents(way[0]):
            above.insert(0, "…")
        yield " → ".join([*above, f"**{inert.code(shown(span))}**"])
    if next(ways, None) is not None:
        yield "other ways"


def _ends(span: Span, book: Book, here: str) -> Iterator[tuple[str, str]]:
    yield "Ends", inert.text(span.spec.ends_when or "")
    if span.outcome is not None:
        yield "Outcome", _outcome(span.outcome, book, here)
    if span.error_code is not None:
        yield "Error code", f"{book.to(span.error_code, here)}, from the exception or `fail(code)`"
    if span.duration is not None:
        yield "Duration", f"{book.to(span.duration, here)}, recorded even while the group is off"
    yield "Events", ", ".join(book.to(event, here) for event in span.events)
    yield "Announced", "while it runs, by `nemo.span.started`" if span.spec.announce else ""
    yield "Log", _log(span.spec)
    yield from words.status(span.spec)


def _outcome(outcome: Outcome, book: Book, here: str) -> str:
    cancelled = outcome.cancelled or outcome.error
    return (
        f"{book.to(outcome.attribute, here)}: {inert.code(outcome.ok.text)}, after an exception "
        f"{inert.code(outcome.error.text)}, when cancelled {inert.code(cancelled.text)}; "
        "or what `set(outcome=…)` said"
    )


def _log(spec: SpanSpec) -> str:
    if spec.slow_after is None:
        return ""
    return f"a line when it is still open after {words.number(spec.slow_after)} s"


def _attributes(span: Span, book: Book, here: str) -> Table | None:
    return table(
        ("Attribute", "Type", "Needed", "Known", "What it is"),
        [
            (
                book.to(use.attribute, here),
                words.kind_of_values(use.attribute, book, here),
                words.requirement(use, span.spec.attributes),
                "at the end" if use.late else "at the start",
                words.meaning(use.attribute.spec),
            )
            for use in span.attributes
        ],
    )


def _call(span: Span, topic: Topic) -> str:
    """Return the shortest call that the helper takes, and what is to be set later."""
    needed = [use.param for use in span.attributes if use.level == "required" and not use.late]
    arguments = [f"{name}=…" for name in needed]
    if span.placeholder is not None:
        arguments.insert(0, f"{span.placeholder.enum.name}.…")
    call = inert.code(f"with {topic.module}.{span.helper}({', '.join(arguments)}) as span:")
    late = ", ".join(f"{use.param}=…" for use in span.attributes if use.late)
    return f"{call}, later {inert.code(f'span.set({late})')}" if late else call
