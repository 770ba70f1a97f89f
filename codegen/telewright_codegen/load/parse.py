"""YAML to plain data in which every key and value keeps its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import yaml

from telewright_codegen.load.build import AbandonedError, Builder
from telewright_codegen.load.characters import NotUtf8Error, decode, forbidden, is_harmless
from telewright_codegen.load.document import REFUSED, Document, Lines
from telewright_codegen.load.syntax import explain
from telewright_codegen.pause import collection_paused

if TYPE_CHECKING:
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.source import SourceFile

__all__ = ["REFUSED", "Document", "parse"]


def parse(file: SourceFile, report: Report) -> Document | None:
    """Read one file; None where there is nothing in it that can be used."""
    text = _text(file, report)
    if text is None:
        return None
    lines = Lines(file.name, text)
    try:
        with collection_paused():
            builder = Builder(lines, report)
            data = builder.document()
    except yaml.YAMLError as error:
        explain(error, lines, report)
        return None
    except AbandonedError:
        return None
    return Document(file, lines, data, builder.offsets)


def _text(file: SourceFile, report: Report) -> str | None:
    if is_harmless(file.data):
        return file.data.decode("ascii")
    try:
        text = decode(file.data)
    except NotUtf8Error as error:
        before = file.data[: error.offset].decode("utf-8", "replace").removeprefix("\ufeff")
        place = Lines(file.name, before + "?").place(len(before), len(before) + 1)
        report.error("TW011", f"`{file.name}` is not UTF-8", place, error.what)
        return None
    bad = forbidden(text)
    if bad is not None:
        place = Lines(file.name, text).place(bad.offset, bad.offset + 1)
        report.error(bad.code, "a character that may not stand in a spec", place, bad.what)
        return None
    return text
