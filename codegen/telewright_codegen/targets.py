"""Which registries each output gets, and what every generated package is imported as."""

from __future__ import annotations

import importlib.util
import json
import keyword
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final, cast

from telewright_codegen import plugins
from telewright_codegen.config import ConfigError
from telewright_codegen.emit.emitter import Artifact, Batch, Injector, Pages, Target
from telewright_codegen.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from telewright_codegen.config import Config, Output
    from telewright_codegen.diagnostics import Report
    from telewright_codegen.model.registry import Model

_PYTHON: Final = "python"
_PACKAGES: Final = (_PYTHON, "otel-python")
"""Emitters whose output is imported."""
_INSTALLED: Final = "telewright"
"""The package in which registries are looked for that nothing here is written from."""


def batches(model: Model, config: Config, report: Report) -> list[Batch]:
    """Return everything that the outputs of *config* write; report pages that cannot be filled."""
    if config.only is not None:
        _known(config.only, [registry.name for registry in model.registries])
    for output in config.outputs:
        _importable(output, _registries(model, config, output))
    everywhere = packages(model, config)
    return [
        batch._replace(others=_others(output, config))
        for output in config.outputs
        for batch in _batches(model, config, output, everywhere, report)
    ]


def packages(model: Model, config: Config) -> dict[str, str]:
    """Return what each registry's package is imported as, by the outputs or as installed."""
    found: dict[str, str] = {}
    for output in config.outputs:
        if output.emitter == _PYTHON:
            for name, package in _packages(output, _registries(model, config, output)).items():
                found.setdefault(name, package)
    for registry in model.registries:
        found.setdefault(registry.name, _installed(registry.name))
    return found


def _batches(
    model: Model,
    config: Config,
    output: Output,
    everywhere: Mapping[str, str],
    report: Report,
) -> Iterator[Batch]:
    try:
        emitter = plugins.emitter(output.emitter)
    except plugins.UnknownPlugin as error:
        raise ConfigError(str(error)) from error
    registries = _registries(model, config, output)
    if config.only is not None and config.only not in registries:
        return
    own = _packages(output, registries) if output.emitter in _PACKAGES else {}
    target = Target(registries, {**everywhere, **own})
    if isinstance(emitter, Injector):
        pages = _pages(output, config)
        filled = tuple(emitter.inject(model, target, pages, report))
        yield Batch(pages.folder, filled, explicit=output.explicit, alone=True)
        if pages.only is not None:
            return
    artifacts = tuple(emitter.emit(model, target))
    if output.into.suffix:
        yield Batch(
            output.into.parent,
            tuple(Artifact(PurePosixPath(output.into.name), made.text) for made in artifacts),
            explicit=output.explicit,
            alone=True,
        )
    elif config.only is not None and len(registries) > 1:
        below = tuple(_below(artifacts, config.only))
        yield Batch(output.into / config.only, below, explicit=output.explicit)
    else:
        yield Batch(output.into, artifacts, explicit=output.explicit)


def _others(output: Output, config: Config) -> tuple[Path, ...]:
    more = () if config.only is None else config.outputs
    return tuple(one.into for one in (*config.left_out, *more) if one is not output)


def _pages(output: Output, config: Config) -> Pages:
    """Return where an output may fill parts of pages: in its folder, or the one page it names."""
    if output.into.suffix:
        return Pages(output.into.parent, config.root, output.into.name)
    return Pages(output.into, config.root)


def _below(artifacts: tuple[Artifact, ...], registry: str) -> Iterator[Artifact]:
    for made in artifacts:
        if made.path.parts[0] == registry:
            yield Artifact(made.path.relative_to(registry), made.text)


def _registries(model: Model, config: Config, output: Output) -> tuple[str, ...]:
    """Return what an output is of: what it names, else all that lies among the specs.

    Of a single registry that is our own and others that are not, only the former.
    """
    names = [registry.name for registry in model.registries]
    if output.registries is not None:
        for name in output.registries:
            _known(name, names)
        return tuple(name for name in names if name in output.registries)
    owned = [registry.name for registry in model.owned]
    if len(owned) == 1:
        return tuple(owned)
    return tuple(
        registry.name for registry in model.registries if _is_among(registry.folder, config)
    )


def _is_among(folder: str, config: Config) -> bool:
    return (config.root / folder).is_relative_to(config.specs)


def _packages(output: Output, registries: tuple[str, ...]) -> dict[str, str]:
    package = output.package or output.into.name
    if len(registries) == 1:
        return {registries[0]: package}
    return {name: f"{package}.{name}" for name in registries}


def _importable(output: Output, registries: tuple[str, ...]) -> None:
    """Refuse a package that no `import` could name.

    Raises:
        ConfigError: If a part of its name is no identifier, or a word of the language.
    """
    if output.emitter not in _PACKAGES:
        return
    for package in {output.package or output.into.name, *_packages(output, registries).values()}:
        if not all(
            part.isidentifier() and not keyword.iskeyword(part) for part in package.split(".")
        ):
            said = "`--package`" if output.explicit else "`package`"
            raise ConfigError(f"`{package}` cannot be imported; give another name with {said}")


def _installed(registry: str) -> str:
    """Return the package that an installed registry says it is imported as."""
    spec = importlib.util.find_spec(_INSTALLED)
    for place in (None if spec is None else spec.submodule_search_locations) or ():
        file = Path(place) / registry / "_registry.json"
        if file.is_file():
            said = cast("dict[str, object]", json.loads(file.read_text(encoding="utf-8")))
            return str(said.get("package", f"{_INSTALLED}.{registry}"))
    return f"{_INSTALLED}.{registry}"


def _known(name: str, names: list[str]) -> None:
    if name not in names:
        hint = did_you_mean(name, names) or f"there are {', '.join(names)}"
        raise ConfigError(f"no registry `{name}`; {hint}")
