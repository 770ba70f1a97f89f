"""Attributes where they may not occur."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from telewright_codegen.diagnostics import Label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.registry import Topic
    from telewright_codegen.model.signals import Attribute, Use
    from telewright_codegen.source import Place

Signal = Literal["span", "metric", "resource", "log"]


def check_placement(topic: Topic, report: Report) -> None:
    """Report attributes that *topic* uses on a signal that their `level:` leaves out."""
    for signal, attribute, where in _used(topic):
        levels = attribute.spec.level
        if levels is None or signal in levels:
            continue
        report.error(
            "TW135",
            f"`{attribute.key}` is no attribute of a {signal}",
            where(),
            f"used on a {signal}",
            secondary=(Label(attribute.at.value("level"), "limited here"),),
            help=f"remove it here, or add `{signal}` to its `level`",
        )


def _used(topic: Topic) -> Iterator[tuple[Signal, Attribute, Callable[[], Place]]]:
    for span in topic.spans:
        yield from _each("span", span.attributes)
        if span.outcome is not None:
            yield ("span", span.outcome.attribute, (span.at / "outcome").value)
        if span.error_code is not None:
            yield ("span", span.error_code, (span.at / "error_code").value)
    for scope in topic.scopes:
        yield from _each("span", scope.attributes)
    for event in topic.events:
        yield from _each("log" if event.spec.on == "log" else "span", event.attributes)
    for metric in topic.metrics:
        yield from _each("metric", metric.attributes)
    for resource in topic.resources:
        yield from _each("resource", resource.attributes)


def _each(
    signal: Signal, uses: Iterable[Use]
) -> Iterator[tuple[Signal, Attribute, Callable[[], Place]]]:
    for use in uses:
        yield (signal, use.attribute, use.at.key)
