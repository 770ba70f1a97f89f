"""Holds what came of a cell against what must come of it."""

from __future__ import annotations

from collections import Counter

from tests.runtime.faults.table import BY_NAME

LONGEST = 5.0
"""Seconds that the end of a process may take, while it need not share its processor."""

LARGEST = 200
"""Megabytes that a process may need, whatever it is sent."""

CROWDED = 3.0
"""Times as much at most, on a processor that others want as well."""

SOON = 0.3
"""Seconds that the program gave its flush."""

_LATE = 1.0
"""Seconds that it may take beyond these."""

_ASKED = ("before", "during", "unfit")
"""Phases of what was made before that flush."""

_INTERRUPTED = "Traceback"
"""What the interpreter says of an interrupt, once."""

_NOISE = (
    "Exception ignored",
    "Exception in thread",
    "Fatal Python error",
    "--- Logging error ---",
    "Traceback",
)


def problems(cell, found):
    """Return what is wrong with the outcome *found* of *cell*, in words."""
    fault = BY_NAME[cell[0]]
    if found.done is None or found.ready is None:
        return [f"the application did not get to its end: {found.errors[-500:]}"]
    return [
        what for what, is_so in (*_harm(fault, found), *_books(fault, cell, found)) if not is_so
    ]


def _harm(fault, found):
    """Yield what is true of an application that came to no harm."""
    result = sum(
        len(f"{found.name}/{phase}{number}")
        for phase in ("before", "during")
        for number in range(5)
    )
    crowd = min(max(1.0, found.crowd), CROWDED)
    errors = found.errors.replace(_INTERRUPTED, "", 1) if fault.name == "SIGINT" else found.errors
    yield f"exit code {found.code}", found.code == fault.code
    yield f"{found.seconds:.1f} s to the end", found.seconds <= LONGEST * crowd
    took = found.done["took"]
    yield f"a flush of {SOON} s took {took:.1f}", took <= SOON + _LATE * crowd
    yield "another result", found.done["result"] == result
    yield "another exception", found.done["same"]
    yield "; ".join(found.harmed), not found.harmed
    yield "noise on stderr", not any(bad in errors for bad in _NOISE)
    measured = [book["megabytes"] for book in found.books if book["megabytes"] is not None]
    yield "memory", all(0 < megabytes <= LARGEST for megabytes in measured)


def _is_true(found):
    """Say whether the flush under the fault answered as it was.

    Yes says that all arrived that was made before; no, before its time was over, that something did
    not.
    """
    asked = [item for phase in _ASKED for item in found.phases.get(phase, ())]
    arrived = all(found.arrived[item] for item in asked)
    if found.done["flushed"]:
        return arrived
    return not arrived or found.done["took"] >= SOON


def _values(found):
    return {pid: values for pid, values in found.values.items() if values}


def _counted(found):
    """Return the values that each process must have sent: what it counted of what arrived."""
    values = {}
    for pid, counts in found.counts.items():
        sent = {item: count for item, count in counts.items() if found.arrived[item]}
        if sent:
            values[pid] = {**sent, f"{found.name}/all": sum(sent.values())}
    return values


def _books(fault, cell, found):
    """Yield what is true of books that are exact, and of what arrived."""
    _, signal, protocol = cell
    arriving = fault.arriving(protocol)
    made, exported, dropped = found.total
    arrived = found.points if signal == "metrics" else found.arrived
    missing = found.made - found.arrived
    expected = Counter(
        item for phase, items in found.phases.items() for item in items if phase not in arriving
    )
    yield f"missing {sum(missing.values())}, not {sum(expected.values())}", missing == expected
    yield "the first flush lied", found.ready["flushed"] is bool(arriving)
    yield "the flush under the fault lied", _is_true(found)
    yield "other values arrived", signal != "metrics" or _values(found) == _counted(found)
    yield "spans that end before they start", not found.inverted
    yield f"exported {exported}, not {sum(arrived.values())}", exported == sum(arrived.values())
    yield "something arrived twice", max(arrived.values(), default=1) == 1
    yield f"dropped as {', '.join(dropped)}", set(dropped) <= fault.reasons
    if signal != "metrics":  # a point is made whenever it is collected
        yield f"made {made}", made == sum(found.made.values())
        yield "the books miss some", made - exported == sum(missing.values())
    if fault.reasons:
        yield "made is not exported plus dropped", made == exported + sum(dropped.values())
