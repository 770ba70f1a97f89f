"""What of a text goes, and what around it stays, form by form: a secret is cut out, no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from telewright._scan import scan

_TABLE = Path(__file__).with_name("texts.txt")
_ROWS = [line.split(" ⇒ ") for line in _TABLE.read_text("utf-8").splitlines()]


@pytest.mark.parametrize(("text", "left"), _ROWS, ids=[text for text, _ in _ROWS])
def test_text(text, left):
    """What the table says is left; `=` is the text itself, the same object."""
    found = scan("attribute", "note", text)
    if left == "=":
        assert found is text
    else:
        assert found == left


def test_the_table_has_both():
    """Many forms lose something, many nothing; a row that says otherwise would fail."""
    same = sum(left == "=" for _, left in _ROWS)
    assert min(same, len(_ROWS) - same) >= 60
    text, left = _ROWS[0]
    assert scan("attribute", "note", text) == left != text
