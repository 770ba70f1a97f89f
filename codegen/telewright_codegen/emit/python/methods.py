"""What can be done with an open span: set, fail, and its events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from telewright_codegen.emit.python import layout
from telewright_codegen.emit.python.declarations import decorator, deprecation
from telewright_codegen.emit.python.signature import Parameter, ordered, parameter, signature
from telewright_codegen.emit.python.text import (
    Entry,
    code,
    docstring,
    inside,
    led,
    literal,
    paragraphs,
    phrase,
    sentence,
)
from telewright_codegen.emit.python.values import (
    annotation,
    dictionary,
    entry,
    expansion,
    is_template,
    pair,
)

if TYPE_CHECKING:
    from telewright_codegen.emit.python.context import Context
    from telewright_codegen.model.signals import Attribute, Event, Outcome, Span, Use


_OUTCOME: Final = "outcome"
"""The keyword of `set` for how a block ended."""


class MethodView(NamedTuple):
    """A method."""

    decorator: str
    header: str
    doc: str
    body: list[str]
    """Lines, indented."""


def says_something(declared: Span) -> bool:
    """Return whether there is anything to set on *declared*, or to say about it."""
    return (
        declared.outcome is not None
        or declared.error_code is not None
        or any(use.late for use in declared.attributes)
        or any(event.spec.on == "span" for event in declared.events)
    )


def methods(context: Context, declared: Span) -> list[MethodView]:
    """Return the methods that the class of *declared* adds; none where nothing can be said."""
    late = [use for use in declared.attributes if use.late]
    made: list[MethodView] = []
    if late or declared.outcome is not None:
        made.append(_set(context, late, declared.outcome))
    if declared.error_code is not None:
        made.append(_fail(context, declared.error_code))
    return [*made, *(_event(context, one) for one in declared.events if one.spec.on == "span")]


def _set(context: Context, late: list[Use], outcome: Outcome | None) -> MethodView:
    uses = sorted(late, key=lambda use: use.level != "required")
    keywords = [parameter(context, use, optional=True) for use in uses]
    entries = [entry(use) for use in uses]
    taken = {use.param for use in uses}
    key, item = (_free(word, taken) for word in ("key", "item"))
    body = [line for use in uses for line in _kept(context, use, key, item)]
    if outcome is not None:
        kind = f"{annotation(context, outcome.attribute)} | None"
        keywords.append(Parameter(_OUTCOME, kind, "None"))
        brief = phrase(outcome.attribute.spec.brief)
        text = f"{brief}, where the end of the block does not say it"
        entries.append(Entry(_OUTCOME, f"{text} ({code(outcome.attribute.key)})."))
        body.append(f"            self._say({_OUTCOME})")
    return MethodView(
        decorator="",
        header=signature("set", [], keywords, "None", indent=4, method=True),
        doc=docstring("Set what is known only at the end.", indent=8, entries=entries),
        body=["        if self.live:", *body],
    )


def _free(word: str, taken: set[str]) -> str:
    return word if word not in taken else _free(f"{word}_", taken)


def _kept(context: Context, use: Use, key: str, item: str) -> list[str]:
    attribute = use.attribute
    if is_template(attribute):
        made = expansion(context, attribute, use.param)
        loop = layout.rendered(made, indent=12, before=f"for {key}, {item} in ", after=".items():")
        return [f"            {loop}.items():", f"                self._set({key}, {item})"]
    value = pair(context, use, optional=True).value
    made = layout.call("self._set", attribute.constant, value)
    return ["            " + layout.rendered(made, indent=12)]


def _fail(context: Context, attribute: Attribute) -> MethodView:
    text = entry_of(attribute)
    return MethodView(
        decorator="",
        header=signature(
            "fail",
            [Parameter("code", annotation(context, attribute))],
            [],
            "None",
            indent=4,
            method=True,
        ),
        doc=docstring(
            "Say that the block failed, and why, though nothing is raised.",
            indent=8,
            entries=[Entry("code", text)],
        ),
        body=["        self._fail(code)"],
    )


def entry_of(attribute: Attribute) -> str:
    """Return what an attribute means, and its key."""
    return f"{phrase(attribute.spec.brief)} ({code(attribute.key)})."


def _event(context: Context, declared: Event) -> MethodView:
    uses = ordered(declared.attributes)
    keywords = [parameter(context, use, optional=use.level != "required") for use in uses]
    pairs = [pair(context, use, optional=use.level != "required") for use in uses]
    made = layout.call("self._event", literal(declared.name), dictionary(context, pairs))
    title = f"Add the event {code(declared.name)}"
    return MethodView(
        decorator=decorator(context, declared.spec.deprecated, indent=4),
        header=signature(declared.helper, [], keywords, "None", indent=4, method=True),
        doc=docstring(
            f"{title}: {inside(declared.spec.brief)}",
            [*paragraphs(declared.spec.note), deprecation(declared.spec.deprecated)],
            indent=8,
            title=f"{title}.",
            brief=led(sentence(declared.spec.brief), code(declared.name)),
            entries=[entry(use) for use in uses],
        ),
        body=["        if self.live:", "            " + layout.rendered(made, indent=12)],
    )
