"""Colours, on terminals that want them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

_ERROR: Final = "1;31"
_WARNING: Final = "1;33"
_FRAME: Final = "1;34"
_STRONG: Final = "1"


class Style(NamedTuple):
    """Paints parts of a text, or leaves them as they are."""

    colour: bool = False

    def severity(self, severity: str, text: str) -> str:
        """Return a text about a finding."""
        return self._painted(_ERROR if severity == "error" else _WARNING, text)

    def frame(self, text: str) -> str:
        """Return a line number, an arrow or what concerns the second place."""
        return self._painted(_FRAME, text)

    def strong(self, text: str) -> str:
        """Return a text that stands out."""
        return self._painted(_STRONG, text)

    def _painted(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text


def wanted(choice: str, stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Return whether to write in colour: what was asked for, else what the terminal can do."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb"
