"""The reference page of the spec language, from the models that read it."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from telewright_codegen.emit import language
from telewright_codegen.emit.emitter import Artifact
from telewright_codegen.emit.markdown.environment import render

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.emit.emitter import Target
    from telewright_codegen.emit.language import FieldDoc, Kind
    from telewright_codegen.model.registry import Model

FILE_NAME: Final = "spec.md"


class ReferenceEmitter:
    """Writes one page, whatever the registries are: it is about the language."""

    name: ClassVar[str] = "reference"

    def emit(self, model: Model, target: Target, /) -> Iterator[Artifact]:  # noqa: ARG002  the protocol
        """Yield the page."""
        yield Artifact(PurePosixPath(FILE_NAME), page())


class _Section(NamedTuple):
    title: str
    kinds: tuple[_KindView, ...]


class _KindView(NamedTuple):
    title: str
    link: str
    meaning: str
    note: str
    rows: tuple[_Row, ...]


class _Row(NamedTuple):
    name: str
    type: str
    default: str
    meaning: str


def page() -> str:
    """Return the page."""
    sections = tuple(
        _Section(title, tuple(map(_view, language.kinds(models))))
        for title, models in language.SECTIONS
    )
    return render("reference.md.jinja", sections=sections, words=tuple(language.words()))


def _view(kind: Kind) -> _KindView:
    title = kind.title[:1].upper() + kind.title[1:]
    return _KindView(
        title=title,
        link=f"[{title}](#{language.anchor(title)})",
        meaning=kind.meaning,
        note="It also has the fields of [every item](#every-item)." if kind.item else "",
        rows=tuple(map(_row, sorted(kind.fields, key=lambda field: not field.required))),
    )


def _row(field: FieldDoc) -> _Row:
    shown = f"`{field.default}`" if field.default else ""
    return _Row(field.name, field.type, "**required**" if field.required else shown, field.meaning)
