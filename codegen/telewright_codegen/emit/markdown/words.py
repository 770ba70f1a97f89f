"""Phrases that several pages share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.emit.markdown import inert

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telewright_codegen.emit.markdown.book import Book
    from telewright_codegen.model.signals import Attribute, Group, Span, Use
    from telewright_codegen.spec.common import Cardinality, DeprecationSpec, ItemSpec, Requirement

COSTS: Final = {
    "per_run": "per run",
    "per_step": "per step",
    "per_operation": "per operation",
    "per_item": "per item",
}
_LEVELS: Final = {
    "required": "required",
    "recommended": "recommended",
    "opt_in": "opt-in",
    "detected": "detected",
}
_SENSITIVITY: Final = {
    "public": "",
    "internal": "",
    "personal": "personal: hashed with a key, dropped without one",
    "content": "content: dropped unless content is switched on",
}


def cost(cardinality: Cardinality | None) -> str:
    """Return what the number of spans grows with."""
    return COSTS[cardinality.value] if cardinality is not None else ""


def span_cost(span: Span) -> str:
    """Return what the number of a span's occurrences grows with."""
    return cost(span.cardinality or span.group.cardinality)


def span_name(span: Span, book: Book, here: str) -> str:
    """Return a link to a span; it says whether the span should still be used."""
    link = book.to(span, here)
    return f"{link} (deprecated)" if span.spec.deprecated is not None else link


def switched_on_by(group: Group, book: Book, here: str) -> str:
    """Return the presets that switch *group* on, or how it is asked for."""
    presets = book.presets(group)
    if not presets:
        return f"only by name: {inert.code(f'default,{group.id}')}"
    return ", ".join(book.to(preset, here) for preset in presets)


def switches(group: Group, book: Book, here: str) -> str:
    """Return what switches *group* on, short enough for a table."""
    presets = book.presets(group)
    if not presets:
        return f"only {book.to(group, here)}"
    return ", ".join(book.to(preset, here) for preset in presets)


def emitters(processes: tuple[str, ...]) -> str:
    """Return who emits something; any process, where nobody is named."""
    return ", ".join(map(inert.code, processes)) or "any process"


def kind_of_values(attribute: Attribute, book: Book, here: str) -> str:
    """Return an attribute's type, or its enumeration."""
    if attribute.enum is not None:
        return book.to(attribute.enum, here)
    return inert.code(attribute.type)


def requirement(use: Use, said: Mapping[str, Requirement]) -> str:
    """Return how much an attribute is needed; *said* is how its spec says so."""
    if use.condition is None:
        return _LEVELS[use.level]
    # a sentence means that it is required then, whatever a signature can enforce
    sentence = isinstance(said.get(use.attribute.key), str)
    return f"{'required' if sentence else _LEVELS[use.level]} if: {inert.text(use.condition)}"


def deprecation(deprecated: DeprecationSpec | None) -> str:
    """Return why something should no longer be used; empty where it may be."""
    if deprecated is None:
        return ""
    since = f" since {inert.text(deprecated.since)}" if deprecated.since else ""
    parts = [f"**Deprecated{since}.**"]
    if deprecated.renamed_to:
        parts.append(f"Use {inert.code(deprecated.renamed_to)}.")
    if deprecated.emit_both_until:
        parts.append(f"Both are emitted until {inert.text(deprecated.emit_both_until)}.")
    if deprecated.note:
        parts.append(inert.text(deprecated.note))
    return " ".join(parts)


def meaning(spec: ItemSpec, *more: str) -> str:
    """Return a cell that says what an item is and whether it still should be used."""
    parts = (deprecation(spec.deprecated), inert.text(spec.brief), *more)
    return " ".join(part for part in parts if part)


def prose(spec: ItemSpec) -> tuple[str, ...]:
    """Return the paragraphs that introduce an item: what it is, and what else to know."""
    return tuple(
        part
        for part in (
            deprecation(spec.deprecated),
            inert.text(spec.brief),
            *inert.paragraphs(spec.note or ""),
        )
        if part
    )


def status(spec: ItemSpec) -> tuple[tuple[str, str], ...]:
    """Return the facts that any item may have about itself."""
    return (
        ("Stability", inert.text(spec.stability.value.replace("_", " ")) if spec.stability else ""),
        ("Since", inert.text(spec.since) if spec.since else ""),
        ("Owner", inert.text(spec.owner) if spec.owner else ""),
        ("To be reviewed by", inert.text(spec.review) if spec.review else ""),
        ("Expires", inert.text(spec.expires) if spec.expires else ""),
        ("Needs runtime", inert.text(spec.min_runtime) if spec.min_runtime else ""),
    )


def sensitivity(attribute: Attribute) -> str:
    """Return what happens to an attribute's values beyond being kept."""
    base = _SENSITIVITY[attribute.sensitivity.value]
    redact = attribute.spec.redact
    if redact is None or redact == "keep":
        return base
    done = (
        f"cut to {attribute.redact} characters"
        if isinstance(attribute.redact, int)
        else {
            "drop": "dropped",
            "mask": "masked",
            "hash": "hashed",
            "keep": "kept",
        }[attribute.redact]
    )
    return f"{base}; {done}" if base else done


def number(value: float) -> str:
    """Return a number as people write it."""
    return str(int(value)) if value == int(value) else repr(value)
