"""Names with digits that begin with a zero."""

from __future__ import annotations

from telewright_codegen.emit.python.order import exported


def test_digits_after_a_zero_are_ordered_as_linters_do():
    """They compare from the left, as fractions, and before all that begin with another digit."""
    names = ["A9", "A10", "A0", "A2", "A010", "A1", "A00", "A09", "A02"]
    expected = ["A0", "A00", "A010", "A02", "A09", "A1", "A2", "A9", "A10"]
    assert sorted(names, key=exported) == expected
