"""Tables between the markers of pages that people write."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, ClassVar, Final

from telewright_codegen.emit.emitter import Artifact, Target
from telewright_codegen.emit.markdown import markers
from telewright_codegen.emit.markdown.book import Book
from telewright_codegen.emit.markdown.environment import render
from telewright_codegen.emit.markdown.tables import OF_REGISTRY, OF_TOPIC
from telewright_codegen.source import Place, SourceFile
from telewright_codegen.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.emit.emitter import Pages
    from telewright_codegen.emit.markdown.markers import Slot
    from telewright_codegen.emit.markdown.page import Section
    from telewright_codegen.model.registry import Model

SUFFIXES: Final = (".md", ".mdx")


class TablesEmitter:
    """Writes nothing but what stands between markers."""

    name: ClassVar[str] = "tables"

    def emit(self, model: Model, target: Target, /) -> Iterator[Artifact]:  # noqa: ARG002  the protocol
        """Yield nothing: the pages are there already."""
        yield from ()

    def inject(
        self, model: Model, target: Target, pages: Pages, report: Report, /
    ) -> Iterator[Artifact]:
        """Yield the pages that have markers, with the tables of today."""
        yield from injected(Book(model, Target((), target.packages)), pages, report)


def injected(
    book: Book, pages: Pages, report: Report, *, but: Iterable[str] = ()
) -> Iterator[Artifact]:
    """Yield the pages that have markers, with the tables of today; *but* are not looked at."""
    generated = set(but)
    for path in paths(pages):
        here = path.relative_to(pages.folder).as_posix()
        if here not in generated:
            text = _page(path, here, book, pages, report)
            if text is not None:
                yield Artifact(PurePosixPath(here), text)


def paths(pages: Pages) -> Iterator[Path]:
    """Yield the pages that may have markers."""
    if pages.only is not None:
        yield pages.folder / pages.only
        return
    for parent, folders, files in os.walk(pages.folder):
        folders[:] = sorted(name for name in folders if name != "node_modules" and name[0] != ".")
        for name in sorted(files):
            if name.endswith(SUFFIXES) and not name.startswith("."):
                yield Path(parent, name)


def marked(path: Path, name: str, hint: bytes, report: Report) -> tuple[bytes, str] | None:
    """Return what is in a page that has *hint* in it, as bytes and as text."""
    try:
        data = path.read_bytes()
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        report.error("TW713", f"page `{name}` cannot be read", Place(name, 1, 1), why)
        return None
    if hint not in data:
        return None
    try:
        return data, data.decode()
    except UnicodeDecodeError:
        report.error("TW713", f"page `{name}` is not UTF-8", Place(name, 1, 1))
        return None


def _page(path: Path, here: str, book: Book, pages: Pages, report: Report) -> str | None:
    """Return a page with its tables; None where there is nothing to do, or something is wrong."""
    name = pages.name_of(path)
    read = marked(path, name, markers.HINT, report)
    if read is None:
        return None
    data, text = read
    before = len(report.diagnostics)
    lines = markers.lines(text)
    slots = markers.slots(name, lines, report)
    found = [(slot, _section(slot, here, book, report)) for slot in slots]
    if len(report.diagnostics) > before:
        report.files[name] = SourceFile(path, name, data)
        return None
    return _filled(lines, found) if slots else None


def _filled(lines: list[str], found: list[tuple[Slot, Section | None]]) -> str:
    parts: list[str] = []
    done = 0
    for slot, section in found:
        opening = lines[slot.first]
        end = "\r\n" if opening.endswith("\r\n") else "\n"
        indent = opening[: len(opening) - len(opening.lstrip(" \t"))]
        text = render("fragment.md.jinja", section_=section)
        parts += lines[done : slot.first + 1]
        parts.append(end)
        parts += [f"{indent}{line}{end}" if line else end for line in text.split("\n")]
        done = slot.last
    return "".join([*parts, *lines[done:]])


def _section(slot: Slot, here: str, book: Book, report: Report) -> Section | None:
    """Return what a slot asks for."""
    where, _, what = slot.wanted.partition(" ")
    name, _, topic = where.partition("/")
    registries = {one.name: one for one in book.model.registries}
    topics = {one.name: one for one in registries[name].topics} if name in registries else {}
    if name not in registries:
        _unknown(slot, f"registry `{name}`", name, registries, report)
    elif topic and topic not in topics:
        _unknown(slot, f"topic `{topic}` in `{name}`", topic, topics, report)
    elif topic and what not in OF_TOPIC:
        _unknown(slot, f"table `{what}` of a topic", what, OF_TOPIC, report)
    elif topic:
        return OF_TOPIC[what](topics[topic], book, here)
    elif what not in OF_REGISTRY:
        _unknown(slot, f"table `{what}` of a registry", what, OF_REGISTRY, report)
    else:
        return OF_REGISTRY[what](registries[name], book, here)
    return None


def _unknown(slot: Slot, what: str, said: str, known: Iterable[str], report: Report) -> None:
    names = list(known)
    hint = did_you_mean(said, names) or f"there are {', '.join(sorted(names))}"
    report.error("TW712", f"no {what}", slot.place, help=hint)
