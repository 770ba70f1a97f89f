"""Emitters, rules and registries that other distributions bring: found when they are asked for.

What is built in is a literal table and costs nothing; the entry points of installed distributions
are read only where a name is not in it.
"""

from __future__ import annotations

import importlib
import importlib.util
from functools import partial
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final, cast

from telewright_codegen.guard import Plugin, PluginError
from telewright_codegen.suggest import did_you_mean

if TYPE_CHECKING:
    from telewright_codegen.emit.emitter import Emitter

EMITTERS: Final = "telewright.emitters"
"""Entry points that are classes with the shape of `emit.emitter.Emitter`."""
RULES: Final = "telewright.rules"
"""Entry points that are modules which declare rules when they are imported."""
REGISTRIES: Final = "telewright.registries"
"""Entry points that are packages whose folder is a registry; the package is not imported."""

BUILT_IN: Final = {
    "json": "telewright_codegen.emit.registry_json:RegistryJsonEmitter",
    "jsonschema": "telewright_codegen.emit.jsonschema:JsonSchemaEmitter",
    "markdown": "telewright_codegen.emit.markdown.emitter:MarkdownEmitter",
    "otel-python": "telewright_codegen.emit.otel_python.emitter:OtelPythonEmitter",
    "otel-schema": "telewright_codegen.emit.otel_schema:OtelSchemaEmitter",
    "python": "telewright_codegen.emit.python.emitter:PythonEmitter",
    "show-schema": "telewright_codegen.describe.schema:ShowSchemaEmitter",
    "tables": "telewright_codegen.emit.markdown.inject:TablesEmitter",
    "semconv": "telewright_codegen.emit.semconv.emitter:SemconvEmitter",
    "reference": "telewright_codegen.emit.reference:ReferenceEmitter",
    "weaver": "telewright_codegen.emit.weaver.emitter:WeaverEmitter",
}
"""Our own emitters."""

_PACKAGE: Final = Path(__file__).parent
_SPECS: Final = (_PACKAGE / "specs", _PACKAGE.parents[1] / "specs")
"""Where our registries are: in an installed package, in a checkout."""
_BROKEN: Final = "cannot be loaded"


class UnknownPlugin(PluginError):  # noqa: N818  reads as what it is: `except UnknownPlugin`
    """Nobody offers this name."""


def emitter(name: str) -> Emitter:
    """Return a new emitter called *name*.

    Raises:
        UnknownPlugin: Nobody offers it.
        PluginError: Two distributions do, or the one that does is broken.
    """
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        made = getattr(importlib.import_module(module), attribute)
        return cast("Emitter", made())
    offers = _offers(EMITTERS)
    if name not in offers:
        known = sorted({*BUILT_IN, *offers})
        hint = did_you_mean(name, known) or f"there are {', '.join(known)}"
        raise UnknownPlugin(f"no emitter `{name}`; {hint}")
    return _guarded(_one(name, offers[name], kind="emitter"))


def _guarded(entry: metadata.EntryPoint) -> Emitter:
    """Return a plug-in's emitter; it has `inject` only if the plug-in's has it."""
    from telewright_codegen.emit.emitter import Artifact, Injector  # noqa: PLC0415  rarely needed

    plugin = _plugin(entry, kind="emitter")
    with plugin.blamed(_BROKEN):
        loaded = cast("object", entry.load())
        made = cast("Emitter", loaded() if isinstance(loaded, type) else loaded)
        if not callable(getattr(made, "emit", None)):
            raise TypeError("it has no `emit`")
        guarded = SimpleNamespace(
            name=entry.name, emit=partial(plugin.yielded, Artifact, made.emit)
        )
        if isinstance(made, Injector):
            guarded.inject = partial(plugin.yielded, Artifact, made.inject)
    return cast("Emitter", guarded)


def registry(name: str) -> Path | None:
    """Return the folder of the registry called *name*: one that is installed, else one of ours.

    Raises:
        PluginError: Two distributions bring it, or the folder is not there.
    """
    offers = _offers(REGISTRIES)
    if name not in offers:
        return _built_in(name)
    entry = _one(name, offers[name], kind="registry")
    plugin = _plugin(entry, kind="registry")
    with plugin.blamed(_BROKEN):
        found = importlib.util.find_spec(entry.module)
    places = [] if found is None else list(found.submodule_search_locations or ())
    for place in places:
        if (Path(place) / "registry.yaml").is_file():
            return Path(place)
    raise PluginError(f"{plugin.name} has no `registry.yaml` in `{entry.module}`")


def _built_in(name: str) -> Path | None:
    folders = (folder / name for folder in _SPECS if name.isidentifier())
    return next((folder for folder in folders if (folder / "registry.yaml").is_file()), None)


def rules() -> tuple[tuple[Plugin, object], ...]:
    """Return what installed distributions bring as rules, and who, in the order of their names.

    Raises:
        PluginError: Two distributions bring one name, or one is broken.
    """
    offers = _offers(RULES)
    entries = [_one(name, offers[name], kind="rule set") for name in sorted(offers)]
    found: list[tuple[Plugin, object]] = []
    for entry in entries:
        plugin = _plugin(entry, kind="rule set")
        with plugin.blamed(_BROKEN):
            found.append((plugin, entry.load()))
    return tuple(found)


def _offers(group: str) -> dict[str, list[metadata.EntryPoint]]:
    """Return the entry points of *group* by name; one installed twice over itself counts once."""
    found: dict[str, dict[tuple[str, str], metadata.EntryPoint]] = {}
    for entry in metadata.entry_points(group=group):
        found.setdefault(entry.name, {}).setdefault((_project(entry), entry.value), entry)
    return {name: list(entries.values()) for name, entries in found.items()}


def _one(name: str, entries: list[metadata.EntryPoint], *, kind: str) -> metadata.EntryPoint:
    if len(entries) == 1:
        return entries[0]
    brought = " and ".join(sorted(map(_distribution, entries)))
    raise PluginError(f"{kind} `{name}` is brought by {brought}; uninstall one of them")


def _plugin(entry: metadata.EntryPoint, *, kind: str) -> Plugin:
    package = entry.value.partition(":")[0].partition(".")[0]
    return Plugin(f"{kind} `{entry.name}` of {_distribution(entry)}", package.strip())


def _project(entry: metadata.EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else ""


def _distribution(entry: metadata.EntryPoint) -> str:
    if entry.dist is None:
        return f"`{entry.value}`"
    return f"`{entry.dist.name}` {entry.dist.version}"
