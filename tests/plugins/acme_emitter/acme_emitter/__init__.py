"""Spans as a table that spreadsheets open."""

from __future__ import annotations

import csv
import io
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, ClassVar

from telewright_codegen.emit.emitter import Artifact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.emit.emitter import Target
    from telewright_codegen.model.registry import Model


class CsvEmitter:
    """Writes one file with all spans."""

    name: ClassVar[str] = "csv"

    def emit(self, model: Model, target: Target, /) -> Iterator[Artifact]:
        """Yield the file."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["span", "group"])
        for name in target.registries:
            for topic in model.registry(name).topics:
                writer.writerows([span.name, span.group.id] for span in topic.spans)
        yield Artifact(PurePosixPath("spans.csv"), text.getvalue())
