"""How findings are drawn: carets under what they mean, nothing that a terminal would obey."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telewright_codegen.diagnostics import Diagnostic, Label, Report
from telewright_codegen.render.full import full
from telewright_codegen.render.github import github
from telewright_codegen.render.paths import Paths
from telewright_codegen.render.render import MOST, Format, render, summary
from telewright_codegen.render.style import Style
from telewright_codegen.render.text import WIDEST, Shown, plain, width
from telewright_codegen.source import Place, SourceFile

PATHS: Final = Paths(Path("/project"), Path("/project"))
LINES: Final = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]))


def drawn(data: str, primary: Label, *secondary: Label, style: Style | None = None) -> list[str]:
    """Return the lines of a finding in the file `a.yaml`."""
    file = SourceFile(Path("a.yaml"), "a.yaml", data.encode("utf-8", "surrogatepass"))
    found = Diagnostic("TW001", "unknown field `a`", primary, secondary, "do this")
    return full(found, {"a.yaml": file}, PATHS, style or Style()).splitlines()


@given(LINES, st.data())
def test_a_caret_stands_under_its_character(line: str, data: st.DataObject) -> None:
    """Whatever stands before it: tabs, wide letters, marks without width, or very much."""
    column = data.draw(st.integers(1, len(line) + 1))
    shown = Shown(line, column)
    assert width(shown.text) <= WIDEST + 2
    before = shown.text
    while width(before) > shown.indent(column) and before:
        before = before[:-1]
    assert width(before) == shown.indent(column)
    character = line[column - 1 : column]
    if character and character.isprintable() and width(character):
        assert shown.text[len(before) :].startswith(character)


@given(st.text())
def test_messages_hold_no_control_characters(text: str) -> None:
    """What a spec says cannot move a cursor, colour a line or start a new one."""
    assert plain(text).isprintable()


def test_the_gap_between_two_places_is_left_out() -> None:
    """One line between is shown, more are three dots; labels follow the lines."""
    data = "one\ntwo\nthree\nfour\nfive\n"
    other = Label(Place("a.yaml", 1, 1, 3), "x")
    near = drawn(data, Label(Place("a.yaml", 3, 1, 5), "here"), other)
    assert near == [
        "error[TW001]: unknown field `a`",
        " --> a.yaml:3:1",
        "  |",
        "1 | one",
        "  | --- x",
        "2 | two",
        "3 | three",
        "  | ^^^^^ here",
        "  |",
        "  = help: do this",
    ]
    far = drawn(data, Label(Place("a.yaml", 5, 2, 2)), other)
    assert far[3:8] == ["1 | one", "  | --- x", "...", "5 | five", "  |  ^^"]


def test_two_places_in_one_line_are_drawn_one_below_the_other() -> None:
    """The line is shown once."""
    both = drawn(
        "one: one\n", Label(Place("a.yaml", 1, 6, 3), "again"), Label(Place("a.yaml", 1, 1, 3), "x")
    )
    assert both[3:6] == ["1 | one: one", "  |      ^^^ again", "  | --- x"]


def test_a_file_that_was_not_read_has_no_lines() -> None:
    """The label says what is wrong with it."""
    assert drawn("", Label(Place("b.yaml", 1, 1), "it may not be read")) == [
        "error[TW001]: unknown field `a`",
        " --> b.yaml",
        "  |",
        "  | it may not be read",
        "  |",
        "  = help: do this",
    ]


def test_a_finding_about_no_file_is_a_message() -> None:
    """And a line of help."""
    found = Diagnostic("TW001", "nothing to do", None, help="do something")
    assert full(found, {}, PATHS, Style()) == (
        "error[TW001]: nothing to do\n  = help: do something\n"
    )


def test_colour_adds_nothing_but_colour() -> None:
    """Without its escapes, the coloured text is the plain one."""
    arguments = ("one\n", Label(Place("a.yaml", 1, 1, 3), "x"))
    coloured = drawn(*arguments, style=Style(colour=True))
    assert coloured != drawn(*arguments)
    stripped = "\n".join(coloured)
    for code in ("1;31", "1;34", "1;33", "1", "0"):
        stripped = stripped.replace(f"\x1b[{code}m", "")
    assert stripped.splitlines() == drawn(*arguments)


@pytest.mark.parametrize(
    ("root", "folder", "name", "shown"),
    [
        ("/p", "/p", "specs/a.yaml", "specs/a.yaml"),
        ("/p", "/p/specs", "specs/a.yaml", "a.yaml"),
        ("/p", "/q", "specs/a.yaml", "/p/specs/a.yaml"),
        ("/p", "/p/specs/gym", "specs/nv/a.yaml", "/p/specs/nv/a.yaml"),
        ("/p", "/p", "/q/a.yaml", "/q/a.yaml"),
        ("/p", "/p/specs", "specs", "."),
        ("/p/a", "/p", "b.yaml", "a/b.yaml"),
        ("/p", "/pp", "p/a.yaml", "/p/p/a.yaml"),
    ],
)
def test_paths_are_what_one_would_type(root: str, folder: str, name: str, shown: str) -> None:
    """Relative below the working folder, absolute elsewhere."""
    assert Paths(Path(root), Path(folder)).shown(name) == shown


def test_github_gets_one_line_whatever_is_in_it() -> None:
    """Percent signs, line ends, commas and colons are escaped as GitHub reads them."""
    found = Diagnostic("TW001", "50% of\nit", Label(Place("a,b:c.yaml", 2, 3, 4), "x"), help="y")
    assert github(found, PATHS) == (
        "::error file=a%2Cb%3Ac.yaml,line=2,col=3,endColumn=6,title=TW001::50%25 of%0Ait: x%0Ay\n"
    )


@pytest.mark.parametrize("form", ["full", "concise", "json", "github"])
def test_people_are_shown_fifty_and_programs_all(form: Format) -> None:
    """The number of all of them is told."""
    report = Report()
    for number in range(120):
        report.error("TW001", f"number {number}", Place("a.yaml", number + 1, 1))
    text = "".join(render(report, form, PATHS))
    if form in ("full", "concise"):
        assert text.count("number ") == MOST
        assert text.endswith("70 more are not shown.\n\nFound 120 errors in 1 file.\n") or (
            form == "concise" and "70 more are not shown." in text
        )
    else:
        assert text.count("number ") == 120
    if form == "json":
        assert [json.loads(line)["line"] for line in text.splitlines()] == list(range(1, 121))


def test_the_summary_counts() -> None:
    """Errors, warnings and files, in numbers that agree with their nouns."""
    report = Report()
    report.error("TW001", "a", Place("a.yaml", 1, 1))
    assert summary(report) == "Found 1 error in 1 file."
    report.warning("TW201", "b", Place("b.yaml", 1, 1))
    report.warning("TW201", "c", Place("b.yaml", 1, 1))
    assert summary(report) == "Found 1 error and 2 warnings in 2 files."
