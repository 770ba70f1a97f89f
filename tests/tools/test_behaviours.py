"""Numbered behaviours: each is carried by a test or listed as not ours, and each can be broken."""

from __future__ import annotations

import re

import pytest
from tests.shared import shared

import behaviours
from behaviours import carried, not_ours, table

NUMBER = re.compile(r"B\d{3}")


def test_every_number_is_carried_or_listed_and_never_both():
    """What the facts number is in the marker of a test, or has a reason why it is in none."""
    text = shared("facts", "behaviours.md").read_text(encoding="utf-8")
    numbers = set(re.findall(r"^- (B\d{3}) ", text, re.MULTILINE))
    assert len(numbers) == 169
    assert set(table()) | set(not_ours()) == numbers


def test_no_number_is_carried_and_listed():
    """A reason goes when a test comes; each reason is a sentence."""
    assert set(table()) & set(not_ours()) == set()
    for number, reason in not_ours().items():
        assert NUMBER.fullmatch(number)
        assert reason.strip().endswith(".")
        assert len(reason.split()) > 8


def test_markers_hold_numbers_alone():
    """A misspelt number would be carried by nobody; one that is there twice says nothing."""
    for test in carried():
        assert all(NUMBER.fullmatch(number) for number in test.numbers), test
        assert len(set(test.numbers)) == len(test.numbers), test


def test_pytest_sees_what_is_read_from_the_files(request):
    """Of a file that is collected, every test that carries a number is among its tests."""
    if request.config.option.keyword or any("::" in one for one in request.config.args):
        pytest.skip("a part of the tests was asked for")
    found = {item.nodeid.partition("[")[0] for item in request.session.items}
    files = {name.partition("::")[0] for name in found}
    here = {test.name for test in carried() if not test.apart}
    assert {name for name in here if name.partition("::")[0] in files} - found == set()


@pytest.mark.parametrize(
    ("text", "numbers", "apart"),
    [
        ("@pytest.mark.behaviour('B001', 'B002')\ndef test_a(): pass", ("B001", "B002"), False),
        ("pytestmark = [pytest.mark.behaviour('B001')]\ndef test_a(): pass", ("B001",), False),
        (
            "@pytest.mark.soak\n@pytest.mark.behaviour('B001')\nasync def test_a(): pass",
            ("B001",),
            True,
        ),
        (
            "@pytest.mark.parametrize('x', [param(marks=mark.behaviour('B9'))])\ndef test_a(): 0",
            ("B9",),
            False,
        ),
    ],
)
def test_markers_are_read_wherever_they_stand(tmp_path, text, numbers, apart):
    """On a function, on one of its parameters, or on the whole module."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_x.py").write_text(text)
    (test,) = carried(tmp_path)
    assert (test.name, test.numbers, test.apart) == ("tests/test_x.py::test_a", numbers, apart)


def test_the_list_is_printed(capsys):
    """`python tools/behaviours.py` prints each number with its tests, or with the reason."""
    assert behaviours.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("B001  tests/runtime/test_root.py::") for line in lines)
    assert any(line.startswith("B066  The environments of workers") for line in lines)
