"""Holds what came of a cell against what must come of it."""

from __future__ import annotations

from collections import Counter

from tests.runtime.faults.table import BY_NAME

LONGEST = 5.0
"""Seconds that the end of a process may take, while it need not share its processor."""

LARGEST = 200
"""Megabytes that a process may need, whatever it is sent."""

_NOISE = ("Exception ignored", "Exception in thread", "Fatal Python error")


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
    yield f"exit code {found.code}", found.code == fault.code
    yield f"{found.seconds:.1f} s to the end", found.seconds <= LONGEST * max(1.0, found.crowd)
    yield "another result", found.done["result"] == result
    yield "another exception", found.done["same"]
    yield "; ".join(found.harmed), not found.harmed
    yield "noise on stderr", not any(bad in found.errors for bad in _NOISE)
    yield "memory", all(book["megabytes"] <= LARGEST for book in found.books)


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
    yield "spans that end before they start", not found.inverted
    yield f"exported {exported}, not {sum(arrived.values())}", exported == sum(arrived.values())
    yield "something arrived twice", max(arrived.values(), default=1) == 1
    yield f"dropped as {', '.join(dropped)}", set(dropped) <= fault.reasons
    if signal != "metrics":  # a point is made whenever it is collected
        yield f"made {made}", made == sum(found.made.values())
        yield "the books miss some", made - exported == sum(missing.values())
    if fault.reasons:
        yield "made is not exported plus dropped", made == exported + sum(dropped.values())
