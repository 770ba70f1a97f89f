"""The templates: they print what views decided, and decide nothing."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined


@cache
def _environment() -> Environment:
    return Environment(  # noqa: S701  Markdown; views make text inert, HTML included
        loader=PackageLoader("telewright_codegen.emit.markdown", "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )


def render(template: str, **values: object) -> str:
    """Return *template* with *values* in it: one newline at the end, never two empty lines."""
    lines: list[str] = []
    for line in _environment().get_template(template).render(**values).split("\n"):
        if line.strip() or (lines and lines[-1]):
            lines.append(line.rstrip())
    return "\n".join(lines).rstrip("\n") + "\n"
