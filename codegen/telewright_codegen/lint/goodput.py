"""Time that would be counted twice: spans in a bucket below others in one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.diagnostics import Label, Severity
from telewright_codegen.lint.rule import Finding, rule
from telewright_codegen.lint.walk import spans

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.lint.rule import Subject


@rule("TW320", "bucket-below-bucket", severity=Severity.WARNING)
def bucket_below_bucket(subject: Subject) -> Iterator[Finding]:
    """A span that counts towards a bucket is not the child of one that counts, too."""
    by_name = {
        span.name: span
        for registry in subject.visible()
        for topic in registry.topics
        for span in topic.spans
    }
    for span in spans(subject.registry):
        for name in span.parents:
            parent = by_name.get(name)
            if span.bucket is not None and parent is not None and parent.bucket is not None:
                yield Finding(
                    span,
                    span.at.value("parent"),
                    f"`{span.name}` counts towards `{span.bucket}`,"
                    f" and its parent `{parent.name}` towards `{parent.bucket}`",
                    "the same time would count twice",
                    help="say `bucket: none` on one of them, or move the parent to an umbrella",
                    secondary=(Label(parent.at.value("name"), f"`{parent.bucket}`"),),
                )
