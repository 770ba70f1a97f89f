"""Text of authors reads as it was written, and does nothing."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.codegen.rendering import Seen
from tests.shared import shared

from telewright_codegen.emit.markdown import inert

HARMLESS = {"table", "thead", "tbody", "tr", "th", "td", "p", "code", "a"}
MARKUP = "ab `|\\<>{}[]()*_~#$&;:!@./-=+'\"^%\n1"
BRIEFS = [
    "a | b || c \\| d",
    "line one\nline two\n\n| x | y |",
    "`unclosed and ``double`` and ``` fence",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "{process.env.SECRET}",
    "takes <value> or a < b",
    "# Heading",
    "x\n===",
    "- item",
    "1. item",
    "> quote",
    ":::note",
    "import x from 'y'",
    "export const x = 1",
    "*a* _b_ **c** __d__ ~~e~~ $f$",
    "&lt; &#123; &copy;",
    "[x](y) ![i](j) [^1] [ ] x",
    "<!-- a --> {/* b */} {{ c }} {% d %}",
    "ends with a backslash \\",
    "www.example.com/a_b_c",
    "a b c",
]


def read(prose):
    """Return what a reader sees of *prose*: code without backticks, one space for many."""
    line = " ".join(prose.split())
    return inert._SPANS.sub(lambda found: found["code"] or found["url"], line)


def assert_inert(prose):
    """Render *prose* in a cell and as a paragraph, and compare with what it says."""
    made = inert.text(prose)
    assert "\n" not in made
    cell = Seen(f"| A | B |\n| --- | --- |\n| {made} | next |\n")
    assert [len(cells) for cells in cell.rows] == [2, 2]
    assert cell.rows[1][1] == "next"
    assert "".join(cell.rows[1][0].split()) == "".join(read(prose).split())
    paragraph = Seen(f"before\n\n{made}\n\nnext\n")
    assert "".join(paragraph.paragraphs[1].split()) == "".join(read(prose).split())
    assert paragraph.paragraphs[0::2] == ["before", "next"]
    assert {*cell.elements, *paragraph.elements} <= HARMLESS


@pytest.mark.parametrize("prose", BRIEFS)
def test_markup_is_text(prose):
    """Pipes, lines, backticks, HTML, MDX, headings, lists: one cell, one line, the same words."""
    assert_inert(prose)


@pytest.mark.parametrize("name", [f"c{number}" for number in range(30, 46)])
def test_bad_specs_are_text(name):
    """The briefs of the collected bad specs come out as they are."""
    for file in shared("cases", "bad_specs").glob(f"{name}_*.yaml"):
        (group,) = yaml.safe_load(file.read_text(encoding="utf-8"))["groups"]
        brief = group["attributes"][0]["brief"]
        if "\u202e" not in brief:
            assert_inert(brief)


@settings(max_examples=400, deadline=None)
@given(st.text(MARKUP, min_size=1, max_size=40).filter(str.strip))
def test_no_mixture_of_marks_does_anything(prose):
    """Whatever is put together from characters that mean something, means nothing."""
    assert_inert(prose)


@settings(max_examples=200, deadline=None)
@given(st.text(min_size=1, max_size=40).filter(str.strip))
def test_no_character_does_anything(prose):
    """Nor does any other character; hidden ones are written out."""
    made = inert.text(prose)
    seen = Seen(f"| A | B |\n| --- | --- |\n| {made} | next |\n")
    assert [len(cells) for cells in seen.rows] == [2, 2]
    assert set(seen.elements) <= HARMLESS


def test_escaping_is_what_keeps_it_inert():
    """The comparison sees markup where nothing is escaped."""
    seen = Seen("| A | B |\n| --- | --- |\n| **a** | <b>x</b> |\n")
    assert not set(seen.elements) <= HARMLESS


def test_words_in_backticks_are_code():
    """Single backticks are the one thing that is markup, and keep what is between them."""
    seen = Seen(inert.text("Use `a_b<c>` and `{d}`, not ``e``."))
    assert seen.elements == ["p", "code", "code"]
    assert seen.paragraphs == ["Use a_b<c> and {d}, not ``e``."]


def test_addresses_are_links_to_themselves():
    """An address is a link without the punctuation after it, with the text that was written."""
    seen = Seen(inert.text("see http://x.example/a_b_c?d=1|2, and (https://y.example/)."))
    assert seen.links == ["http://x.example/a_b_c?d=1", "https://y.example/"]
    assert seen.paragraphs == ["see http://x.example/a_b_c?d=1|2, and (https://y.example/)."]


def test_characters_that_reorder_text_are_written_out():
    """A character that turns what follows around is shown as its number."""
    assert inert.text("abc \u202e fed \u2066 x") == "abc U+202E fed U+2066 x"


@pytest.mark.parametrize("words", ["a`b", "``", "`a", "a |b", "x", "{y}", "<z>", "a\\b"])
def test_code_shows_what_it_is_given(words):
    """Names are code, whatever is in them; where code cannot hold them, text does."""
    seen = Seen(f"| A |\n| --- |\n| {inert.code(words)} |\n")
    assert seen.rows[1][0].strip() == words
    assert set(seen.elements) <= HARMLESS
