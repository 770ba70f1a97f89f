"""Parent chains as mermaid diagrams."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from telewright_codegen.emit.markdown.book import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telewright_codegen.emit.markdown.book import Book
    from telewright_codegen.model.signals import Span


FARTHEST: Final = 12
"""So many spans above another are named on its page."""
_LAYOUT: Final = '%%{init: {"flowchart": {"nodeSpacing": 14, "wrappingWidth": 420}}}%%'


def parent_chains(spans: Iterable[Span], book: Book) -> str:
    """Return a diagram of *spans* and all above them; empty where there is no edge to draw.

    A solid arrow leads from a parent to its child, a dotted one from an owner to a root that is
    linked to it. Spans that own their trace have a heavy border; those of other topics are grey.
    """
    own = list(spans)
    drawn = list(_with_ancestors(own, book))
    edges = list(_edges(drawn, book))
    if not edges:
        return ""
    ids = {_key(span): f"s{number}" for number, span in enumerate(drawn)}
    lines = [_LAYOUT, "flowchart LR"]
    lines += [f'  {ids[_key(span)]}["{_label(span)}"]' for span in drawn]
    for above, below, linked in edges:
        arrow = '-. "linked root" .->' if linked else "-->"
        lines.append(f"  {ids[_key(above)]} {arrow} {ids[_key(below)]}")
    owners = [ids[_key(span)] for span in drawn if _owns(span)]
    strangers = [ids[_key(span)] for span in drawn if span not in own]
    lines += _style("owner", "stroke-width:3px", owners)
    lines += _style("elsewhere", "stroke-dasharray:4,opacity:0.7", strangers)
    return "\n".join(lines)


def chain(span: Span, book: Book) -> Iterator[tuple[Span, ...]]:
    """Yield each way down to *span*, one after another; none where it has no parent.

    A way begins at the top, or at most `FARTHEST` spans above.
    """
    for parent in book.parents(span):
        if _key(parent) != _key(span):
            yield from ((*way, span) for way in _ways(parent, book, seen=(_key(span),)))


def _ways(span: Span, book: Book, *, seen: tuple[object, ...]) -> Iterator[tuple[Span, ...]]:
    found = False
    for parent in book.parents(span) if len(seen) < FARTHEST else ():
        if _key(parent) in seen or _key(parent) == _key(span):
            continue
        found = True
        for way in _ways(parent, book, seen=(*seen, _key(span))):
            yield (*way, span)
    if not found:
        yield (span,)


def _with_ancestors(spans: list[Span], book: Book) -> Iterator[Span]:
    seen: set[object] = set()
    waiting = list(reversed(spans))
    while waiting:
        span = waiting.pop()
        if _key(span) in seen:
            continue
        seen.add(_key(span))
        yield span
        waiting += book.parents(span)


def _edges(spans: list[Span], book: Book) -> Iterator[tuple[Span, Span, bool]]:
    for span in spans:
        target = None if span.root is None else span.root.target
        for parent in book.parents(span):
            if _key(parent) != _key(span):
                yield parent, span, parent.name == target


def _label(span: Span) -> str:
    """Return a node's text: what could be read as syntax is written as a number."""
    lines = [shown(span), ", ".join(span.processes)]
    return "<br/>".join(
        re.sub(r"[^\w.,{} -]", lambda found: f"#{ord(found[0])};", line) for line in lines if line
    )


def _owns(span: Span) -> bool:
    return span.root is not None and span.root.policy in {"owner", "always"}


def _style(name: str, style: str, ids: list[str]) -> list[str]:
    return [f"  classDef {name} {style}", f"  class {','.join(ids)} {name}"] if ids else []


def _key(span: Span) -> object:
    return (span.home, span.helper)
