"""Groups, roots, and where attributes are put."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.diagnostics import Label, Severity
from telewright_codegen.lint.rule import Finding, rule
from telewright_codegen.lint.walk import spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.lint.rule import Subject
    from telewright_codegen.model.registry import Topic
    from telewright_codegen.model.signals import Group, Span, Use


@rule("TW230", "group-without-spans", severity=Severity.WARNING)
def group_without_spans(subject: Subject) -> Iterator[Finding]:
    """A group that people can switch on switches something on."""
    used = {group.id for topic in subject.registry.topics for group in _groups(topic)}
    for group in subject.registry.groups:
        if group.id not in used and group.spec.deprecated is None:
            yield Finding(
                group,
                group.at.key(),
                f"group `{group.name}` has no spans",
                "switching it on does nothing",
                help="remove it, or give it to spans, instrumentations or scopes",
            )


def _groups(topic: Topic) -> Iterator[Group]:
    yield from (span.group for span in topic.spans)
    yield from (one.group for one in topic.instrumentations if one.group is not None)
    yield from (scope.group for scope in topic.scopes if scope.group is not None)


@rule("TW231", "instrumentation-always-on", severity=Severity.WARNING)
def instrumentation_always_on(subject: Subject) -> Iterator[Finding]:
    """Spans of other people's instrumentations are switched like ours: their group says how."""
    for topic in subject.registry.topics:
        for one in topic.instrumentations:
            if one.group is None and one.spec.spans:
                yield Finding(
                    one,
                    one.at.value("package"),
                    f"instrumentation `{one.package}` is in no group",
                    "its spans would be made whatever people choose",
                    help="add `group:`",
                )


@rule("TW232", "parents-in-a-circle")
def parents_in_a_circle(subject: Subject) -> Iterator[Finding]:
    """Some span of every chain of parents can be the first."""
    above = {span: subject.model.parents(span) for span in spans(subject.registry)}
    below: dict[Span, list[Span]] = {}
    for span, parents in above.items():
        for parent in parents:
            below.setdefault(parent, []).append(span)
    begun = [
        span
        for span, parents in above.items()
        if span.root is not None or not parents or any(one not in above for one in parents)
    ]
    reached = set(begun)
    while begun:
        news = [span for span in below.get(begun.pop(), ()) if span not in reached]
        reached.update(news)
        begun += news
    for span in above:
        if span not in reached:
            yield Finding(
                span,
                span.at.value("parent"),
                f"the parents of `{span.name}` lead in a circle",
                "none of them could ever be the first",
                help="remove `parent` where it begins, or list what it may begin under, too",
            )


@rule("TW236", "resource-and-metric", severity=Severity.WARNING)
def resource_and_metric(subject: Subject) -> Iterator[Finding]:
    """A key is an attribute of a resource or of a metric: backends that join both lose one."""
    resources: dict[str, Use] = {}
    for registry in subject.visible():
        for topic in registry.topics:
            for resource in topic.resources:
                for use in resource.attributes:
                    resources.setdefault(use.attribute.key, use)
    seen: set[str] = set()
    for topic in subject.registry.topics:
        for metric in topic.metrics:
            for use in metric.attributes:
                other = resources.get(use.attribute.key)
                if other is not None and use.attribute.key not in seen:
                    seen.add(use.attribute.key)
                    yield Finding(
                        (metric, use.attribute),
                        use.at.key(),
                        f"`{use.attribute.key}` is an attribute of a resource and of metric"
                        f" `{metric.name}`",
                        "two values of one key",
                        help="leave it out here, or use an attribute with a meaning of its own",
                        secondary=(Label(other.at.key(), "of a resource"),),
                    )
