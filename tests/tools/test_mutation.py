"""Breaks at random: what is broken, what is not, and that nothing is passed off as equivalent."""

from __future__ import annotations

import pytest

from equivalent import EQUIVALENT
from mutation import PARTS, ROOT, RUNTIME, breaks
from operators import KINDS, broken, places

ALL = frozenset(KINDS)
TEXT = '''
"""A module."""
TYPE_CHECKING = False
if TYPE_CHECKING:
    from x import y
limit: Final[Literal[3]] = 7
def f(a: int | None, b=2) -> Literal[True]:
    """Say it."""
    for one in a:
        if not one and b < limit:
            continue
        note(one)
        say("told")
    return a + b
'''


def test_each_kind_is_found_where_programs_run():
    """An operator, a value, a call at a time; nothing of annotations and of what is told."""
    found = [(line - 1, kind) for _, line, kind in places(TEXT, ALL)]
    assert sorted(found) == [
        (5, "value"),
        (6, "value"),
        (9, "and-or"),
        (9, "comparison"),
        (9, "not"),
        (10, "continue"),
        (11, "call"),
        (13, "plus-minus"),
        (13, "return"),
    ]
    assert {kind for _, kind in found} == ALL


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("and-or", "if not one or b < limit:"),
        ("comparison", "if not one and b >= limit:"),
        ("not", "if +bool(one) and b < limit:"),
        ("continue", "pass"),
        ("call", "None"),
        ("plus-minus", "return a - b"),
        ("return", "return None"),
        ("value", "limit: Final[Literal[3]] = 8"),
    ],
)
def test_a_break_changes_one_thing(kind, line):
    """The rest of the text means what it meant."""
    number = places(TEXT, frozenset({kind}))[0][0]
    lines = [one.strip() for one in broken(TEXT, number, kind).splitlines()]
    assert line in lines


@pytest.mark.parametrize("part", PARTS.values(), ids=list(PARTS))
def test_every_part_can_be_broken(part):
    """Its modules and its tests exist, and what is broken still compiles."""
    found = breaks(part)
    assert len({one.module for one in found}) >= len(part.files) - 1
    assert all((ROOT / one).exists() for one in part.tests)
    for one in found[::50]:
        text = (ROOT / RUNTIME / one.module).read_text(encoding="utf-8")
        changed = one.change(text)
        compile(changed, one.module, "exec")
        assert len(part.noticing(one.module)) >= len(part.tests)


def test_what_is_called_equivalent_is_there_and_has_a_reason():
    """An entry for a line that has gone excuses nothing."""
    places_ = {
        (one.module, one.kind, one.source) for part in PARTS.values() for one in breaks(part)
    }
    for key, reason in EQUIVALENT.items():
        assert key in places_, key
        assert len(reason.split()) > 3
