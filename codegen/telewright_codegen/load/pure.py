"""PyYAML's own parser, for the few systems whose PyYAML has no libyaml."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

if TYPE_CHECKING:
    from yaml.events import Event


class PureParser(Reader, Scanner, Parser):
    """Yields the events that the C parser does, thirty times as slowly."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)

    def next(self) -> Event | None:
        """Return the next event."""
        event = self.get_event()  # type: ignore[no-untyped-call]  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  PyYAML's stubs do not say
        return cast("Event | None", event)
