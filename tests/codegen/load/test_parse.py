"""Reading YAML: what it becomes, where each part stands, and what is refused."""

from __future__ import annotations

import gc
import math
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from telewright_codegen.diagnostics import Report
from telewright_codegen.load import build
from telewright_codegen.load.parse import REFUSED, Document, parse
from telewright_codegen.load.pure import PureParser
from telewright_codegen.source import SourceFile


def read(text: str | bytes) -> tuple[Document | None, Report]:
    """Parse a text as the file `a.yaml`."""
    data = text.encode() if isinstance(text, str) else text
    report = Report()
    return parse(SourceFile(Path("a.yaml"), "a.yaml", data), report), report


def data_of(text: str) -> object:
    """Parse a text that nothing is wrong with."""
    document, report = read(text)
    assert not report.diagnostics
    assert document is not None
    return document.data


def found(text: str | bytes) -> list[str]:
    """Return what is wrong with a text, as ``line:column code``."""
    _, report = read(text)
    places = [(finding.primary, finding.code) for finding in report]
    return [f"{label.place.line}:{label.place.column} {code}" for label, code in places if label]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("text", "text"),
        ("'012'", "012"),
        ('"no"', "no"),
        ("true", True),
        ("FALSE", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("0", 0),
        ("-17", -17),
        ("+4", 4),
        ("1.5", 1.5),
        (".5", 0.5),
        ("2.", 2.0),
        ("1.0e+3", 1000.0),
        ("9223372036854775807", 2**63 - 1),
        ("-9223372036854775808", -(2**63)),
        ("1.44.0", "1.44.0"),
        ("17-3", "17-3"),
        ("1 second", "1 second"),
        ("-", None),
        ("--flag", "--flag"),
        ("no one", "no one"),
        ("[a, 1, {b: true}]", ["a", 1, {"b": True}]),
        ("{required, at: end}", {"required": None, "at": "end"}),
    ],
)
def test_plain_values_are_those_of_the_core_schema(written: str, value: object) -> None:
    """A value means what YAML 1.2's core schema says, and has that very type."""
    if written == "-":
        value = [None]
        written = "\n  -"
    read_back = data_of(f"key: {written}\n")
    assert read_back == {"key": value}
    assert repr(read_back) == repr({"key": value})


