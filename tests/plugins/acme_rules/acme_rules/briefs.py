"""Rules about briefs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Severity
from telewright_codegen.lint.rule import Finding, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.lint.rule import Subject

_LONGEST: Final = 40


@rule("ACME101", "long-brief", severity=Severity.WARNING)
def long_brief(subject: Subject) -> Iterator[Finding]:
    """Yield spans whose brief does not fit on Acme's dashboards."""
    for topic in subject.registry.topics:
        for span in topic.spans:
            if len(span.spec.brief) > _LONGEST:
                message = f"the brief of `{span.name}` has more than {_LONGEST} characters"
                yield Finding(span, span.at.value("brief"), message, help="say it in fewer words")
