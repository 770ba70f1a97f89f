"""The page about the command line says what its parsers say."""

from __future__ import annotations

from tools.cli_reference import PAGE, text

from telewright_codegen.cli import VERBS


def test_the_page_is_up_to_date() -> None:
    """Written again, the page would not change."""
    assert PAGE.read_text(encoding="utf-8") == text()


def test_every_command_is_on_the_page() -> None:
    """Each has a heading, a usage line and its options."""
    page = PAGE.read_text(encoding="utf-8")
    assert all(f"## {verb}\n" in page and f"telewright {verb} [-h]" in page for verb in VERBS)
