"""What generated packages declare, and the switches that decide whether it costs anything."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Final, TypeVar

    from opentelemetry.trace import Tracer
    from opentelemetry.util.types import AttributeValue

    from telewright._instrument import Instrument
    from telewright._span import Span

    S = TypeVar("S", bound=Callable[..., Span])


VERSION: Final = "0.1.0"

PACKAGES: Final[list[str]] = []
"""Every generated package imported so far."""


def requires(version: str, package: str) -> None:
    """Refuse to import *package* on a runtime that is older than *version* or of another major.

    Raises:
        ImportError: With one line that says what is there and what to do.
    """
    wanted, found = _numbers(version), _numbers(VERSION)
    if found[0] == wanted[0] and found >= wanted:
        PACKAGES.append(package)
        return
    upper = f",<{wanted[0] + 1}" if found[0] > wanted[0] else ""
    raise ImportError(
        f"{package} needs telewright {version} or a later {wanted[0]}.x, found {VERSION}: "
        f"pip install -U 'telewright>={version}{upper}'"
    )


def _numbers(version: str) -> tuple[int, ...]:
    """Return the leading numbers of a version, without what marks a pre-release."""
    numbers: list[int] = []
    for part in version.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        numbers.append(int(digits))
        if digits != part:
            break
    return tuple(numbers) or (0,)


class Switch:
    """One boolean of the whole process, read as a plain slot."""

    __slots__ = ("on",)

    def __init__(self) -> None:
        self.on = False


TRACES: Final = Switch()
"""On while traces export."""

METRICS: Final = Switch()
"""On while metrics export, whatever the span groups say."""

LOGS: Final = Switch()
"""On while log records are exported, or recorded by a test."""

READING: Final = Switch()
"""On while observable instruments are read: with `METRICS`, and once more as telemetry ends."""


class Group:
    """A span group: what a person switches on and off."""

    __slots__ = (
        "bucket",
        "chosen",
        "name",
        "on",
        "reached",
        "registry",
        "targets",
        "timed",
        "tracer",
        "umbrella",
    )

    tracer: Tracer
    """Where its spans come from; set before `on` becomes true."""

    def __init__(
        self, registry: Registry, name: str, *, umbrella: bool = False, bucket: str | None = None
    ) -> None:
        self.registry: Final = registry
        self.name: Final = f"{registry.name}.{name}"
        self.umbrella: Final = umbrella
        """Whether its spans contain others, so that their time counts towards nothing."""
        self.bucket: Final = bucket
        """What the time of its spans counts towards, where nothing else is said."""
        self.targets: tuple[Group, ...] = ()
        """The groups that scopes may move its spans to."""
        self.chosen = False
        self.on = False
        """Whether spans of this group are recorded: it is chosen, and traces export."""
        self.reached = False
        """Whether they may be: it is on, or a group that a scope may move them to is."""
        self.timed = False
        """Whether they may be recorded or timed: `reached`, or metrics export."""

    def __repr__(self) -> str:
        return f"<Group {self.name} {'on' if self.on else 'off'}>"

    def refresh(self) -> None:
        """Bring the switches in line with what is chosen and what exports."""
        self.on = self.chosen and TRACES.on
        for group in (self, *self.registry.groups) if self in self.registry.targets else (self,):
            group.reached = group.on or any(target.on for target in group.targets)
            group.timed = group.reached or METRICS.on


class Registry:
    """One registry of specs at run time: its groups, presets, instruments, and its scope."""

    __slots__ = (
        "bucket",
        "groups",
        "instruments",
        "joins",
        "name",
        "presets",
        "schema_url",
        "targets",
        "version",
    )

    def __init__(
        self,
        name: str,
        *,
        version: str,
        schema_url: str | None = None,
        bucket: str | None = None,
    ) -> None:
        self.name: Final = name
        self.version: Final = version
        self.schema_url: Final = schema_url
        self.bucket: Final = bucket
        """The attribute that says what the time of a span counts towards."""
        self.groups: Final[list[Group]] = []
        self.targets: tuple[Group, ...] = ()
        """The groups that scopes may move spans to."""
        self.presets: Final[dict[str, tuple[Group, ...]]] = {}
        self.instruments: Final[list[Instrument]] = []
        self.joins: Callable[[Instrument], None] | None = None
        """What makes an instrument that is declared from now on; None while metrics go nowhere."""
        REGISTRIES[name] = self

    @property
    def scope(self) -> str:
        """The instrumentation scope that its spans and metrics report under."""
        return f"telewright.{self.name}"

    def group(self, name: str, *, umbrella: bool = False, bucket: str | None = None) -> Group:
        """Declare a span group."""
        group = Group(self, name, umbrella=umbrella, bucket=bucket)
        self.groups.append(group)
        return group

    def moves(self, *targets: Group) -> None:
        """Declare that scopes may move spans of any group to *targets*."""
        self.targets = targets
        for group in self.groups:
            group.targets = tuple(target for target in targets if target is not group)

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


class Resource:
    """What is true of a whole process; `telewright.start` takes it."""

    __slots__ = ("attributes", "name")

    def __init__(self, name: str, attributes: Mapping[str, AttributeValue | None]) -> None:
        self.name: Final = name
        self.attributes: Final[dict[str, AttributeValue]] = {
            key: value for key, value in attributes.items() if value is not None
        }

    def __repr__(self) -> str:
        return f"<Resource {self.name} {self.attributes}>"


GATES: Final[dict[object, Group]] = {}
"""The gate that each generated span function reads which `traced` may be given."""


def opens(group: Group) -> Callable[[S], S]:
    """Remember which gate a generated span function reads, so that `traced` need not call it."""

    def remember(function: S) -> S:
        GATES[function] = group
        return function  # pyright: ignore[reportUnknownVariableType] - it is what it was

    return remember
