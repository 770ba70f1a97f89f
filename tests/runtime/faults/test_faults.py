"""Every fault, for every signal, by every way out: the application is unharmed, the books exact.

A cell is a process of its own. What arrived is what an independent receiver decoded, or what is in
the file; what was made is what the program counted. A few cells run with every change, the whole
table with `make system`.
"""

from __future__ import annotations

import pytest

from tests.runtime.collector import installed
from tests.runtime.faults.cell import every_cell, has_openssl, run_all
from tests.runtime.faults.plain import run_plain
from tests.runtime.faults.real import Through
from tests.runtime.faults.table import BY_NAME

ALWAYS = {
    ("none", "traces", "http"),
    ("refused", "metrics", "grpc"),
    ("redirect", "logs", "http"),
    ("truncated reply", "traces", "http"),
    ("encoder error", "metrics", "http"),
    ("encoder error", "traces", "grpc"),
    ("full disk", "logs", "file"),
    ("dead export thread", "traces", "http"),
    ("clock back", "traces", "file"),
    ("SIGINT", "traces", "http"),
}
"""Cells that run with every change: each finds a kind of mistake that the others do not."""

LONGEST = 5.0
"""Seconds that the end of a process may take."""


def _cell(cell):
    marks = [] if cell in ALWAYS else [pytest.mark.system]
    if cell[0] == "untrusted" and not has_openssl():
        marks.append(pytest.mark.skip(reason="needs openssl to make a certificate"))
    if cell[0] == "none" and cell[2] != "file" and installed() is None:
        marks.append(pytest.mark.skip(reason="needs the collector `rotel`"))
    return pytest.param(cell, id="-".join(cell), marks=marks)


@pytest.fixture(scope="module")
def outcomes(request, tmp_path_factory):
    """Run every cell that was asked for, several abreast."""
    wanted = [item.callspec.params["cell"] for item in request.session.items if _is_cell(item)]
    with Through(tmp_path_factory.mktemp("collector")) as collector:
        yield run_all(wanted, tmp_path_factory.mktemp("cells"), collector)


def _is_cell(item):
    named = getattr(item, "originalname", None) == "test_nothing_is_harmed_and_the_books_are_exact"
    return named and not any(item.iter_markers("skip"))


@pytest.mark.behaviour("B076", "B083", "B132", "B153")
@pytest.mark.parametrize("cell", [_cell(cell) for cell in every_cell()])
def test_nothing_is_harmed_and_the_books_are_exact(outcomes, cell):
    """Result, exception and exit code are the application's; made is exported plus dropped."""
    fault, signal, protocol = BY_NAME[cell[0]], cell[1], cell[2]
    found = outcomes[cell]
    assert found.code == fault.code, found.errors
    assert found.seconds <= LONGEST
    assert found.done["same"]
    assert found.done["result"] == sum(
        len(f"{found.name}/{phase}{number}")
        for phase in ("before", "during")
        for number in range(5)
    )
    for bad in ("Exception ignored", "Exception in thread", "Fatal Python error"):
        assert bad not in found.errors

    arriving = fault.arriving(protocol)
    missing = found.made - found.arrived
    assert sorted(missing) == sorted(
        item for phase, items in found.phases.items() for item in items if phase not in arriving
    )
    assert found.ready["flushed"] is bool(arriving)
    assert not found.inverted

    made, exported, dropped = found.total
    arrived = found.points if signal == "metrics" else found.arrived
    assert exported == sum(arrived.values())
    assert max(arrived.values(), default=1) == 1, "something arrived twice"
    assert set(dropped) <= fault.reasons
    if signal != "metrics":  # a point is made whenever it is collected
        assert made == sum(found.made.values())
        assert made - exported == sum(missing.values())
    if fault.reasons:
        assert made == exported + sum(dropped.values())


@pytest.mark.system
def test_the_plain_sdk_waits_and_says_that_all_is_well(tmp_path):
    """The positive control: the SDK's own flush under a receiver that hangs."""
    found = run_plain("hang", tmp_path)
    assert found["took"] > 2 * found["asked"]
    assert found["flushed"] is True
    assert found["arrived"] == 0
