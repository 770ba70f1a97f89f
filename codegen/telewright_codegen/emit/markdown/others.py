"""What else a topic declares: events, scopes, resources, settings, instrumentations."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from telewright_codegen.emit.markdown import inert, words
from telewright_codegen.emit.markdown.page import Section, Table, facts, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from telewright_codegen.emit.markdown.book import Book
    from telewright_codegen.model.registry import Topic
    from telewright_codegen.model.signals import (
        Event,
        Instrumentation,
        Resource,
        Scope,
        Setting,
        Use,
    )
    from telewright_codegen.spec.common import Requirement


def sections(topic: Topic, book: Book, here: str) -> tuple[Section, ...]:
    """Return a section for each kind that *topic* declares something of."""
    parts = (
        ("Scopes", tuple(_scope(scope, book, here) for scope in topic.scopes)),
        ("Events", tuple(_event(event, book, here) for event in topic.events)),
        ("Resources", tuple(_resource(resource, book, here) for resource in topic.resources)),
    )
    found = [Section(title, sections=inner) for title, inner in parts if inner]
    if topic.settings:
        found.append(Section("Settings", table=settings(topic.settings)))
    if topic.instrumentations:
        found.append(
            Section("Instrumentations", table=instrumentations(topic.instrumentations, book, here))
        )
    return tuple(found)


def _scope(scope: Scope, book: Book, here: str) -> Section:
    reach = [word for word in scope.propagates if word != "tasks"]
    return Section(
        f"Scope {inert.code(scope.name)}",
        words.prose(scope.spec),
        facts(
            ("Reaches", ", ".join(["every span that starts inside", *reach])),
            ("Moves spans to", book.to(scope.group, here) if scope.group else ""),
            (
                "Bucket of what is inside",
                inert.code(scope.rebucket.text) if scope.rebucket else "",
            ),
            *words.status(scope.spec),
        ),
        table=uses(scope.attributes, scope.spec.attributes, book, here),
    )


def _event(event: Event, book: Book, here: str) -> Section:
    where = {"span": "an event of the current span", "log": "a log record, where logs are exported"}
    return Section(
        f"Event {inert.code(event.name)}",
        words.prose(event.spec),
        facts(("Is", where[event.spec.on]), *words.status(event.spec)),
        table=uses(event.attributes, event.spec.attributes, book, here),
    )


def _resource(resource: Resource, book: Book, here: str) -> Section:
    return Section(
        f"Resource {inert.code(resource.name)}",
        words.prose(resource.spec),
        facts(("Of", words.emitters(resource.processes)), *words.status(resource.spec)),
        table=uses(resource.attributes, resource.spec.attributes, book, here),
    )


def uses(
    attributes: Iterable[Use], said: Mapping[str, Requirement], book: Book, here: str
) -> Table | None:
    """Return the table of attributes as one item uses them."""
    return table(
        ("Attribute", "Type", "Needed", "What it is"),
        [
            (
                book.to(use.attribute, here),
                words.kind_of_values(use.attribute, book, here),
                words.requirement(use, said),
                words.meaning(use.attribute.spec),
            )
            for use in attributes
        ],
    )


def settings(found: Iterable[Setting]) -> Table | None:
    """Return the table of settings: name, environment, type, default."""
    return table(
        ("Setting", "Set by", "Values", "What it is"),
        [
            (
                inert.code(setting.name),
                ", ".join(map(inert.code, (*setting.env, setting.spec.config or ""))).rstrip(", "),
                _values(setting),
                words.meaning(
                    setting.spec,
                    *inert.paragraphs(setting.spec.note or ""),
                    "For developers." if setting.spec.visibility == "internal" else "",
                ),
            )
            for setting in found
        ],
    )


def _values(setting: Setting) -> str:
    default = setting.spec.default
    if default is None:
        return setting.spec.type
    shown = default if isinstance(default, str) else json.dumps(default)
    return f"{setting.spec.type}, else {inert.code(shown)}" if shown else setting.spec.type


def instrumentations(found: Iterable[Instrumentation], book: Book, here: str) -> Table | None:
    """Return the table of third-party instrumentors and what switches them."""
    return table(
        ("Package", "Spans", "Group", "Switched on by", "Emitted by", "Cost", "What it is"),
        [
            (
                inert.code(one.package),
                ", ".join(map(inert.code, one.spec.spans)),
                book.to(one.group, here) if one.group else "",
                words.switches(one.group, book, here) if one.group else "",
                words.emitters(one.processes),
                words.cost(one.cardinality or (one.group.cardinality if one.group else None)),
                words.meaning(one.spec, *inert.paragraphs(one.spec.note or "")),
            )
            for one in found
        ],
    )