@pytest.mark.parametrize(
    "written",
    [
        *(
            "y",
            "Y",
            "yes",
            "Yes",
            "YES",
            "on",
            "ON",
            "n",
            "N",
            "no",
            "No",
            "off",
            "Off",
            "OFF",
            "=",
        ),
        *("012", "-012", "08", "0777", "0x1F", "0o17", "0b101"),
        *("1e3", "1E3", "1.0e3", ".5e3", "-.5", "1_000", "1_000.5"),
        *("12:30", "1:20:30.5", "-1:30"),
        *("2027-01-31", "2027-1-3", "2027-01-31T12:00:00Z", "2027-01-31 12:00:00"),
    ],
)
def test_what_readers_disagree_about_asks_for_quotes(written: str) -> None:
    """A plain value that YAML 1.1 and 1.2 read differently is refused; in quotes it is text."""
    document, report = read(f"key: {written}\n")
    [finding] = report
    assert finding.code == "TW023"
    assert finding.help == f'if it is text, write `"{written}"`'
    assert document is not None
    assert document.data == {"key": REFUSED}
    assert data_of(f'key: "{written}"\n') == {"key": written}
    assert data_of(f"key: '{written}'\n") == {"key": written}


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("key: 9223372036854775808", "1:6 TW024"),
        (f"key: {'9' * 5000}", "1:6 TW024"),
        ("key: .inf", "1:6 TW024"),
        ("key: -.INF", "1:6 TW024"),
        ("key: .nan", "1:6 TW024"),
        ("key: 1.0e+999", "1:6 TW024"),
        ("a: 1\nb: 2\na: 3", "3:1 TW002"),
        ("a: {b: 1, c: 2, b: 3}", "1:17 TW002"),
        ("a: 1\n'a': 3", "2:1 TW002"),
        ("1: a", "1:1 TW022"),
        ("on: a", "1:1 TW022"),
        ("? [a, b]\n: c", "1:3 TW022"),
        ("? {a: b}\n: c", "1:3 TW022"),
        ("&a a: b\n*a : c", "2:1 TW022"),
        ("? \n: a\n", "1:2 TW022"),
        ("a: !!str b", "1:4 TW015"),
        ("a: !custom {b: c}", "1:4 TW015"),
        ("a: !!python/object/apply:os.system [ls]", "1:4 TW015"),
        ("!!str a: b", "1:1 TW015"),
        ("a: {<<: {b: c}}", "1:5 TW016"),
        ("a: &x {b: c}\nd: *x", "2:4 TW017"),
        ("a: &x [*x]", "1:8 TW017"),
        ("a: *unknown", "1:4 TW017"),
        ("a: 1\n---\nb: 2", "2:1 TW018"),
        ("a: 1\n...\n---\nb: 2", "3:1 TW018"),
        ("a: 1\n...\nb: 2", "3:1 TW018"),
        ("%YAML 1.1\n---\na: 1", "1:1 TW021"),
        ("%TAG !e! tag:example.com:\n---\na: 1", "1:1 TW021"),
        ("", "1:1 TW025"),
        ("# nothing\n", "1:1 TW025"),
        ("a: b: c", "1:5 TW010"),
        ("a: [1, 2", "1:9 TW010"),
        ('a: "b', "1:6 TW010"),
        ("a:\n\t- b", "2:1 TW010"),
        ("a: @b", "1:4 TW010"),
        ("a: 'x\x00y'", "1:6 TW012"),
        ("a: b\x1b[31m", "1:5 TW012"),
        ('a: "\\x07"', "1:4 TW012"),
        ('a: "\\ud800"', "1:7 TW013"),
        ("a: b\u202ec", "1:5 TW014"),
        ("# \u2066\na: b", "1:3 TW014"),
        ('"\\u202e": b', "1:1 TW014"),
        ("a: b\ufeff", "1:5 TW012"),
        (f"{'k' * 300}: b", "1:1 TW008"),
        (f"a: {'x' * 20_000}", "1:4 TW008"),
        ("a:\n " + "[" * 70 + "]" * 70, "2:65 TW019"),
    ],
)
def test_what_is_refused_has_a_place_and_a_code(written: str, place: str) -> None:
    """Each refusal is one finding, at the very line and column."""
    assert found(written) == [place]


def test_both_lines_of_a_key_that_appears_twice_are_named() -> None:
    """The second place of a duplicate is the first time it was written."""
    _, report = read("a:\n  b: {x: 1}\n  c: [1, 2]\n  d: 3\n  c: 4\n")
    [finding] = report
    assert finding.primary is not None
    assert finding.primary.place.line == 5
    assert [label.place.line for label in finding.secondary] == [3]


def test_everything_that_is_wrong_is_reported_in_one_run() -> None:
    """A refused value does not keep what follows it from being looked at."""
    assert found("a: no\nb: {on: 1}\nc: !x y\nd: [1e3, ok]\na: off\n") == [
        "1:4 TW023",
        "2:5 TW022",
        "3:4 TW015",
        "4:5 TW023",
        "5:1 TW002",
        "5:4 TW023",
    ]


def test_an_alias_to_a_single_value_is_read() -> None:
    """Real registries repeat texts by alias; a key can have an anchor, too."""
    assert data_of("a: &x text\nb: *x\n&k c: 1\nd: *k\n") == {
        "a": "text",
        "b": "text",
        "c": 1,
        "d": "c",
    }


