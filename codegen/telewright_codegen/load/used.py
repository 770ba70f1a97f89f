"""Registries that others use and that do not lie among the specs: beside them, or installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from telewright_codegen.guard import PluginError
from telewright_codegen.load.alone import implicit_registry
from telewright_codegen.load.discover import registry_folder
from telewright_codegen.load.parse import parse
from telewright_codegen.load.silences import silence
from telewright_codegen.load.validate import validate
from telewright_codegen.plugins import registry
from telewright_codegen.spec.registry import RegistrySpec, UseSpec
from telewright_codegen.spec.topic import TopicSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from telewright_codegen.config import Config
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.load.loaded import Loaded
    from telewright_codegen.source import At, SourceFile


def with_used(files: Iterable[SourceFile], config: Config, report: Report) -> list[Loaded]:
    """Return the specs in *files*, and those of every registry that these use."""
    loaded = _specs(files, config, report)
    if config.specs.is_file():
        loaded += implicit_registry(loaded)
    tried = {item.spec.registry for item in loaded if isinstance(item.spec, RegistrySpec)}
    waiting = list(loaded)
    while waiting:
        found: list[Loaded] = []
        for use in _uses(waiting):
            if use.name in tried:
                continue
            tried.add(use.name)
            folder = _folder(use, config, report)
            if folder is not None:
                files = registry_folder(folder, config.root, report)
                found += _specs(files, config, report, use.name)
        loaded += found
        waiting = found
    silence(loaded, report)
    return loaded


def _specs(
    files: Iterable[SourceFile], config: Config, report: Report, name: str | None = None
) -> list[Loaded]:
    documents = [document for file in files if (document := parse(file, report)) is not None]
    loaded = validate(documents, report)
    if all(isinstance(item.spec, RegistrySpec | TopicSpec) for item in loaded):
        return loaded
    from telewright_codegen.load.otel_topics import translated  # noqa: PLC0415  rarely needed

    return translated(loaded, report, root=config.root, name=name)


class _Use(NamedTuple):
    """A registry that another one names."""

    name: str
    path: str | None
    folder: Path
    """The one of the registry that names it."""
    at: At


def _uses(loaded: Iterable[Loaded]) -> Iterator[_Use]:
    for item in loaded:
        if not isinstance(item.spec, RegistrySpec):
            continue
        folder = item.file.path.parent
        for index, use in enumerate(item.spec.uses):
            at = item.at / "uses" / index
            if isinstance(use, str):
                yield _Use(use, None, folder, at)
            elif isinstance(use, UseSpec):
                yield _Use(use.registry, use.path, folder, at)
            else:
                yield from (_Use(name, None, folder, at) for name in use)


def _folder(use: _Use, config: Config, report: Report) -> Path | None:
    """Return where a registry is, None if it is nowhere; whoever refers to it will say so."""
    name, own = use.name, use.folder
    if use.path is not None:
        return _written(use.path, own, config, use.at, report)
    for beside in (own.parent, config.specs, config.specs.parent):
        folder = beside / name
        if name.isidentifier() and (folder / "registry.yaml").is_file():
            return folder
    try:
        return registry(name)
    except PluginError as error:
        report.error("TW035", f"registry `{name}` cannot be used", use.at.value(), str(error))
        return None


def _written(path: str, own: Path, config: Config, at: At, report: Report) -> Path | None:
    """Return the folder that a spec names; specs reach nothing outside of their project."""
    folder = (own / path).resolve()
    if folder.is_relative_to(config.root.resolve()):
        return folder
    report.error(
        "TW034",
        f"`{path}` lies outside of the project",
        at.value("path"),
        f"specs only reach what is in `{config.root.name}`",
        help="install it as a package that offers a registry, or copy it",
    )
    return None
