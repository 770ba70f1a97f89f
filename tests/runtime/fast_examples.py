"""Programs for both tiers that leave nothing to chance: each thing is done at least once."""

from __future__ import annotations

from opentelemetry import trace

from tests.runtime.fast_programs import Odd
from tests.runtime.sample import kiln

_WRITES = [
    ("attribute", "a", 1),
    ("attribute", "b", [1, "x"]),
    ("attribute", "a", Odd()),
    ("attributes", {"c": "long", "": 1, "b": 2}),
    ("attribute", "d", 4),
    ("event", "e", {"a": 1, "b": "long"}, None),
    ("event", "f", None, 2_000_000_000),
    ("link", 0, None),
    ("link", 1, {"a": 1, "b": "long"}),
    ("link", 3, None),
    ("exception", ValueError("v"), {"a": 1}),
    ("name", "n"),
    ("status", trace.StatusCode.OK, None),
    ("status", trace.StatusCode.ERROR, "too late"),
    ("end", 2_000_000_000),
    ("end", None),
    ("attribute", "e", 5),
]
_LINKED = [(0, None), (1, {"a": 1, "b": 2}), (2, None), (3, {"a": "long"})]
_PLAIN = ("raw", "plain", None, [], trace.SpanKind.INTERNAL, None, True, [])
_ALL = [
    ("raw", "r", {"a": 1, "b": 2}, _LINKED, trace.SpanKind.SERVER, 1, True, _WRITES),
    ("raw", "s", {"a": Odd(), None: 1, "b": "long"}, [], trace.SpanKind.CLIENT, None, False, []),
    ("scope", "north", [_PLAIN, ("fire", "glaze", "b", [("heat", [_PLAIN])])]),
    *(
        ("remote", (flags, True, state), [_PLAIN, ("write", [])])
        for flags in range(4)
        for state in ((), (("vendor", "x"),))
    ),
    ("attempt", [("fire", "glaze", "b", [("raise", ValueError("v"))])]),
    (
        "attempt",
        [("raw", "q", None, [], trace.SpanKind.INTERNAL, None, True, [("raise", KeyError())])],
    ),
    ("managed", {"a": 1}, [("heat", [])]),
    ("foreign", None, [("heat", [])]),
    ("set", [1, Odd()]),
    ("leave open", "fire"),
    ("leave open", "pot"),
]
_FEW = dict.fromkeys(("max_events", "max_links", "max_span_attributes"), 2)
SPANS = [
    (_ALL, {"max_attribute_length": 65_537}),
    (_ALL, {**_FEW, "max_event_attributes": 1, "max_link_attributes": 1}),
    (_ALL, {"max_attribute_length": 2}),
    (_ALL, {"max_span_attributes": 0, "max_events": 0, "max_links": 0}),
]
"""Programs in which everything occurs that a span can do, and limits."""

_RECORD = [
    *(("faults", value, kiln.FaultCode.TIMEOUT) for value in (2, 3, -1, 1.5, True, "x", 2**63)),
    *(("visitors", 2, town) for town in ("a", "b", "c", "d")),
    *(("loaded", value) for value in (3, -5)),
    *(("temperature", value) for value in (20.5, float("nan"), -0.0)),
    *(("firing", value, kiln.Stage.GLAZE, "ok") for value in (10, 0.5, 1.0, 99, 7, 1e9, -1.0)),
    *(("pots", 1, kiln.Stage.COOL, batch) for batch in ("a", "b", "a")),
    *((f"bound {name}", 4) for name in ("faults", "visitors", "loaded", "temperature", "firing")),
]
MEASUREMENTS = [
    [
        *_RECORD,
        ("collect",),
        ("within", 1, False, _RECORD),
        ("within", 0, True, _RECORD),
        ("collect",),
        ("firing", 50, kiln.Stage.GLAZE, "ok"),
        ("faults", 1, kiln.FaultCode.REFUSED),
        ("collect",),
        ("collect",),
        ("within", 1, True, _RECORD[:1]),
        ("collect",),
        *_RECORD,
    ],
]
"""Each instrument, each kind of value, in spans of either kind and out of them, and exports."""
