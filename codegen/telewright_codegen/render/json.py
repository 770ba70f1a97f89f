"""Diagnostics for programs: one JSON object a line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from telewright_codegen.diagnostics import Diagnostic, Label
    from telewright_codegen.render.paths import Paths

_PREFIX: Final = "TW"


def as_json(found: Diagnostic, paths: Paths) -> str:
    """Return one finding as an object: ``code, severity, path, line, column, message, help, …``."""
    place = None if found.primary is None else found.primary.place
    own = () if found.primary is None else (found.primary,)
    value = {
        "code": found.code,
        "severity": str(found.severity),
        "path": None if place is None else paths.shown(place.file),
        "line": None if place is None else place.line,
        "column": None if place is None else place.column,
        "message": found.message,
        "help": found.help,
        "labels": [_label(label, paths, primary=True) for label in own]
        + [_label(label, paths, primary=False) for label in found.secondary],
        "url": f"docs/rules/{found.code}.md" if found.code.startswith(_PREFIX) else None,
    }
    return json.dumps(value) + "\n"


def _label(label: Label, paths: Paths, *, primary: bool) -> dict[str, object]:
    return {
        "path": paths.shown(label.place.file),
        "line": label.place.line,
        "column": label.place.column,
        "width": label.place.width,
        "text": label.text,
        "primary": primary,
    }
