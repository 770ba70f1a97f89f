"""``[tool.telewright]`` in pyproject.toml, or telewright.toml: what to read and what to write."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple, cast

from telewright_codegen.nearest import nearest

DEFAULT_SPECS: Final = "specs"

_KEYS: Final = ("specs", "rules", "output")
_RULES_KEYS: Final = ("ignore", "select")
_OUTPUT_KEYS: Final = ("emitter", "into", "package", "registries")


class ConfigError(Exception):
    """The configuration cannot be used; the message says why."""

    def __init__(self, message: str, text: str = "", at: tuple[int, int, int] = (1, 1, 1)) -> None:
        super().__init__(message)
        self.text = text
        """What the file holds; empty where nothing could be read, or what is wrong is no file."""
        self.line, self.column, self.width = at


class UnreadableConfigError(ConfigError):
    """The configuration's file cannot be read, or is no text."""


class Output(NamedTuple):
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


class Config(NamedTuple):
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
    left_out: tuple[Output, ...] = ()
    """What is configured and no part of this run, for a person named another output."""


def find(start: Path) -> Path | None:
    """Return the configuration nearest to *start*, looking upward."""
    file = nearest(str(start))
    return None if file is None else Path(file)


def default(specs: Path) -> Config:
    """Return the configuration of specs that nothing is configured for."""
    return Config(root=specs.parent, specs=specs)


def read(file: Path) -> Config:
    """Read a configuration; raise `ConfigError` for anything that does not fit."""
    source = _Source(file, _text_of(file))
    table = source.section()
    source.known((), table, _KEYS)
    rules = source.table(("rules",), table.get("rules", {}))
    source.known(("rules",), rules, _RULES_KEYS)
    outputs = table.get("output", [])
    if not isinstance(outputs, list):
        raise source.wrong("`output` must be an array of tables, `[[output]]`", "output")
    specs = source.string(("specs",), table.get("specs", DEFAULT_SPECS))
    return Config(
        root=file.parent,
        specs=file.parent / specs,
        file=file,
        outputs=tuple(
            _output(source, entry, index)
            for index, entry in enumerate(cast("list[object]", outputs))
        ),
        select=source.strings(("rules", "select"), rules.get("select", [])),
        ignore=source.strings(("rules", "ignore"), rules.get("ignore", [])),
    )


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise ConfigError(f"{file} cannot be read: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableConfigError(f"{file} cannot be read: {error}") from error


def _output(source: _Source, entry: object, index: int) -> Output:
    table = source.table(("output",), entry, index)
    source.known(("output",), table, _OUTPUT_KEYS, index)
    for key in ("emitter", "into"):
        if key not in table:
            raise source.wrong(f"an `[[output]]` has no `{key}`", "output", index=index)
    package, registries = table.get("package"), table.get("registries")
    return Output(
        emitter=source.string(("output", "emitter"), table["emitter"], index),
        into=source.file.parent / source.string(("output", "into"), table["into"], index),
        package=None if package is None else source.string(("output", "package"), package, index),
        registries=None
        if registries is None
        else source.strings(("output", "registries"), registries, index),
    )


class _Source(NamedTuple):
    """A configuration's text, for saying where something is wrong."""

    file: Path
    text: str

    def section(self) -> dict[str, object]:
        """Return what the file says to us."""
        import tomllib  # noqa: PLC0415  a run with nothing to do reads no TOML

        try:
            table: dict[str, object] = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            raise self._not_toml(str(error)) from error
        if self.file.name != "pyproject.toml":
            return table
        tool = self.table(("tool",), table.get("tool", {}))
        return self.table(("tool", "telewright"), tool.get("telewright", {}))

    def known(
        self,
        above: tuple[str, ...],
        table: dict[str, object],
        keys: tuple[str, ...],
        index: int = 0,
    ) -> None:
        """Refuse keys that mean nothing."""
        for key in table:
            if key not in keys:
                from telewright_codegen.suggest import did_you_mean  # noqa: PLC0415  for errors

                hint = did_you_mean(key, keys)
                shown = ".".join((*above, key))
                raise self.wrong(
                    f"unknown key `{shown}`" + (f"; {hint}" if hint else ""),
                    *above,
                    key,
                    index=index,
                )

    def table(self, path: tuple[str, ...], value: object, index: int = 0) -> dict[str, object]:
        """Return a value that must be a table."""
        if not isinstance(value, dict):
            raise self.wrong(f"`{'.'.join(path)}` must be a table", *path, index=index)
        return cast("dict[str, object]", value)

    def string(self, path: tuple[str, ...], value: object, index: int = 0) -> str:
        """Return a value that must be text."""
        if not isinstance(value, str) or not value:
            raise self.wrong(f"`{'.'.join(path)}` must be text", *path, index=index)
        return value

    def strings(self, path: tuple[str, ...], value: object, index: int = 0) -> tuple[str, ...]:
        """Return a value that must be a list of texts."""
        if not isinstance(value, list):
            raise self.wrong(f"`{'.'.join(path)}` must be a list of texts", *path, index=index)
        return tuple(self.string(path, entry, index) for entry in cast("list[object]", value))

    def wrong(self, message: str, *path: str, index: int = 0) -> ConfigError:
        """Return the error about the key at *path*, of the table that is number *index* there."""
        return ConfigError(message, self.text, self._place(path, index))

    def _not_toml(self, message: str) -> ConfigError:
        lines = self.text.splitlines() or [""]
        said = _AT.search(message)
        line = int(said[1]) if said else len(lines)
        column = int(said[2]) if said else len(lines[-1]) or 1
        return ConfigError(f"not TOML: {_AT_OR_END.sub('', message)}", self.text, (line, column, 1))

    def _place(self, path: tuple[str, ...], index: int) -> tuple[int, int, int]:
        """Return line, column and width of the key, or of the nearest thing above that is there."""
        best, length, seen = (1, 1, 1), 0, -1
        table: tuple[str, ...] = ()
        for number, line in enumerate(self.text.splitlines(), 1):
            head, key = _HEAD.match(line), _KEY.match(line)
            found = head or key
            if found is None:
                continue
            if head is not None:
                table = _path(head[1])
                seen += table == path[:1]
            said = table if head is not None else (*table, *_path(found[1]))
            fits = said == path[: len(said)] and (len(said) < 2 or seen in {-1, index})  # noqa: PLR2004  below a table
            if fits and (len(said) > length or (len(said) == length and seen == index)):
                best = (number, found.start(1) + 1, len(found[1]))
                length = len(said)
        return best


_HEAD: Final = re.compile(r"\s*\[\[?\s*([^\]#]+?)\s*\]")
_KEY: Final = re.compile(r"\s*([A-Za-z0-9_.\"'-]+)\s*=")
_AT: Final = re.compile(r"at line (\d+), column (\d+)")
_AT_OR_END: Final = re.compile(r" \(at [^)]*\)$")


def _path(said: str) -> tuple[str, ...]:
    """Return the parts of a key or a header, those of our section alone."""
    parts = tuple(part.strip().strip("\"'") for part in said.split("."))
    return parts[2:] if parts[:2] == ("tool", "telewright") else parts
