"""Whose trace a span belongs to, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.emit.markdown import inert

if TYPE_CHECKING:
    from telewright_codegen.emit.markdown.book import Book
    from telewright_codegen.model.signals import Span


_ALWAYS: Final = (
    "**Whose trace.** It always begins a trace of its own, whatever is current as it opens. "
    "Sampling is decided for that trace alone."
)
_OWNER: Final = (
    "**Whose trace.** It owns its trace where nothing valid was current as it opened. Under an "
    "embedder's span or a remote parent it nests, and owns nothing."
)
_LINKS: Final = (
    "While it owns its trace, these begin traces of their own that are linked to it: {}. "
    "Sampling is decided for each of them."
)
_LINKED: Final = (
    "**Whose trace.** It begins a trace of its own, linked to {}, only while that very span is "
    "current and owns its trace. Anywhere else it nests under whatever is current."
)
_SAMPLED: Final = (
    "Sampling is decided for each root: this trace may be kept where the owner's is dropped, and "
    "the other way round, so that the link may lead to a span that nobody kept."
)
_ONE_TRACE: Final = (
    "The exception is a run under somebody else's span, an embedder's or a remote parent: there {} "
    "owns no trace, nothing is split off, and everything has one trace id."
)


def notes(span: Span, book: Book, here: str) -> tuple[str, ...]:
    """Return what follows from the root policy: who nests, what is sampled, how many trace ids."""
    if span.root is None:
        return ()
    if span.root.policy == "always":
        return (_ALWAYS,)
    if span.root.policy == "owner":
        linked = ", ".join(book.to(one, here) for one in book.linked(span))
        return (_OWNER, _LINKS.format(linked)) if linked else (_OWNER,)
    target = _target(span.root.target or "", book, here)
    return (_LINKED.format(target), _SAMPLED, _ONE_TRACE.format(target))


def _target(name: str, book: Book, here: str) -> str:
    span = book.span(name)
    return inert.code(name) if span is None else book.to(span, here)
