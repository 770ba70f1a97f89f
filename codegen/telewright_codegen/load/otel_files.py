"""Files in OpenTelemetry's own dialect: which format they are in, and their shape."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from telewright_codegen.load.discover import MANIFESTS
from telewright_codegen.load.loaded import Loaded
from telewright_codegen.load.otel_restored import restore
from telewright_codegen.load.validate import validated
from telewright_codegen.source import At
from telewright_codegen.spec.otel import OtelFile, OtelManifest
from telewright_codegen.spec.otel2 import Otel2File

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telewright_codegen.diagnostics import Report
    from telewright_codegen.load.document import Data, Document

_STAND_INS: Final[Mapping[str, Data]] = {"brief": "(missing)", "unit": "1"}


def read(document: Document, report: Report, *, as_written: bool = False) -> list[Loaded]:
    """Return the groups, the definitions or the manifest that *document* holds.

    Args:
        document: A parsed file.
        report: Where findings go.
        as_written: Whether a file that was made of a topic stays what it is: definitions.
    """
    data = document.data
    model: type[OtelFile | Otel2File | OtelManifest] = OtelFile
    if document.file.path.name in MANIFESTS:
        model = OtelManifest
    elif isinstance(data, dict) and "file_format" in data:
        made = None if as_written else restore(document, report)
        if made is not None:
            return made
        model = Otel2File
    found = validated(model, document, report, _STAND_INS)
    return [] if found is None else [Loaded(found[0], At(found[1], ()), document.file)]
