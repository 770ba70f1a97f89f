"""Metrics on a topic's page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.emit import prometheus
from telewright_codegen.emit.markdown import inert, words
from telewright_codegen.emit.markdown.page import Section, Table, facts, stacked, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telewright_codegen.emit.markdown.book import Book
    from telewright_codegen.model.registry import Topic
    from telewright_codegen.model.signals import Metric, Once, Source

ALWAYS = (
    "Metrics are recorded whenever metrics are exported, whatever span groups are on. "
    "The Prometheus name is the one that its translation with suffixes makes; a histogram has it "
    "with `_bucket`, `_sum` and `_count`, and attributes are labels with `_` for dots."
)


def section(topic: Topic, book: Book, here: str) -> Section | None:
    """Return the metrics of *topic*: a table, and each by itself."""
    if not topic.metrics:
        return None
    return Section(
        "Metrics",
        (ALWAYS,),
        table=listing(topic.metrics, book, here),
        sections=tuple(_metric(metric, book, here) for metric in topic.metrics),
    )


def overview(metrics: Iterable[Metric], book: Book, here: str) -> Table | None:
    """Return the table that says of every metric its kind, unit, Prometheus name and attributes."""
    return table(
        ("Metric", "Kind", "Unit", "Prometheus", "Attributes", "What it is"),
        [
            (
                book.to(metric, here),
                kind(metric),
                inert.code(metric.unit),
                inert.code(prometheus_name(metric)),
                ", ".join(inert.code(use.attribute.key) for use in metric.attributes),
                words.meaning(metric.spec),
            )
            for metric in metrics
        ],
    )


def listing(metrics: Iterable[Metric], book: Book, here: str) -> Table | None:
    """Return the table that names metrics, here and in Prometheus, and says what they are."""
    return table(
        ("Metric, and in Prometheus", "Kind", "What it is"),
        [
            (
                stacked(book.to(metric, here), inert.code(prometheus_name(metric))),
                f"{kind(metric)} {in_unit(metric)}".strip(),
                words.meaning(metric.spec),
            )
            for metric in metrics
        ],
    )


def in_unit(metric: Metric) -> str:
    """Return the unit, as it follows the kind; empty where there is none."""
    return f"in {inert.code(metric.unit)}" if metric.unit else ""


def kind(metric: Metric) -> str:
    """Return the instrument's kind, as people say it."""
    return metric.kind.replace("_", " ").replace("up down", "up-down")


def prometheus_name(metric: Metric) -> str:
    """Return what Prometheus calls it."""
    return prometheus.metric_name(metric.name, kind=metric.kind, unit=metric.unit)


def _metric(metric: Metric, book: Book, here: str) -> Section:
    boundaries = ", ".join(map(words.number, metric.boundaries or ()))
    return Section(
        f"Metric {inert.code(metric.name)}",
        words.prose(metric.spec),
        facts(
            ("Kind", f"{kind(metric)} of {'whole ' if metric.value == 'int' else ''}numbers"),
            ("Unit", inert.code(metric.unit)),
            ("Prometheus", inert.code(prometheus_name(metric))),
            ("Boundaries", boundaries),
            ("Recorded", recorded(metric, book, here)),
            ("Counted once", "; ".join(_once(once, book, here) for once in metric.once_per)),
            *_limits(metric),
            *words.status(metric.spec),
        ),
        table=table(
            ("Attribute", "Type", "Needed", "What it is"),
            [
                (
                    book.to(use.attribute, here),
                    words.kind_of_values(use.attribute, book, here),
                    words.requirement(use, metric.spec.attributes),
                    words.meaning(use.attribute.spec),
                )
                for use in metric.attributes
            ],
        ),
    )


def recorded(metric: Metric, book: Book, here: str) -> str:
    """Return when a value is recorded, and where."""
    return "; ".join(_recorded(metric, book, here))


def _recorded(metric: Metric, book: Book, here: str) -> Iterator[str]:
    spans = book.timed(metric)
    if spans:
        names = ", ".join(book.to(span, here) for span in spans)
        yield f"when {names} {'ends' if len(spans) == 1 else 'end'}, even while the group is off"
    elif metric.source is not None:
        yield _source(metric.source)
    elif metric.kind.startswith("observable"):
        yield "when metrics are exported: a function is asked"
    else:
        yield "where the code says so"
    if metric.spec.writer is not None:
        yield f"only in the process that is {inert.code(metric.spec.writer)}"


def _source(source: Source) -> str:
    page = inert.code(source.page)
    where = f"the page {page}" if "/" in source.page else f"the pages that {page} finds"
    series = inert.code(source.series)
    parts = [f"by itself, from {series} on {where}, every {words.number(source.every)} s"]
    if source.scale != 1:
        parts.append(f"times {words.number(source.scale)}")
    if source.labels:
        pairs = [
            f"{inert.code(name)} as {inert.code(use.attribute.key)}" for name, use in source.labels
        ]
        parts.append(f"with the labels {', '.join(pairs)}")
    return ", ".join(parts)


def _once(once: Once, book: Book, here: str) -> str:
    ids = " and ".join(book.to(use.attribute, here) for use in once.ids)
    for_what = f"{inert.code(once.member.text)}: " if once.member is not None else ""
    return f"{for_what}for each {ids}, with the metric's attributes, in a process"


def _limits(metric: Metric) -> Iterator[tuple[str, str]]:
    spec = metric.spec
    yield "About", {"step": "one step", "run": "the whole run"}.get(spec.window or "", "")
    measured = {"wall": "time on the wall", "thread_seconds": "seconds of threads, which add up"}
    yield "Measures", measured.get(spec.measurement or "", "")
    yield "Aggregated as", inert.code(spec.aggregation or "")
    rest = f", all others in one of {inert.code(spec.overflow)}" if spec.overflow else ""
    yield "At most", f"{spec.max_series} series{rest}" if spec.max_series else ""
