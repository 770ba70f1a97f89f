"""``[tool.telewright]`` in pyproject.toml, or telewright.toml: what to read and what to write."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from telewright_codegen.nearest import nearest

DEFAULT_SPECS: Final = "specs"

_KEYS: Final = ("specs", "rules", "output")
_RULES_KEYS: Final = ("ignore", "select")
_OUTPUT_KEYS: Final = ("emitter", "into", "package", "registries")


class ConfigError(Exception):
    """The configuration cannot be used; the message says why, and where."""


class UnreadableConfigError(ConfigError):
    """The configuration's file cannot be read, or is no text."""


@dataclass(frozen=True, slots=True)
class Output:
    """One thing to write."""

    emitter: str
    into: Path
    """A folder, or a file for emitters that write just one."""
    package: str | None = None
    """What generated Python is imported as; the folder's name where left out."""
    registries: tuple[str, ...] | None = None
    """Which registries; all, where left out."""
    explicit: bool = False
    """Whether a person named it for this run, and so may lead it out of the project."""


@dataclass(frozen=True, slots=True)
class Config:
    """What one run reads and writes."""

    root: Path
    """The folder that names in headers and diagnostics are relative to."""
    specs: Path
    file: Path | None = None
    """Where this was read from; None where nothing is configured."""
    outputs: tuple[Output, ...] = ()
    select: tuple[str, ...] = ()
    """Codes, or starts of them, to report; all, where empty."""
    ignore: tuple[str, ...] = ()
    """Codes, or starts of them, not to report. Errors of loading and resolving stay."""
    only: str | None = None
    """The one registry to write."""


def find(start: Path) -> Path | None:
    """Return the configuration nearest to *start*, looking upward."""
    file = nearest(str(start))
    return None if file is None else Path(file)


def default(specs: Path) -> Config:
    """Return the configuration of specs that nothing is configured for."""
    return Config(root=specs.parent, specs=specs)


def read(file: Path) -> Config:
    """Read a configuration; raise `ConfigError` for anything that does not fit."""
    table = _section(file, _toml(file))
    _known(file, "", table, _KEYS)
    rules = _table(file, "rules", table.get("rules", {}))
    _known(file, "rules.", rules, _RULES_KEYS)
    outputs = table.get("output", [])
    if not isinstance(outputs, list):
        raise ConfigError(f"{file}: `output` must be an array of tables, `[[output]]`")
    return Config(
        root=file.parent,
        specs=file.parent / _text(file, "specs", table.get("specs", DEFAULT_SPECS)),
        file=file,
        outputs=tuple(_output(file, entry) for entry in cast("list[object]", outputs)),
        select=_texts(file, "rules.select", rules.get("select", [])),
        ignore=_texts(file, "rules.ignore", rules.get("ignore", [])),
    )


def _toml(file: Path) -> dict[str, object]:
    import tomllib  # noqa: PLC0415  a run with nothing to do reads no TOML

    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(f"{file} cannot be read: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableConfigError(f"{file} cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{file} is not TOML: {error}") from error


def _section(file: Path, table: dict[str, object]) -> dict[str, object]:
    if file.name != "pyproject.toml":
        return table
    tool = _table(file, "tool", table.get("tool", {}))
    return _table(file, "tool.telewright", tool.get("telewright", {}))


def _output(file: Path, entry: object) -> Output:
    table = _table(file, "output", entry)
    _known(file, "output.", table, _OUTPUT_KEYS)
    for key in ("emitter", "into"):
        if key not in table:
            raise ConfigError(f"{file}: an `[[output]]` has no `{key}`")
    package, registries = table.get("package"), table.get("registries")
    return Output(
        emitter=_text(file, "output.emitter", table["emitter"]),
        into=file.parent / _text(file, "output.into", table["into"]),
        package=None if package is None else _text(file, "output.package", package),
        registries=None if registries is None else _texts(file, "output.registries", registries),
    )


def _known(file: Path, prefix: str, table: dict[str, object], keys: tuple[str, ...]) -> None:
    for key in table:
        if key not in keys:
            from telewright_codegen.suggest import did_you_mean  # noqa: PLC0415  only for errors

            hint = did_you_mean(key, keys)
            raise ConfigError(
                f"{file}: unknown key `{prefix}{key}`" + (f"; {hint}" if hint else "")
            )


def _table(file: Path, key: str, value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise ConfigError(f"{file}: `{key}` must be a table")
    return cast("dict[str, object]", value)


def _text(file: Path, key: str, value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ConfigError(f"{file}: `{key}` must be text")
    return value


def _texts(file: Path, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ConfigError(f"{file}: `{key}` must be a list of texts")
    return tuple(_text(file, key, entry) for entry in cast("list[object]", value))
