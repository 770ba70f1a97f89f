"""Reading environment variables so that a mistake names the variable."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final

TRUE: Final = frozenset({"1", "true", "yes", "on"})
FALSE: Final = frozenset({"0", "false", "no", "off"})


class Environment:
    """The variables of this process, each looked up under a prefix and then another.

    An empty variable counts as one that is not set, as in OpenTelemetry.
    """

    def __init__(
        self,
        prefix: str,
        fallback_prefix: str | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.prefix: Final = prefix
        self._prefixes: Final = [name for name in (prefix, fallback_prefix) if name]
        self._variables: Final = os.environ if variables is None else variables

    def find(self, name: str, *standard: str) -> tuple[str, str] | None:
        """Return variable and text of our *name*, else of the first *standard* one that is set."""
        ours = [f"{prefix}_{name}" for prefix in self._prefixes] if name else []
        for variable in (*ours, *standard):
            text = self._variables.get(variable, "").strip()
            if text:
                return variable, text
        return None

    def text(self, name: str, *standard: str) -> str | None:
        """Return the text of a variable, or None."""
        found = self.find(name, *standard)
        return None if found is None else found[1]

    def flag(self, name: str, *standard: str) -> bool | None:
        """Return a truth value, or None.

        Raises:
            ValueError: If the text is none; it names the variable.
        """
        found = self.find(name, *standard)
        if found is None:
            return None
        variable, text = found
        if text.lower() in TRUE:
            return True
        if text.lower() in FALSE:
            return False
        raise ValueError(f"{variable} must be true or false, not {text!r}")

    def number(self, *standard: str, default: int, least: int = 1) -> int:
        """Return a whole number, or *default*.

        Raises:
            ValueError: If the text is none, or less than *least*; it names the variable.
        """
        found = self.find("", *standard)
        if found is None:
            return default
        variable, text = found
        try:
            value = int(text)
        except ValueError:
            raise ValueError(f"{variable} must be a whole number, not {text!r}") from None
        if value < least:
            raise ValueError(f"{variable} must be {least} or more, not {value}")
        return value

    def word(self, *standard: str, among: tuple[str, ...], default: str) -> str:
        """Return one of the words *among*, or *default*.

        Raises:
            ValueError: If the text is none of them; it names the variable.
        """
        found = self.find("", *standard)
        if found is None:
            return default
        variable, text = found
        if text.lower() not in among:
            raise ValueError(f"{variable} must be one of {', '.join(among)}, not {text!r}")
        return text.lower()

    def pairs(self, name: str) -> dict[str, str]:
        """Return ``key=value,key=value`` as a dictionary.

        Raises:
            ValueError: If a part has no ``=``; it names the variable.
        """
        found = self.find(name)
        if found is None:
            return {}
        variable, text = found
        pairs: dict[str, str] = {}
        for part in filter(None, (part.strip() for part in text.split(","))):
            key, equals, value = part.partition("=")
            if not equals or not key.strip():
                raise ValueError(f"{variable} must be key=value,key=value, not {part!r}")
            pairs[key.strip()] = value.strip()
        return pairs
