"""Switches: the booleans that decide whether anything costs anything."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from opentelemetry.metrics import Meter
    from opentelemetry.trace import Tracer

    from telewright._instrument import Instrument


class Switch:
    """One boolean of the whole process, read as a plain slot."""

    __slots__ = ("on",)

    def __init__(self) -> None:
        self.on = False


TRACES: Final = Switch()
"""On while traces export."""

METRICS: Final = Switch()
"""On while metrics export, whatever the span groups say."""


class Group:
    """A span group: what a person switches on and off."""

    __slots__ = ("chosen", "name", "on", "timed", "tracer")

    tracer: Tracer
    """Where its spans come from; set before `on` becomes true."""

    def __init__(self, name: str) -> None:
        self.name: Final = name
        self.chosen = False
        self.on = False
        """Whether spans of this group are recorded: it is chosen, and traces export."""
        self.timed = False
        """Whether they are recorded or at least timed: `on`, or metrics export."""

    def __repr__(self) -> str:
        return f"<Group {self.name} {'on' if self.on else 'off'}>"

    def refresh(self) -> None:
        """Bring the switches in line with what is chosen and what exports."""
        self.on = self.chosen and TRACES.on
        self.timed = self.on or METRICS.on


class Registry:
    """One registry of specs at run time: its groups, presets, instruments, and its scope."""

    __slots__ = ("groups", "instruments", "meter", "name", "presets", "schema_url", "version")

    def __init__(self, name: str, *, version: str, schema_url: str | None = None) -> None:
        self.name: Final = name
        self.version: Final = version
        self.schema_url: Final = schema_url
        self.groups: Final[list[Group]] = []
        self.presets: Final[dict[str, tuple[Group, ...]]] = {}
        self.instruments: Final[list[Instrument]] = []
        self.meter: Meter | None = None
        REGISTRIES[name] = self

    @property
    def scope(self) -> str:
        """The instrumentation scope that its spans and metrics report under."""
        return f"telewright.{self.name}"

    def group(self, name: str) -> Group:
        """Declare a span group."""
        group = Group(f"{self.name}.{name}")
        self.groups.append(group)
        return group

    def preset(self, name: str, *groups: Group) -> None:
        """Declare a preset; it reaches groups of this registry and no other."""
        self.presets[name] = groups

    def ready(self) -> None:
        """All is declared: join the telemetry of this process if that has started."""
        for adopt in tuple(ADOPTERS):
            adopt(self)


REGISTRIES: Final[dict[str, Registry]] = {}
"""Every registry imported so far, by name."""

ADOPTERS: Final[list[Callable[[Registry], None]]] = []
"""Filled while telemetry runs, so that a registry imported later joins it."""
