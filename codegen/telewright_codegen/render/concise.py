"""Diagnostics on one line each, as compilers and linters write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telewright_codegen.render.text import plain

if TYPE_CHECKING:
    from telewright_codegen.diagnostics import Diagnostic
    from telewright_codegen.render.paths import Paths


def concise(found: Diagnostic, paths: Paths) -> str:
    """Return ``path:line:column: CODE message``."""
    text = f"{found.code} {plain(found.message)}"
    if found.primary is None:
        return f"{text}\n"
    place = found.primary.place
    return f"{plain(paths.shown(place.file))}:{place.line}:{place.column}: {text}\n"
