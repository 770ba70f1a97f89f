"""Diagnostics for people: message, place, caret, second place, one line of help."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from telewright_codegen.render.text import Shown, lines, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from telewright_codegen.diagnostics import Diagnostic, Label
    from telewright_codegen.render.paths import Paths
    from telewright_codegen.render.style import Style
    from telewright_codegen.source import SourceFile


def full(found: Diagnostic, files: Mapping[str, SourceFile], paths: Paths, style: Style) -> str:
    """Return one finding as a block of lines."""
    return "\n".join(_Block(found, files, paths, style).lines()) + "\n"


class _Block:
    def __init__(
        self, found: Diagnostic, files: Mapping[str, SourceFile], paths: Paths, style: Style
    ) -> None:
        self._found = found
        self._files = files
        self._paths = paths
        self._style = style
        self._labels = [label for label in (found.primary, *found.secondary) if label is not None]
        self._gutter = max((len(str(label.place.line)) for label in self._labels), default=1)

    def lines(self) -> Iterator[str]:
        found, style = self._found, self._style
        head = style.severity(found.severity, f"{found.severity}[{found.code}]")
        yield head + style.strong(f": {plain(found.message)}")
        if found.primary is not None:
            own = found.primary.place.file
            others = dict.fromkeys(label.place.file for label in found.secondary)
            for file in (own, *(file for file in others if file != own)):
                yield from self._file(file)
        if found.help is not None:
            if self._labels:
                yield self._edge("")
            yield style.frame(" " * self._gutter + " = ") + f"help: {plain(found.help)}"

    def _file(self, file: str) -> Iterator[str]:
        found = self._found
        labels = [label for label in self._labels if label.place.file == file]
        primary = found.primary is not None and found.primary.place.file == file
        place = found.primary.place if primary and found.primary else labels[0].place
        arrow = "-->" if primary else ":::"
        shown = f"{plain(self._paths.shown(file))}:{place.line}:{place.column}"
        source = self._source(file)
        if source is None:
            shown = plain(self._paths.shown(file))
        yield self._style.frame(" " * self._gutter + arrow) + f" {shown}"
        yield self._edge("")
        if source is None:
            for label in labels:
                if label.text:
                    yield self._edge(self._painted(label, plain(label.text)))
            return
        before = 0
        for line, group in groupby(sorted(labels, key=_line), key=_line):
            if before and line == before + 2:
                yield self._source_line(before + 1, Shown(_at(source, before + 1), 1).text)
            elif before and line > before + 1:
                yield self._style.frame("...")
            yield from self._line(source, line, list(group))
            before = line

    def _source(self, file: str) -> list[str] | None:
        source = self._files.get(file)
        return None if source is None else lines(source)

    def _line(self, source: list[str], number: int, labels: list[Label]) -> Iterator[str]:
        labels.sort(key=lambda label: (label is not self._found.primary, label.place.column))
        shown = Shown(_at(source, number), labels[0].place.column)
        yield self._source_line(number, shown.text)
        for label in labels:
            column = label.place.column
            sign = "^" if label is self._found.primary else "-"
            marks = sign * shown.extent(column, label.place.width)
            text = f"{marks} {plain(label.text)}".rstrip()
            yield self._edge(" " * shown.indent(column) + self._painted(label, text))

    def _source_line(self, number: int, text: str) -> str:
        return f"{self._style.frame(f'{number:>{self._gutter}} |')} {text}".rstrip()

    def _edge(self, text: str) -> str:
        return f"{self._style.frame(' ' * self._gutter + ' |')} {text}".rstrip()

    def _painted(self, label: Label, text: str) -> str:
        if label is self._found.primary:
            return self._style.severity(self._found.severity, text)
        return self._style.frame(text)


def _line(label: Label) -> int:
    return label.place.line


def _at(source: list[str], line: int) -> str:
    return source[line - 1] if 0 < line <= len(source) else ""
