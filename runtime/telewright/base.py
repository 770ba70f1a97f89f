"""The names that generated modules import; nothing else may change under them.

A name here is removed, or changes its meaning, only in a new major version. Each is loaded when a
module first asks for it, so that a process pays for the kinds of things its topics have.
"""

from sys import modules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from telewright._block import SCOPE_OFF, Scope, off, propagated
    from telewright._configuration import Configuration
    from telewright._enum import OpenEnum, StrEnum, member
    from telewright._enum_numbers import IntEnum, OpenIntEnum
    from telewright._events import log_event
    from telewright._expand import deprecated, drop, expand
    from telewright._group import LOGS, METRICS, TRACES, Group, Registry, Resource, opens
    from telewright._instrument import Counter, Gauge, Histogram, OnceCounter, UpDownCounter
    from telewright._leaf import Leaf, Reclassified, moved
    from telewright._linked import Linking, linked
    from telewright._linked import Links as Links  # noqa: PLC0414 - as `Point`
    from telewright._measured import ErrorCodes, Measured, Outcomes
    from telewright._observable import ObservableCounter, ObservableGauge, ObservableUpDownCounter
    from telewright._observable import Point as Point  # noqa: PLC0414 - only annotations need it
    from telewright._root import Announced, LinkedRoot, Owner, Root
    from telewright._sensitive import content, mask, personal, truncate
    from telewright._setting import Setting
    from telewright._source import Source
    from telewright._span import OFF, Span, given, pick
    from telewright._version import requires
    from telewright._when_done import Completion as Completion  # noqa: PLC0414 - as `Point`
    from telewright._when_done import Result as Result  # noqa: PLC0414 - as `Point`
else:
    _HOMES = {
        "Announced": "_root",
        "off": "_block",
        "Configuration": "_configuration",
        "IntEnum": "_enum_numbers",
        "OpenEnum": "_enum",
        "OpenIntEnum": "_enum_numbers",
        "StrEnum": "_enum",
        "member": "_enum",
        "deprecated": "_expand",
        "drop": "_expand",
        "expand": "_expand",
        "log_event": "_events",
        "LOGS": "_group",
        "Group": "_group",
        "METRICS": "_group",
        "Registry": "_group",
        "TRACES": "_group",
        "Counter": "_instrument",
        "Gauge": "_instrument",
        "Histogram": "_instrument",
        "OnceCounter": "_instrument",
        "UpDownCounter": "_instrument",
        "Leaf": "_leaf",
        "Reclassified": "_leaf",
        "moved": "_leaf",
        "Linking": "_linked",
        "linked": "_linked",
        "Measured": "_measured",
        "ObservableCounter": "_observable",
        "ObservableGauge": "_observable",
        "ObservableUpDownCounter": "_observable",
        "ErrorCodes": "_measured",
        "Outcomes": "_measured",
        "requires": "_version",
        "Resource": "_group",
        "LinkedRoot": "_root",
        "Owner": "_root",
        "Root": "_root",
        "SCOPE_OFF": "_block",
        "Scope": "_block",
        "propagated": "_block",
        "content": "_sensitive",
        "mask": "_sensitive",
        "personal": "_sensitive",
        "truncate": "_sensitive",
        "Setting": "_setting",
        "Source": "_source",
        "OFF": "_span",
        "Span": "_span",
        "given": "_span",
        "pick": "_span",
        "opens": "_group",
    }

    def __getattr__(name):  # noqa: ANN001, ANN202 - the other branch has the types
        """Load the module that *name* lives in; its names are plain globals of this one then."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        home = _HOMES[name]
        __import__(f"telewright.{home}")
        module = modules[f"telewright.{home}"]
        globals().update((key, getattr(module, key)) for key in _HOMES if _HOMES[key] == home)
        return globals()[name]


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