def test_a_directive_that_says_what_holds_anyway_is_read() -> None:
    """``%YAML 1.2`` changes nothing."""
    assert data_of("%YAML 1.2\n---\na: 1\n") == {"a": 1}


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_any_kind_of_line_end_reads_the_same(end: str) -> None:
    """What Windows and old Macs write gives the same data, in the same lines."""
    text = 'a: b\nc: |\n  two\n  lines\nd: "x\n  y"\ne: no\n'
    document, report = read(text)
    other, other_report = read(text.replace("\n", end))
    assert document is not None
    assert other is not None
    assert other.data == document.data
    assert "\r" not in repr(other.data)
    assert [finding.primary for finding in other_report] == [finding.primary for finding in report]


def test_text_never_holds_an_exotic_end_of_line() -> None:
    """Escaped or not, carriage returns become newlines, and Unicode's line ends become spaces."""
    assert data_of('a: "x\\r\\ny\\rz"\nb: "p\\u2028q\\u2029r\\x85s"\nc: |\n  k\u2028l\n') == {
        "a": "x\ny\nz",
        "b": "p q r s",
        "c": "k l\n",
    }


@pytest.mark.parametrize(
    ("steps", "key", "value"),
    [
        (("topic",), (1, 1, 5), (1, 8, 7)),
        (("attributes",), (2, 1, 10), (3, 3, 1)),
        (("attributes", 0), (3, 5, 2), (3, 5, 2)),
        (("attributes", 0, "id"), (3, 5, 2), (3, 9, 14)),
        (("attributes", 0, "brief"), (4, 5, 5), (4, 12, 10)),
        (("attributes", 0, "examples"), (6, 5, 8), (6, 15, 1)),
        (("attributes", 0, "examples", 1), (6, 21, 3), (6, 21, 3)),
        (("attributes", 1, "brief"), (8, 5, 5), (8, 12, 1)),
        (("attributes", 0, "nothing", "there"), (3, 5, 2), (3, 5, 2)),
    ],
)
def test_every_key_and_value_has_a_place(
    steps: tuple[str | int, ...], key: tuple[int, int, int], value: tuple[int, int, int]
) -> None:
    """Line, column and width are those of the text, counted in characters."""
    document, report = read(
        "topic: rollout\n"
        "attributes:\n"
        "  - id: gym.rollout.id\n"
        '    brief: "Größe \U0001f600 "  # no\n'
        "    other: 1\n"
        "    examples: [a,   bcd]\n"
        "  - id: two\n"
        "    brief: |\n"
        "      Several\n"
        "      lines.\n"
    )
    assert not report.diagnostics
    assert document is not None
    key_place, value_place = document.key_place(steps), document.value_place(steps)
    assert (key_place.line, key_place.column, key_place.width) == key
    assert (value_place.line, value_place.column, value_place.width) == value


def test_exotic_line_ends_do_not_shift_places() -> None:
    """A line is what an editor shows as one: U+2028 and U+0085 end none."""
    document, _ = read("a: |\n  x\u2028y\n\n  z\u0085z\nb: [no]\n")
    assert document is not None
    assert document.key_place(("b",)).line == 5


def test_a_byte_order_mark_is_not_counted() -> None:
    """The first column is the first letter's."""
    assert found(b"\xef\xbb\xbfa: no\n") == ["1:4 TW023"]


def test_bytes_that_are_no_text_are_named() -> None:
    """The label has the offset in bytes, the place counts characters."""
    document, report = read("ä: b\nc: ".encode() + b"\xfc")
    assert document is None
    [finding] = report
    assert finding.primary is not None
    assert finding.primary.text == "byte 9 is 0xfc, which is not UTF-8"
    assert (finding.primary.place.line, finding.primary.place.column) == (2, 4)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "latin-1"])
def test_other_encodings_are_refused(encoding: str) -> None:
    """PyYAML would read UTF-16 without a word; here it is an error, whatever the byte order."""
    document, report = read("a: ü\n".encode(encoding))
    assert document is None
    assert {finding.code for finding in report} <= {"TW011", "TW012"}
    assert len(report.diagnostics) == 1


