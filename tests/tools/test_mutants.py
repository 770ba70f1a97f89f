"""The list of breaks fits the code that it breaks."""

from __future__ import annotations

import pytest
from tools.mutants import MUTANTS, ROOT


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.claim)
def test_a_break_can_be_made(mutant):
    """Its line stands in its file, once, and the file with the break in it still compiles."""
    text = (ROOT / "runtime" / "telewright" / mutant.file).read_text()
    assert text.count(mutant.old) == 1
    compile(text.replace(mutant.old, mutant.new), mutant.file, "exec")
