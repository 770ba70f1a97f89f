"""What helpers take: their parameters, and whether these can stand beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.diagnostics import Label
from telewright_codegen.resolve.words import is_taken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.registry import Topic
    from telewright_codegen.model.signals import Attribute, Metric, Span, Use
    from telewright_codegen.source import Place

Parameter = tuple[str, str, "Callable[[], Place]"]
"""Its name, what it stands for, and how to find where that is said."""


def signal_uses(topic: Topic) -> Iterator[Use]:
    """Yield every attribute that a signal of *topic* lists, once for each signal."""
    for uses in (
        *(span.attributes for span in topic.spans),
        *(event.attributes for event in topic.events),
        *(scope.attributes for scope in topic.scopes),
        *(resource.attributes for resource in topic.resources),
    ):
        yield from uses
    for metric in topic.metrics:
        yield from metric.attributes
        for once in metric.once_per:
            yield from once.ids


def signal_attributes(topic: Topic) -> Iterator[Attribute]:
    """Yield every attribute that the module of *topic* needs for its signals, with repetitions."""
    for use in signal_uses(topic):
        yield use.attribute
    for span in topic.spans:
        if span.placeholder is not None:
            yield span.placeholder.attribute
        if span.outcome is not None:
            yield span.outcome.attribute
        if span.error_code is not None:
            yield span.error_code


def has_class(span: Span) -> bool:
    """Return whether there is something to set on a span, or to measure."""
    ending = (span.outcome, span.error_code, span.duration)
    return any(use.late for use in span.attributes) or any(one is not None for one in ending)


def check_signatures(topic: Topic, report: Report) -> None:
    """Report helpers of *topic* with two parameters of one name, or with one that cannot be."""
    for span in topic.spans:
        _check(f"span `{span.name}`", _opening(span), report)
        _check(f"`set` of span `{span.name}`", _setting(span), report)
    for metric in topic.metrics:
        _check(f"metric `{metric.name}`", _recording(metric), report)
    for event in topic.events:
        _check(f"event `{event.name}`", _uses(event.attributes), report)
    for scope in topic.scopes:
        _check(f"scope `{scope.name}`", _uses(scope.attributes), report)
    for resource in topic.resources:
        _check(f"resource `{resource.name}`", _uses(resource.attributes), report)


def _uses(uses: Iterable[Use]) -> Iterator[Parameter]:
    for use in uses:
        yield (use.param, f"`{use.attribute.key}`", use.at.key)


def _opening(span: Span) -> Iterator[Parameter]:
    filled = None if span.placeholder is None else span.placeholder.attribute
    if span.placeholder is not None:
        place = (span.at / "name").value
        yield (span.placeholder.param, f"the placeholder `{span.placeholder.attribute.key}`", place)
    early = (use for use in span.attributes if not use.late and use.attribute is not filled)
    yield from _uses(early)
    if span.spec.links:
        yield ("links", "what it is linked to", (span.at / "links").value)


def _setting(span: Span) -> Iterator[Parameter]:
    if span.outcome is not None:
        yield ("outcome", "the outcome", (span.at / "outcome").value)
    yield from _uses(use for use in span.attributes if use.late)


def _recording(metric: Metric) -> Iterator[Parameter]:
    place = (metric.at / metric.kind).value
    yield (metric.value_param, "the value", place)
    yield from _uses(metric.attributes)
    ids = {use.attribute.key: use for once in metric.once_per for use in once.ids}
    for use in ids.values():
        yield (use.param, f"`{use.attribute.key}`", use.at.value)


def _check(helper: str, parameters: Iterable[Parameter], report: Report) -> None:
    seen: dict[str, tuple[str, Callable[[], Place]]] = {}
    for name, what, where in parameters:
        if name == "self" or name.startswith("__") or is_taken(name):
            report.error(
                "TW205",
                f"{what} would be the parameter `{name}` of {helper}",
                where(),
                "a name that Python needs",
                help="add `param:` to the attribute",
            )
            continue
        former = seen.get(name)
        if former is None:
            seen[name] = (what, where)
        else:
            report.error(
                "TW208",
                f"{former[0]} and {what} would both be the parameter `{name}` of {helper}",
                where(),
                f"`{name}` again",
                secondary=(Label(former[1](), f"`{name}` first"),),
                help="add `param:` to one of the attributes",
            )
