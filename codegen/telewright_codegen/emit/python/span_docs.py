"""What docstrings say about spans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.emit.python.declarations import deprecation
from telewright_codegen.emit.python.text import (
    Entry,
    code,
    docstring,
    inside,
    led,
    listed,
    paragraphs,
    phrase,
    sentence,
)
from telewright_codegen.emit.python.values import entry

if TYPE_CHECKING:
    from telewright_codegen.emit.python.context import Context
    from telewright_codegen.model.signals import Span, Use


LINKS: Final = "links"
"""The keyword for what a span is linked to."""


def shown_name(declared: Span) -> str:
    """Return the span's name as people read it: a placeholder is called like its parameter."""
    holder = declared.placeholder
    if holder is None:
        return declared.name
    return declared.name.replace(f"{{{holder.attribute.key}}}", f"{{{holder.param}}}")


def class_doc(declared: Span) -> str:
    """Return the docstring of the class of an open span."""
    name = shown_name(declared)
    return docstring(
        f"An open {code(name)} span; see `{declared.helper}`.",
        indent=4,
        title=f"An open span of `{declared.helper}`.",
    )


def function_doc(context: Context, declared: Span, uses: list[Use]) -> str:
    """Return the docstring of the function that opens a span."""
    spec, name = declared.spec, code(shown_name(declared))
    entries: list[Entry] = []
    holder = declared.placeholder
    if holder is not None:
        text = f"{phrase(holder.attribute.spec.brief)} ({code(holder.attribute.key)})."
        entries.append(Entry(holder.param, text))
    placed = None if holder is None else holder.attribute.key
    entries += [entry(use) for use in uses if use.attribute.key != placed]
    if spec.links:
        entries.append(Entry(LINKS, "What it is linked to: spans, or carriers of other processes."))
    return docstring(
        f"Span {name}: {inside(spec.brief)}",
        [
            *paragraphs(spec.note),
            " ".join(_place(context, declared)),
            " ".join(_end(declared)),
            deprecation(spec.deprecated),
        ],
        indent=4,
        title=f"Span {name}.",
        brief=led(sentence(spec.brief), name),
        entries=entries,
    )


def _place(context: Context, declared: Span) -> list[str]:
    """Return the sentences about where a span stands among others."""
    facts: list[str] = []
    if declared.parents:
        names = [context.span_reference(name, of=declared) for name in declared.parents]
        facts.append(f"A child of {' or '.join(names)}.")
    if declared.root is not None:
        facts.append(_root(context, declared))
    if declared.scopes:
        names = [f"`{name}`" for name in declared.scopes]
        facts.append(f"Open it inside the scope {listed(names)}.")
    if declared.spec.links:
        names = [context.span_reference(name, of=declared) for name in declared.spec.links]
        facts.append(f"Linked to {listed(names)}.")
    if declared.spec.announce:
        facts.append("Announced while it runs.")
    if declared.processes:
        facts.append(f"Opened by {listed([code(name) for name in declared.processes])}.")
    return facts


def _root(context: Context, declared: Span) -> str:
    root = declared.root
    if root is None or root.policy == "owner":
        linked = [
            f"`{other.helper}`"
            for other in context.topic.spans
            if other.root is not None and other.root.target == declared.name
        ]
        begins = f"; {listed(linked)} then begins a linked trace" if len(linked) == 1 else ""
        begins = f"; {listed(linked)} then begin linked traces" if len(linked) > 1 else begins
        return f"Owns its trace where nothing is current{begins}."
    if root.target is None:
        return "Begins a trace of its own."
    target = context.span_reference(root.target, of=declared)
    return (
        f"Begins a trace linked to {target} where that is current and owned here; nests otherwise."
    )


def _end(declared: Span) -> list[str]:
    """Return the sentences about how a span ends."""
    facts: list[str] = []
    if declared.spec.ends_when:
        facts.append(f"Ends when {inside(declared.spec.ends_when)}")
    if declared.outcome is not None:
        facts.append("Its outcome is how the block ends.")
    if declared.error_code is not None:
        facts.append("Its error code is that of the exception, or what `fail` said.")
    if declared.bucket is not None:
        facts.append(f"Its time counts towards {code(declared.bucket)}.")
    if declared.duration is not None:
        name = code(declared.duration.name)
        facts.append(f"Its duration goes to {name} even while the span group is off.")
    return facts
