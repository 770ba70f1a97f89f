"""The emitter ``python``: one module a topic, the groups, the package, and its data."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, ClassVar, Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from telewright_codegen.emit import registry_json
from telewright_codegen.emit.emitter import Artifact
from telewright_codegen.emit.python import groups, view

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telewright_codegen.emit.emitter import Target
    from telewright_codegen.model.registry import Model, Registry

_ENVIRONMENT: Final = Environment(
    loader=PackageLoader("telewright_codegen.emit.python"),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
    auto_reload=False,
    autoescape=False,  # noqa: S701  Python, whose text the views have escaped
)


class PythonEmitter:
    """Writes a package for each registry."""

    name: ClassVar[str] = "python"

    def emit(self, model: Model, target: Target, /) -> Iterator[Artifact]:
        """Yield the modules of each registry and its ``_registry.json``."""
        several = len(target.registries) > 1
        for name in target.registries:
            registry = model.registry(name)
            folder = PurePosixPath(name if several else "")
            for file, text in _files(model, registry, target):
                yield Artifact(folder / file, text)


def _files(model: Model, registry: Registry, target: Target) -> Iterator[tuple[str, str]]:
    yield "__init__.py", _print("package.py.jinja", groups.package(registry))
    if groups.has_groups(registry):
        yield "groups.py", _print("groups.py.jinja", groups.groups(registry))
    for topic in registry.topics:
        shown = view.module(model, registry, topic, target)
        yield f"{topic.module}.py", _print("module.py.jinja", shown)
    yield registry_json.FILE, registry_json.text(model, registry, target)


def _print(template: str, shown: object) -> str:
    return _ENVIRONMENT.get_template(template).render(view=shown)
