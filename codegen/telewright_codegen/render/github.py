"""Diagnostics as the workflow commands that GitHub shows beside the lines of a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from telewright_codegen.diagnostics import Diagnostic
    from telewright_codegen.render.paths import Paths


def github(found: Diagnostic, paths: Paths) -> str:
    """Return ``::error file=…,line=…,col=…,title=…::message``."""
    label = "" if found.primary is None else found.primary.text
    text = f"{found.message}: {label}" if label else found.message
    if found.help is not None:
        text += f"\n{found.help}"
    properties = {"title": found.code}
    if found.primary is not None:
        place = found.primary.place
        properties = {
            "file": paths.shown(place.file),
            "line": str(place.line),
            "col": str(place.column),
            "endColumn": str(place.column + place.width - 1),
            **properties,
        }
    written = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{found.severity} {written}::{_data(text)}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
