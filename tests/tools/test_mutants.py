"""The list of breaks fits the code that it breaks, and the tests that have to notice."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from behaviours import ROOT, Numbered, carried, table
from copies import Copy, Verdict, _verdict
from mutants import Mutant, noticers, read, tried, unnoticed, untouched

MUTANTS = read()
TESTS = carried()


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.claim)
def test_a_break_can_be_made(mutant):
    """Its text stands in its file, once, and the file with the break in it still compiles."""
    text = mutant.change((ROOT / mutant.file).read_text(encoding="utf-8"))
    if mutant.file.endswith(".py"):
        compile(text, mutant.file, "exec")
    assert mutant.old != mutant.new
    assert noticers(mutant, TESTS)


def test_every_number_that_a_test_carries_has_a_break():
    """A test that nothing can make fail asserts nothing."""
    assert untouched(MUTANTS, TESTS) == []
    assert untouched([], TESTS) == list(table())
    assert {number for mutant in MUTANTS for number in mutant.numbers} <= set(table())


def test_each_number_needs_a_test_that_fails():
    """Of two numbers that a break takes away, the one that no test notices is named."""
    tests = [Numbered("t.py::a", ("B1",), apart=False), Numbered("t.py::b", ("B2",), apart=False)]
    mutant = Mutant("x", "f", "a", "b", numbers=("B1", "B2"))
    assert noticers(mutant, tests) == ["t.py::a", "t.py::b"]
    one = Verdict(frozenset({"t.py::a"}), frozenset({"t.py::b"}))
    assert unnoticed(mutant, one, tests) == ["B2"]
    assert unnoticed(mutant, Verdict(hung=True), tests) == []
    assert unnoticed(Mutant("x", "f", "a", "b", tests=("t.py",)), Verdict(), tests)


class Slow:
    """A copy whose tests hang, as often as they are run or only with the break."""

    def __init__(self, *hung):
        self.verdicts = [Verdict(hung=one, passed=frozenset({"t.py::a"})) for one in hung]

    broken = staticmethod(lambda *_: nullcontext())

    def run(self, _tests, *, patience):
        """Return what comes next."""
        assert patience > 0
        return self.verdicts.pop(0)


def test_a_break_that_does_not_fit_is_a_fault_and_the_rest_is_tried(tmp_path):
    """Its file is gone, or has no such text, or has it twice."""
    copy = Copy.__new__(Copy)  # without the whole project
    copy._folder = tmp_path
    (tmp_path / "a.py").write_text("twice twice")
    for file, old in [("gone.py", "x"), ("a.py", "never"), ("a.py", "twice")]:
        mutant = Mutant("x", file, old, "y", numbers=("B1",))
        verdict = tried(copy, mutant, [])
        assert verdict.said.startswith("does not fit: ")
        assert unnoticed(mutant, verdict, []) == ["B1"]


@pytest.mark.parametrize(("hung", "missing"), [((True, False), []), ((True, True), ["B1"])])
def test_a_hang_is_noticed_where_only_the_break_hangs(hung, missing):
    """On a machine that is so slow that all takes too long, nothing is."""
    tests = [Numbered("t.py::a", ("B1",), apart=False)]
    mutant = Mutant("x", "f", "a", "b", numbers=("B1",))
    assert unnoticed(mutant, tried(Slow(*hung), mutant, tests), tests) == missing


def test_a_test_that_fails_for_one_parameter_fails():
    """What is read from pytest's summary is functions; collecting nothing is no verdict."""
    said = "PASSED t.py::a[1]\nFAILED t.py::a[2] - assert 1\nERROR t.py::b\nERROR t.py - x\n"
    found = _verdict(said)
    assert (found.failed, found.passed) == (frozenset({"t.py::a", "t.py::b"}), frozenset())
    assert (found.word, _verdict("ERROR t.py - x").word) == ("noticed", "broken")
    assert _verdict("PASSED t.py::a\n").word == "survived"