def test_collection_of_garbage_goes_on_afterwards() -> None:
    """The parser pauses it, and leaves it as it was even where it gives up."""
    assert gc.isenabled()
    read("a: [")
    assert gc.isenabled()
    gc.disable()
    try:
        read("a: b")
        assert not gc.isenabled()
    finally:
        gc.enable()


WORDS = st.sampled_from(
    ["a", "b", "Some text.", "x.y", "17-3", "true", "3", "2.5", "it's", "ü \U0001f600"]
)
TREES = st.recursive(
    st.one_of(
        WORDS,
        st.booleans(),
        st.none(),
        st.integers(-(2**63), 2**63 - 1),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(st.characters(exclude_categories=["Cc", "Cs", "Cf", "Co", "Cn", "Zl", "Zp"])),
    ),
    lambda below: st.one_of(
        st.lists(below, max_size=4), st.dictionaries(WORDS.map("k{}".format), below, max_size=4)
    ),
    max_leaves=20,
)
STYLES = st.sampled_from([None, "'", '"', "|", ">"])


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(WORDS.map("k{}".format), TREES, min_size=1), STYLES, st.booleans())
def test_data_agrees_with_pyyaml(tree: dict[str, object], style: str | None, flow: bool) -> None:  # noqa: FBT001  Hypothesis fills it in
    """Where there is no trap, data is what PyYAML's own loader makes of the text."""
    text = yaml.safe_dump(tree, default_style=style, default_flow_style=flow, allow_unicode=True)
    document, report = read(text)
    if style is not None or any(finding.code in ("TW023", "TW024") for finding in report):
        return  # with a style every value is quoted and tagged, or text looks like a trap
    assert document is not None
    expected = yaml.load(text, yaml.CSafeLoader)
    assert document.data == expected
    assert repr(document.data) == repr(expected)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(WORDS.map("k{}".format), TREES, min_size=1), st.booleans())
def test_every_place_leads_to_what_is_there(tree: dict[str, object], flow: bool) -> None:  # noqa: FBT001  as above
    """What stands at the place of a value, read by itself, is that value."""
    text = yaml.safe_dump(tree, default_flow_style=flow, allow_unicode=True, width=10_000)
    document, report = read(text)
    if document is None or report.diagnostics:
        return
    lines = text.split("\n")

    def walk(data: object, steps: tuple[str | int, ...]) -> None:
        if isinstance(data, dict):
            for key, value in data.items():
                place = document.key_place((*steps, key))
                shown = lines[place.line - 1][place.column - 1 :][: place.width]
                assert yaml.safe_load(shown) == key
                walk(value, (*steps, key))
        elif isinstance(data, list):
            for step, value in enumerate(data):
                walk(value, (*steps, step))
        elif data is not None and not (isinstance(data, str) and "\n" in data):
            place = document.value_place(steps)
            shown = lines[place.line - 1][place.column - 1 :][: place.width]
            value = yaml.safe_load(shown)
            assert value == data or (isinstance(data, float) and math.isclose(value, data))

    walk(document.data, ())


@pytest.mark.parametrize(
    "text",
    [
        "a: b\nc: [1, {d: e}]\nf: 'g'\nh: |\n  i\n",
        "a: no\nb: {on: 1}\nc: &x {}\nd: *x\na: 2\n",
        'a: "\\u202e"\nb: 1\n',
        "a: ä\nb: \U0001f600\nc: off\n",
        "a: 1\n---\nb: 2\n",
        "[1",
    ],
)
def test_without_libyaml_all_is_the_same(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """PyYAML's own parser gives the same data, places and codes."""
    document, report = read(text)
    monkeypatch.setattr(build, "events", lambda text: PureParser(text).next)
    pure, pure_report = read(text)
    assert (pure and pure.data) == (document and document.data)
    places = [(str(finding.primary and finding.primary.place), finding.code) for finding in report]
    assert places == [
        (str(finding.primary and finding.primary.place), finding.code) for finding in pure_report
    ]
