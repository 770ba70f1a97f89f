"""Attributes and enumerations on a topic's page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from telewright_codegen.emit.markdown import inert, words
from telewright_codegen.emit.markdown.page import Section, Table, anchored, facts, stacked, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telewright_codegen.emit.markdown.book import Book
    from telewright_codegen.model.registry import Topic
    from telewright_codegen.model.signals import Attribute, Enum, Member

_MEMBER_HEADINGS: Final = ("Member", "Value", "What it means")


def section(topic: Topic, book: Book, here: str) -> Section | None:
    """Return the attributes that *topic* declares."""
    if not topic.attributes:
        return None
    return Section("Attributes", table=overview(topic.attributes, book, here))


def overview(attributes: Iterable[Attribute], book: Book, here: str) -> Table | None:
    """Return the table of attributes: key, constant, type, what is done to values, meaning."""
    return table(
        ("Attribute and constant", "Type", "Values", "Examples", "What it is"),
        [
            (
                stacked(anchored(attribute.key), inert.code(attribute.constant)),
                words.kind_of_values(attribute, book, here),
                "; ".join(_values(attribute)),
                examples(attribute),
                " ".join(
                    (
                        words.meaning(attribute.spec),
                        *inert.paragraphs(attribute.spec.note or ""),
                    )
                ),
            )
            for attribute in attributes
        ],
    )


def examples(attribute: Attribute) -> str:
    """Return the examples as code, texts without quotes."""
    return ", ".join(
        inert.code(one if isinstance(one, str) else json.dumps(one, ensure_ascii=False))
        for one in attribute.spec.examples
    )


def _values(attribute: Attribute) -> Iterator[str]:
    """Yield what else there is to know about values."""
    spec = attribute.spec
    if sensitive := words.sensitivity(attribute):
        yield sensitive
    if spec.unit:
        yield f"in {inert.code(spec.unit)}"
    if spec.level:
        yield f"only on {' and '.join(f'{level}s' for level in spec.level)}"
    if spec.in_metrics == "never":
        yield "never in metrics"
    if spec.max_values is not None:
        yield f"at most {spec.max_values}"
    if spec.join_key:
        yield "joins signals of several processes"
    if spec.keys:
        yield f"keys: {', '.join(map(inert.code, spec.keys))}"


def enums(topic: Topic, book: Book, here: str) -> Section | None:
    """Return the enumerations of *topic*, each with its members."""
    if not topic.enums:
        return None
    return Section("Enums", sections=tuple(_enum(enum, topic, book, here) for enum in topic.enums))


def _enum(enum: Enum, topic: Topic, book: Book, here: str) -> Section:
    users = [one for one in topic.attributes if one.enum is enum]
    return Section(
        f"Enum {inert.code(enum.name)}",
        words.prose(enum.spec),
        facts(
            ("Values of", ", ".join(book.to(one, here) for one in users)),
            ("Other values", _others(enum)),
            ("When a block ends well", inert.code(enum.ok.text) if enum.ok else ""),
            ("After an exception", inert.code(enum.error.text) if enum.error else ""),
            ("When cancelled", inert.code(enum.cancelled.text) if enum.cancelled else ""),
            (
                "From exceptions",
                ", ".join(
                    f"{inert.code(name)} is {inert.code(to.text)}" for name, to in enum.codes
                ),
            ),
        ),
        table=table(_MEMBER_HEADINGS, [_member(member) for member in enum.members]),
    )


def members(found: Iterable[Enum], book: Book, here: str) -> Table | None:
    """Return the table of all members of several enumerations."""
    return table(
        ("Enum", *_MEMBER_HEADINGS),
        [(book.to(enum, here), *_member(member)) for enum in found for member in enum.members],
    )


def _member(member: Member) -> tuple[str, ...]:
    spec = member.spec
    parts = (
        words.deprecation(spec.deprecated if spec is not None else None),
        inert.text(member.brief),
        *inert.paragraphs((spec.note if spec is not None else "") or ""),
    )
    meaning = " ".join(part for part in parts if part)
    return (inert.code(member.constant), inert.code(member.text), meaning)


def _others(enum: Enum) -> str:
    if not enum.open:
        return ""
    if enum.overflow is None:
        return "may occur on spans; in metrics they are left out"
    return f"may occur on spans; in metrics they are {inert.code(enum.overflow.text)}"
