"""The names that generated modules import; nothing else may change under them.

A name here is removed, or changes its meaning, only in a new major version. Each is loaded when a
module first asks for it, so that a process pays for the kinds of things its topics have.
"""

from sys import modules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from telewright._configuration import Configuration
    from telewright._enum import OpenEnum, StrEnum, member
    from telewright._enum_numbers import IntEnum, OpenIntEnum
    from telewright._events import log_event
    from telewright._expand import deprecated, drop, expand
    from telewright._group import LOGS, METRICS, TRACES, Group, Registry, Resource, opens, requires
    from telewright._instrument import Counter, Gauge, Histogram, OnceCounter, UpDownCounter
    from telewright._linked import Linking, linked
    from telewright._linked import Links as Links  # noqa: PLC0414 - as `Point`
    from telewright._measured import ErrorCodes, Measured, Outcomes
    from telewright._observable import ObservableCounter, ObservableGauge, ObservableUpDownCounter
    from telewright._observable import Point as Point  # noqa: PLC0414 - only annotations need it
    from telewright._sensitive import content, mask, personal, truncate
    from telewright._setting import Setting
    from telewright._source import Source
    from telewright._span import OFF, SCOPE_OFF, Scope, Span, given, off, pick, propagated
    from telewright._variants import Announced, Leaf, LinkedRoot, Owner, Reclassified, Root, moved
    from telewright._when_done import Completion as Completion  # noqa: PLC0414 - as `Point`
    from telewright._when_done import Result as Result  # noqa: PLC0414 - as `Point`
else:
    _HOMES = {
        "_configuration": ("Configuration",),
        "_enum": ("OpenEnum", "StrEnum", "member"),
        "_enum_numbers": ("IntEnum", "OpenIntEnum"),
        "_events": ("log_event",),
        "_expand": ("deprecated", "drop", "expand"),
        "_group": (
            "Group",
            "LOGS",
            "METRICS",
            "Registry",
            "Resource",
            "TRACES",
            "opens",
            "requires",
        ),
        "_instrument": ("Counter", "Gauge", "Histogram", "OnceCounter", "UpDownCounter"),
        "_linked": ("Linking", "linked"),
        "_measured": ("ErrorCodes", "Measured", "Outcomes"),
        "_observable": ("ObservableCounter", "ObservableGauge", "ObservableUpDownCounter"),
        "_sensitive": ("content", "mask", "personal", "truncate"),
        "_setting": ("Setting",),
        "_source": ("Source",),
        "_span": ("OFF", "SCOPE_OFF", "Scope", "Span", "given", "off", "pick", "propagated"),
        "_variants": ("Announced", "Leaf", "LinkedRoot", "Owner", "Reclassified", "Root", "moved"),
    }

    def __getattr__(name):  # noqa: ANN001, ANN202 - the other branch has the types
        """Load the module that *name* lives in; its names are plain globals of this one then."""
        for home, names in _HOMES.items():
            if name in names:
                __import__(f"telewright.{home}")
                module = modules[f"telewright.{home}"]
                globals().update((key, getattr(module, key)) for key in names)
                return globals()[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "LOGS",
    "METRICS",
    "OFF",
    "SCOPE_OFF",
    "TRACES",
    "Announced",
    "Configuration",
    "Counter",
    "ErrorCodes",
    "Gauge",
    "Group",
    "Histogram",
    "IntEnum",
    "Leaf",
    "LinkedRoot",
    "Linking",
    "Measured",
    "ObservableCounter",
    "ObservableGauge",
    "ObservableUpDownCounter",
    "OnceCounter",
    "OpenEnum",
    "OpenIntEnum",
    "Outcomes",
    "Owner",
    "Reclassified",
    "Registry",
    "Resource",
    "Root",
    "Scope",
    "Setting",
    "Source",
    "Span",
    "StrEnum",
    "UpDownCounter",
    "content",
    "deprecated",
    "drop",
    "expand",
    "given",
    "linked",
    "log_event",
    "mask",
    "member",
    "moved",
    "off",
    "opens",
    "personal",
    "pick",
    "propagated",
    "requires",
    "truncate",
]
