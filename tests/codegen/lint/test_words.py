"""The rule about names knows the names that the scan knows."""

from __future__ import annotations

from pathlib import Path

from telewright import _words
from telewright_codegen.lint import words


def test_words_are_those_of_the_scan():
    """The generator has a copy of its own, since it is installed without the runtime."""
    assert Path(words.__file__).read_text() == Path(_words.__file__).read_text()
