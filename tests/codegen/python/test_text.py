"""Prose becomes docstrings that people read and tools leave alone."""

from __future__ import annotations

import ast
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from telewright_codegen.emit.python import text

ANY = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        ("plain", '"plain"'),
        ("it's", '"it\'s"'),
        ('"quoted"', "'\"quoted\"'"),
        ("both ' and \"", '"both \' and \\""'),
        ("back\\slash", '"back\\\\slash"'),
        ("a\nb\x07", '"a\\nb\\x07"'),
    ],
)
def test_a_literal_has_the_quotes_that_need_fewest_escapes(given_text, expected):
    """Double quotes, unless single ones save escapes."""
    assert text.literal(given_text) == expected


@given(st.text())
def test_a_literal_is_its_text(given_text):
    """Evaluated, it is what was given; it is one line of printable characters."""
    made = text.literal(given_text)
    assert ast.literal_eval(made) == given_text
    assert made.isprintable()


@given(ANY, ANY, st.sampled_from([0, 4, 8]))
@example("\\", "", 0)
@example('says "no"', "", 4)
@example('"', '""', 0)
@example('a\\""', "", 0)
def test_a_docstring_is_its_text(summary, paragraph, indent):
    """Evaluated, its words are those that were given, in their order, and nothing is run."""
    made = text.docstring(summary, [paragraph], indent=indent)
    value = ast.literal_eval(made)
    assert value.split() == [*summary.split(), *paragraph.split()]


@pytest.mark.parametrize(
    ("brief", "expected"),
    [
        ("Mean reward of the step", "the mean reward of the step."),
        ("How long it took", "how long it took."),
        ("Records written or installed", "records written or installed."),
        (
            "Time of one command, failed ones included.",
            "the time of one command, failed ones included.",
        ),
        ("Longest wait for the loader", "the longest wait for the loader."),
        ("Tokens of one batch", "tokens of one batch."),
        ("Loss of the policy", "the loss of the policy."),
        ("GPU memory in use", "GPU memory in use."),
        ("Ray tasks that wait", "Ray tasks that wait."),
        ("A call", "a call."),
        ("NeMo Gym's rollouts", "NeMo Gym's rollouts."),
    ],
)
def test_a_quantity_follows_a_verb(brief, expected):
    """It begins small, keeps names, and has an article where one is missing."""
    assert text.measured(brief) == expected


@pytest.mark.parametrize(
    ("brief", "expected"),
    [
        ("What was asked.", "What was asked, one of `X`."),
        ("What was asked", "What was asked, one of `X`."),
        ("First. Second.", "First. Second. One of `X`."),
        ("Is it?", "Is it? One of `X`."),
    ],
)
def test_a_sentence_goes_on_or_another_follows(brief, expected):
    """After one sentence a comma, after several a sentence of its own."""
    assert text.joined(brief, "one of `X`") == expected


def test_no_line_begins_with_what_a_tool_obeys():
    """A docstring that starts with a doctest or a directive is led by what it is about."""
    assert text.led(">>> 1 / 0", "``x``") == "``x``: >>> 1 / 0"
    assert text.led(".. include:: x", "``x``") == "``x``: .. include:: x"
    assert text.led("Ordinary", "``x``") == "Ordinary"
    lines = text.filled("word " * 16 + ">>> import os " + "more " * 30, indent=4)
    assert len(lines) > 1
    assert not [line for line in lines if line.lstrip().startswith(">>>")]


@given(st.lists(st.from_regex(r"[a-z]{1,12}", fullmatch=True), min_size=1), st.integers(0, 12))
def test_lines_are_as_full_as_they_may_be(words, indent):
    """None has more than 88 columns, and the first word of the next would not fit on it."""
    lines = text.filled(" ".join(words), indent=indent, hang=4)
    assert " ".join(lines).split() == words
    assert max(map(len, lines)) <= text.WIDTH
    for line, following in pairwise(lines):
        assert len(line) + 1 + len(following.split()[0]) > text.WIDTH


def test_a_summary_that_is_too_long_gives_way_to_a_title():
    """One line that says what it is, then the long sentence as a paragraph."""
    long = f"Span ``x``: {'very ' * 20}long."
    made = text.docstring(long, indent=4, title="Span ``x``.", brief=long.partition(": ")[2])
    assert made.splitlines()[0] == '"""Span ``x``.'
    assert made.splitlines()[2].startswith("    very very")
    assert made.splitlines()[-1] == '    """'


@pytest.mark.parametrize(
    ("value", "expected"), [(1.0, "1"), (2.5, "2.5"), (1e12, "1000000000000"), (1e-05, "1e-05")]
)
def test_numbers_have_a_fraction_only_where_they_need_one(value, expected):
    """Boundaries read as their authors wrote them."""
    assert text.number(value) == expected
