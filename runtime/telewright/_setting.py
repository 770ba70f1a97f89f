"""One setting: where a person says it, and what its text becomes."""

from __future__ import annotations

import os
from collections.abc import Mapping

from telewright._environment import FALSE, TRUE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    Value = str | int | float | bool | tuple[str, ...]

_KINDS: Final = {
    "boolean": "true or false",
    "int": "a whole number",
    "double": "a number",
    "seconds": "a number of seconds",
    "string": "text",
    "path": "a path",
    "string[]": "texts separated by commas",
}
_LONGEST: Final = 60
"""Characters of a value that a message quotes."""


class Setting:
    """One thing that a person configures, as its spec declares it.

    Args:
        name: The attribute of the settings.
        kind: The type, in the words of the specs.
        env: The variables that set it, the one that wins first.
        config: Where it stands in a configuration file, dotted.
        default: The value where nobody sets it.
        start: What it is to `telewright.start`: an argument, or ``enabled``.
        internal: Whether its value is for nobody's eyes.
        deprecated: Why it no longer does anything.
        renamed_to: The setting that took its place.
    """

    __slots__ = (
        "config",
        "default",
        "deprecated",
        "env",
        "internal",
        "kind",
        "name",
        "renamed_to",
        "start",
    )

    def __init__(  # noqa: PLR0913 - what a spec can say of one
        self,
        name: str,
        kind: str,
        *,
        env: tuple[str, ...] = (),
        config: str | None = None,
        default: Value | None = None,
        start: str | None = None,
        internal: bool = False,
        deprecated: str | None = None,
        renamed_to: str | None = None,
    ) -> None:
        self.name: Final = name
        self.kind: Final = kind
        self.env: Final = env
        self.config: Final = config
        self.default: Final = default
        self.start: Final = start
        self.internal: Final = internal
        self.deprecated: Final = deprecated
        self.renamed_to: Final = renamed_to

    def find(
        self, mapping: Mapping[str, object], environ: Mapping[str, str]
    ) -> tuple[str, object] | None:
        """Return where it is said and what is said there; None where nobody says it.

        An empty variable says nothing, as in OpenTelemetry; neither does a field that is null.

        Raises:
            ValueError: If something on the way to the field is no mapping; it names it.
        """
        for variable in self.env:
            text = environ.get(variable, "").strip()
            if text:
                return variable, text
        if self.config is None:
            return None
        said: object = mapping
        above = ""
        for part in self.config.split("."):
            if said is None:
                return None
            if not isinstance(said, Mapping):
                raise ValueError(f"{above or 'the configuration'} must be a mapping")  # noqa: TRY004 - a value is wrong
            said = said.get(part)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType] - anybody's
            above = f"{above}.{part}" if above else part
        return None if said is None else (self.config, said)  # pyright: ignore[reportUnknownVariableType] - as above

    def read(self, where: str, said: object) -> Value:
        """Return what *said* means.

        Raises:
            ValueError: If that is no value of this setting; it names *where* it was said.
        """
        value = _READERS[self.kind](said)
        if value is None:
            shown = "" if self.internal else f", not {repr(said)[:_LONGEST]}"
            raise ValueError(f"{where} must be {_KINDS[self.kind]}{shown}")
        return value

    def write(self, value: Value) -> str:
        """Return *value* as text that a variable can hold."""
        if isinstance(value, tuple):
            return ",".join(value)
        return str(value).lower() if isinstance(value, bool) else str(value)


def _boolean(said: object) -> bool | None:
    if isinstance(said, bool):
        return said
    text = said.lower() if isinstance(said, str) else ""
    return True if text in TRUE else False if text in FALSE else None


def _int(said: object) -> int | None:
    try:
        return int(said) if isinstance(said, (int, str)) and not isinstance(said, bool) else None
    except ValueError:
        return None


def _double(said: object) -> float | None:
    if isinstance(said, bool) or not isinstance(said, (int, float, str)):
        return None
    try:
        value = float(said)
    except (ValueError, OverflowError):
        return None
    return value if value - value == 0.0 else None  # neither infinite nor no number


def _seconds(said: object) -> float | None:
    value = _double(said)
    return value if value is not None and value >= 0.0 else None


def _string(said: object) -> str | None:
    if isinstance(said, str):
        return said
    # What YAML takes for a number was meant as text.
    return str(said) if isinstance(said, (int, float)) and not isinstance(said, bool) else None


def _path(said: object) -> str | None:
    found = os.fspath(said) if isinstance(said, os.PathLike) else said  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] - anybody's
    return found if isinstance(found, str) else None


def _strings(said: object) -> tuple[str, ...] | None:
    if isinstance(said, str):
        return tuple(part for one in said.split(",") if (part := one.strip()))
    if not isinstance(said, (list, tuple)):
        return None
    texts = [_string(one) for one in said]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] - anybody's
    found = [text for text in texts if text is not None]
    return tuple(found) if len(found) == len(texts) else None


_READERS: Final = {
    "boolean": _boolean,
    "int": _int,
    "double": _double,
    "seconds": _seconds,
    "string": _string,
    "path": _path,
    "string[]": _strings,
}
