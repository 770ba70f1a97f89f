"""The names that generated modules import; nothing else may change under them.

A name here is removed, or changes its meaning, only in a new major version.
"""

from telewright._block import off
from telewright._enum import OpenEnum, StrEnum, member
from telewright._expand import deprecated, drop, expand
from telewright._group import METRICS, TRACES, Group, Registry
from telewright._instrument import Counter, Gauge, Histogram, OnceCounter, UpDownCounter
from telewright._measured import Measured
from telewright._observable import ObservableCounter, ObservableGauge, ObservableUpDownCounter
from telewright._outcome import ErrorCodes, Outcomes
from telewright._requires import requires
from telewright._resource import Resource
from telewright._root import LinkedRoot, Owner, Root
from telewright._scope import SCOPE_OFF, Scope, propagated
from telewright._sensitive import content, mask, personal, truncate
from telewright._span import OFF, Span, given, pick
from telewright._traced import opens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from telewright._observable import Point as Point  # noqa: PLC0414 - only annotations need it

__all__ = [
    "METRICS",
    "OFF",
    "SCOPE_OFF",
    "TRACES",
    "Counter",
    "ErrorCodes",
    "Gauge",
    "Group",
    "Histogram",
    "LinkedRoot",
    "Measured",
    "ObservableCounter",
    "ObservableGauge",
    "ObservableUpDownCounter",
    "OnceCounter",
    "OpenEnum",
    "Outcomes",
    "Owner",
    "Registry",
    "Resource",
    "Root",
    "Scope",
    "Span",
    "StrEnum",
    "UpDownCounter",
    "content",
    "deprecated",
    "drop",
    "expand",
    "given",
    "mask",
    "member",
    "off",
    "opens",
    "personal",
    "pick",
    "propagated",
    "requires",
    "truncate",
]
