"""What values may reveal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from telewright_codegen.diagnostics import Label, Severity
from telewright_codegen.lint import secrets, words
from telewright_codegen.lint.rule import Finding, rule
from telewright_codegen.lint.walk import attributes, declared, metrics
from telewright_codegen.spec.common import Sensitivity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.lint.rule import Subject
    from telewright_codegen.model.signals import Attribute
    from telewright_codegen.source import At

_PERSONAL: Final = re.compile(
    r"(^|[._])(user(name)?([._](id|name|full_name|email|account))?|e?mail(_address)?|phone(_number)?"
    r"|first_name|last_name|full_name|real_name|birth(day|date)|ssn|passport|client[._](ip|address)"
    r"|ip_address|enduser([._]id)?|account_name)$"
)
_CONTENT: Final = re.compile(
    r"(^|[._])(prompt|completion|messages?|system_instructions|(tool|function)[._](call[._])?"
    r"(arguments|output|result)|(request|response)[._](body|content)|input|output|transcript"
    r"|conversation)$"
)
_NAMED: Final = {
    "secret": "named_secret",
    "cookie": "cookie",
    "content": "content",
    "person": "person",
    "card": "person",
}
"""What a name says, and the rule of the scan that acts on it whatever the value is."""

_QUIET: Final = frozenset([Sensitivity.PERSONAL, Sensitivity.CONTENT])


@rule("TW401", "declared-secret", liftable=False)
def declared_secret(subject: Subject) -> Iterator[Finding]:
    """A secret is no telemetry, whatever would become of its value."""
    for attribute in attributes(subject.registry):
        if (word := secrets.secret_word(attribute.key)) is not None and _is_text(attribute):
            yield Finding(
                attribute,
                attribute.at.value("id"),
                f"attribute `{attribute.key}` is a secret",
                f"`{word}` is nothing to export, not even redacted",
                help="remove it; export whether there is one, or which kind",
            )


@rule("TW403", "example-secret", liftable=False)
def example_secret(subject: Subject) -> Iterator[Finding]:
    """Examples and prose land in code, docs and editors: no secret is among them."""
    for attribute, text, at in _examples(subject):
        if (kind := secrets.secret_in(text)) is not None:
            yield Finding(
                attribute,
                at.value(),
                f"an example of `{attribute.key}` looks like {kind}",
                "is copied into code and docs",
                help="write one that cannot be real",
            )
    for named in declared(subject.registry):
        for field in ("brief", "note"):
            prose: str | None = getattr(named.item.spec, field, None)
            if prose and (kind := secrets.token_in(prose)) is not None:
                yield Finding(
                    named.item,
                    named.item.at.value(field),
                    f"the {field} of `{named.name}` has {kind} in it",
                    "is copied into code and docs",
                    help="leave it out",
                )


@rule("TW404", "example-personal", liftable=False)
def example_personal(subject: Subject) -> Iterator[Finding]:
    """Examples name nobody: mail addresses are at example.com, numbers are from documentation."""
    for attribute, text, at in _examples(subject):
        if (kind := secrets.personal_in(text)) is not None:
            yield Finding(
                attribute,
                at.value(),
                f"an example of `{attribute.key}` has {kind}",
                "may be somebody's",
                help="use `jane@example.com`, `192.0.2.1` or `2001:db8::1`",
            )


@rule("TW405", "personal-undeclared", severity=Severity.WARNING)
def personal_undeclared(subject: Subject) -> Iterator[Finding]:
    """What tells who somebody is says so."""
    for attribute in attributes(subject.registry):
        if not _is_text(attribute) or attribute.sensitivity in _QUIET:
            continue
        if attribute.spec.sensitivity is None and _PERSONAL.search(attribute.key):
            yield Finding(
                attribute,
                attribute.at.value("id"),
                f"attribute `{attribute.key}` seems to tell who somebody is",
                f"is `{attribute.sensitivity}`, and so exported as it is",
                help="add `sensitivity: personal`, or say `internal` if it does not",
            )


@rule("TW406", "content-undeclared", severity=Severity.WARNING)
def content_undeclared(subject: Subject) -> Iterator[Finding]:
    """What people and models said says so."""
    for attribute in attributes(subject.registry):
        if not _is_text(attribute) or attribute.sensitivity in _QUIET:
            continue
        if attribute.spec.sensitivity is None and _CONTENT.search(attribute.key):
            yield Finding(
                attribute,
                attribute.at.value("id"),
                f"attribute `{attribute.key}` seems to hold what somebody said",
                f"is `{attribute.sensitivity}`, and so exported as it is",
                help="add `sensitivity: content`, or say `internal` if it does not",
            )


@rule("TW410", "redacted-by-name")
def redacted_by_name(subject: Subject) -> Iterator[Finding]:
    """No text that may leave has a name by which the scan takes all of it away."""
    for attribute in attributes(subject.registry):
        if not _is_text(attribute) or attribute.sensitivity in _QUIET:
            continue
        key, verdict = attribute.key, words.judge(attribute.key)
        asked = attribute.spec.sensitivity is None and (
            _PERSONAL.search(key) or _CONTENT.search(key)
        )
        if asked or secrets.secret_word(key) is not None or verdict not in _NAMED:
            continue
        yield Finding(
            attribute,
            attribute.at.value("id"),
            f"values of `{key}` would be redacted by the rule `{_NAMED[verdict]}`",
            "the name alone says so",
            help="name it otherwise, make it an enum, or say the sensitivity that the name means",
        )


@rule("TW407", "revealing-in-metrics", liftable=False)
def revealing_in_metrics(subject: Subject) -> Iterator[Finding]:
    """Nothing personal and no content is an attribute of a metric: series are kept and shared."""
    for metric in metrics(subject.registry):
        for use in metric.attributes:
            if use.attribute.sensitivity in _QUIET:
                yield Finding(
                    metric,
                    use.at.key(),
                    f"`{use.attribute.key}` is `{use.attribute.sensitivity}`, and no attribute of"
                    " a metric",
                    "each value would be a series",
                    help="remove it here",
                    secondary=(Label(use.attribute.at.value("id"), "declared here"),),
                )


@rule("TW409", "template-without-keys")
def template_without_keys(subject: Subject) -> Iterator[Finding]:
    """A template says which keys it is used with: an allow-list of any key allows everything."""
    for attribute in attributes(subject.registry):
        if attribute.type.startswith("template[") and not attribute.spec.keys:
            yield Finding(
                attribute,
                attribute.at.value("type"),
                f"template `{attribute.key}` may be used with any key",
                "nobody can say what would be exported",
                help="list them: `keys: [content_type, accept]`",
            )


@rule("TW408", "revealing-in-baggage", liftable=False)
def revealing_in_baggage(subject: Subject) -> Iterator[Finding]:
    """Nothing personal and no content goes to other processes: headers are logged everywhere."""
    for topic in subject.registry.topics:
        for scope in topic.scopes:
            if "processes" not in scope.propagates:
                continue
            for use in scope.attributes:
                if use.attribute.sensitivity in _QUIET:
                    yield Finding(
                        scope,
                        use.at.key(),
                        f"`{use.attribute.key}` is `{use.attribute.sensitivity}`, and this scope"
                        " reaches other processes",
                        "would travel in headers",
                        help="remove it here, or `processes` from `propagates`",
                        secondary=(Label(use.attribute.at.value("id"), "declared here"),),
                    )


def _is_text(attribute: Attribute) -> bool:
    return attribute.enum is None and "string" in attribute.type


def _examples(subject: Subject) -> Iterator[tuple[Attribute, str, At]]:
    for attribute in attributes(subject.registry):
        for index, example in enumerate(attribute.spec.examples):
            at = attribute.at / "examples" / index
            if isinstance(example, list):
                for step, one in enumerate(example):
                    if isinstance(one, str):
                        yield attribute, one, at / step
            elif isinstance(example, str):
                yield attribute, example, at
