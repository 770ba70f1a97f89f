"""Every fault, for every signal, by every way out: the application is unharmed, the books exact.

A cell is a process of its own. What arrived is what an independent receiver decoded, or what is in
the file; what was made is what the program counted. A few cells run with every change, the whole
table with `make system`.
"""

from __future__ import annotations

from copy import deepcopy

import pytest

from tests.runtime.collector import installed
from tests.runtime.faults.cell import every_cell, has_openssl, run_all
from tests.runtime.faults.plain import run_plain
from tests.runtime.faults.real import Through
from tests.runtime.faults.verdict import problems

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
    ("fork", "logs", "http"),
    ("SIGINT", "traces", "http"),
}
"""Cells that run with every change: each finds a kind of mistake that the others do not."""


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


@pytest.mark.long
@pytest.mark.behaviour("B076", "B083", "B132", "B153")
@pytest.mark.parametrize("cell", [_cell(cell) for cell in every_cell()])
def test_nothing_is_harmed_and_the_books_are_exact(outcomes, cell):
    """Result, exception and exit code are the application's; made is exported plus dropped."""
    assert problems(cell, outcomes[cell]) == []


def test_a_book_that_is_wrong_is_noticed(outcomes):
    """The positive control: one span less, and the same outcome is none of an exact book."""
    cell = ("truncated reply", "traces", "http")
    found = deepcopy(outcomes[cell])
    found.books[0]["exported"] += 1
    found.books[0]["dropped"]["export_failed"] -= 1
    found.code = 1
    assert problems(cell, found) == ["exit code 1", "exported 6, not 5", "the books miss some"]


def _lies(found):
    found.done["flushed"] = True


def _denies(found):
    found.arrived.update(found.made)
    found.done["flushed"], found.done["took"] = False, 0.1


def _dawdles(found):
    found.done["took"] = 4.0
    found.crowd = 1.0


def _doubles(found):
    for values in found.values.values():
        values[min(values)] *= 2


def _takes_on(found):
    found.values[1] = next(iter(found.values.values()))


def _shows_a_stack(found):
    found.errors += "Traceback (most recent call last):\n"


def _loses_a_stack(found):
    found.errors += "--- Logging error ---\n"


def _is_not_measured(found):
    found.books[0]["megabytes"] = 0


def _ends_late(found):
    found.seconds, found.crowd = 15.1, 1000.0


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (_lies, "the flush under the fault lied"),
        (_denies, "the flush under the fault lied"),
        (_dawdles, "a flush of 0.3 s took 4.0"),
        (_doubles, "other values arrived"),
        (_takes_on, "other values arrived"),
        (_shows_a_stack, "noise on stderr"),
        (_loses_a_stack, "noise on stderr"),
        (_is_not_measured, "memory"),
        (_ends_late, "15.1 s to the end"),
    ],
)
@pytest.mark.parametrize(
    "cell", [("refused", "metrics", "grpc"), ("encoder error", "metrics", "http")]
)
def test_what_is_wrong_is_noticed(outcomes, cell, spoil, problem):
    """Positive controls: the same outcome with one thing spoilt is held against it, for that."""
    found = deepcopy(outcomes[cell])
    spoil(found)
    assert problem in problems(cell, found)


@pytest.mark.system
def test_the_plain_sdk_waits_and_says_that_all_is_well(tmp_path):
    """The positive control: the SDK's own flush under a receiver that hangs."""
    found = run_plain("hang", tmp_path)
    assert found["took"] > 2 * found["asked"]
    assert found["flushed"] is True
    assert found["arrived"] == 0
