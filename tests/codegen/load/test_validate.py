"""Shape: one plain sentence for each thing that is wrong, and the rest of the file goes on."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from telewright_codegen.diagnostics import Report
from telewright_codegen.load.loaded import Loaded
from telewright_codegen.load.parse import parse
from telewright_codegen.load.validate import validate
from telewright_codegen.source import SourceFile
from telewright_codegen.spec.registry import RegistrySpec
from telewright_codegen.spec.topic import TopicSpec


def read(text: str) -> tuple[Loaded | None, Report]:
    """Read a text as the file `a.yaml`."""
    report = Report()
    document = parse(SourceFile(Path("a.yaml"), "a.yaml", dedent(text).encode()), report)
    assert document is not None
    loaded = validate([document], report)
    return (loaded[0] if loaded else None), report


def sentences(report: Report) -> list[str]:
    """Return findings as ``line:column code message | label | help``."""
    return [
        f"{found.primary.place.line}:{found.primary.place.column} {found.code} {found.message}"
        f" | {found.primary.text} | {found.help}"
        for found in report
        if found.primary is not None
    ]


def topic(text: str) -> str:
    """Return a topic file with something in it, two lines down."""
    return "topic: rollout\nbrief: Rollouts.\n" + dedent(text).lstrip("\n")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "exampls: 1",
            "3:1 TW001 unknown field `exampls` | not a field of a topic | None",
        ),
        (
            "spans:\n- name: gym.a\n  brief: A.\n  knd: client",
            "6:3 TW001 unknown field `knd` | not a field of a span | did you mean `kind`?",
        ),
        (
            "spans:\n- name: gym.a\n  brief: A.\n  kind: clinet",
            (
                "6:9 TW003 `clinet` is not a span kind"
                " | expected internal, client, server, producer or consumer"
                " | did you mean `client`?"
            ),
        ),
        (
            "attributes:\n- id: gym.a\n  brief: A.\n  type: int\n  sensitivity: publik",
            (
                "7:16 TW003 `publik` is not a sensitivity"
                " | expected public, internal, personal or content | did you mean `public`?"
            ),
        ),
        (
            "attributes:\n- id: gym.a\n  brief: A.\n  type: int\n  level: [span, trace]",
            "7:17 TW003 `trace` is not a level | expected span, metric, resource or log | None",
        ),
        (
            "spans:\n- name: gym.a\n  brief: A.\n  root: ownr",
            "6:9 TW003 `ownr` is not a root | expected owner or always | did you mean `owner`?",
        ),
        (
            "spans:\n- name: gym.a\n  brief: A.\n  root: {linked: gym.b}",
            (
                "6:10 TW001 unknown field `linked` | not a field of a root policy"
                " | did you mean `linked_to`?"
            ),
        ),
        (
            "spans:\n- name: gym.a\n  brief: A.\n  root: 5",
            "6:9 TW005 `root` is a number | expected owner, always or a mapping | None",
        ),
        (
            "spans:\n- brief: A.",
            "4:3 TW004 no `name` | a span must have one | None",
        ),
        (
            "spans:\n- name: gym.a\n  brief: '  '",
            "5:10 TW004 `brief` is empty | expected text | None",
        ),
        (
            "spans:\n- name: gym.a\n  brief: ~",
            "5:10 TW005 `brief` is empty | expected text | None",
        ),
        (
            "spans:\n- name: gym.a\n  brief: true",
            (
                "5:10 TW005 `brief` is a truth value | expected text"
                ' | if text is meant, write `"true"`'
            ),
        ),
        (
            "spans:\n- name: gym.a\n  brief: [A]",
            "5:10 TW005 `brief` is a list | expected text | None",
        ),
        (
            "spans:\n- name: 1.10\n  brief: A.",
            '4:9 TW005 `name` is a number | expected text | if text is meant, write `"1.10"`',
        ),
        (
            "spans:\n- gym.a",
            "4:3 TW005 an entry of `spans` is text | expected a mapping | None",
        ),
        (
            "spans: {gym.a: {brief: A.}}",
            "3:8 TW005 `spans` is a mapping | expected a list | None",
        ),
        (
            "spans:\n- name: gym.a\n  brief: A.\n  announce: 1",
            "6:13 TW005 `announce` is a number | expected true or false | None",
        ),
        (
            "spans:\n- name: gym.a\n  brief: A.\n  parent: {a: b}",
            "6:11 TW005 `parent` is a mapping | expected text or a list | None",
        ),
        (
            "spans:\n- name: gym.a\n  brief: A.\n  slow_after: soon",
            "6:15 TW005 `slow_after` is text | expected a number | None",
        ),
        (
            "spans:\n- name: gym.a\n  brief: A.\n  max_per_parent: 0",
            "6:19 TW007 `max_per_parent` is 0 | expected at least 1 | None",
        ),
        (
            "spans:\n- name: gym.a\n  brief: A.\n  as: Operation",
            (
                "6:7 TW006 `Operation` cannot stand here"
                " | expected lower-case letters, digits and underscores | None"
            ),
        ),
        (
            "spans:\n- name: gym.a\n  brief: A.\n  review: '31.1.2027'",
            '6:11 TW006 `31.1.2027` cannot stand here | expected a day like "2027-01-31" | None',
        ),
        (
            "spans:\n- name: gym.a\n  brief: A.\n  allow: {tw305: Why.}",
            (
                "6:11 TW006 `tw305` cannot stand here"
                " | expected the code of a rule, like `TW305` | None"
            ),
        ),
        (
            f"spans:\n- name: gym.{'a' * 250}\n  brief: A.",
            "4:9 TW008 `name` is too long | 254 characters, at most 200 are allowed | None",
        ),
        (
            f"spans:\n- name: gym.a\n  brief: {'a' * 5000}",
            "5:10 TW008 `brief` is too long | 5000 characters, at most 4096 are allowed | None",
        ),
        (
            "attributes:\n- id: gym.a\n  brief: A.\n  enum: A\n  members: {a: {bref: x}}",
            (
                "7:17 TW001 unknown field `bref` | not a field of an enum member"
                " | did you mean `brief`?"
            ),
        ),
        (
            "attributes:\n- id: gym.a\n  brief: A.\n  type: string\n  redact: {truncate: 0}",
            "7:22 TW007 `truncate` is 0 | expected at least 1 | None",
        ),
        (
            "attributes:\n- id: gym.a\n  brief: A.\n  type: string\n  redact: shorten",
            "7:11 TW003 `shorten` is not a redact | expected keep, drop, mask or hash | None",
        ),
        (
            "attributes:\n- id: gym.a\n  brief: A.\n  type: string\n  examples: one",
            "7:13 TW005 `examples` is text | expected a list | None",
        ),
        (
            "attributes:\n- id: gym.a\n  brief: A.\n  type: string\n  examples: [{a: b}]",
            (
                "7:14 TW005 an entry of `examples` is a mapping"
                " | expected text, a number, true or false or a list | None"
            ),
        ),
        (
            "metrics:\n- counter: gym.a\n  brief: A.\n  unit: 1",
            '6:9 TW005 `unit` is a number | expected text | if text is meant, write `"1"`',
        ),
        (
            "metrics:\n- counter: gym.a\n  brief: A.",
            "4:3 TW004 no `unit` | a metric must have one | None",
        ),
        (
            "metrics:\n- histogram: gym.a\n  brief: A.\n  unit: s\n  boundaries: [1, two]",
            "7:19 TW005 an entry of `boundaries` is text | expected a number | None",
        ),
        (
            "metrics:\n- histogram: gym.a\n  brief: A.\n  unit: s\n  boundaries: 5",
            "7:15 TW005 `boundaries` is a number | expected a list or text | None",
        ),
    ],
)
def test_each_mistake_is_one_plain_sentence(text: str, sentence: str) -> None:
    """Message, label and help say what is wrong, what is expected and what to do."""
    _, report = read(topic(text))
    assert sentences(report) == [sentence]


def test_a_misspelled_field_is_not_missing_as_well() -> None:
    """`brif` is one mistake: what was meant is known."""
    _, report = read(topic("spans:\n- name: gym.a\n  brif: A."))
    assert [found.code for found in report] == ["TW001"]


def test_a_field_that_is_missing_beside_an_unknown_one_is_reported() -> None:
    """Only what was probably meant counts as written."""
    _, report = read(topic("spans:\n- name: gym.a\n  colour: A."))
    assert [found.code for found in report] == ["TW004", "TW001"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a: b", "TW026"),
        ("- a", "TW026"),
        ("text", "TW026"),
        ("topik: a\nbrief: b", "TW026"),
        ("topic: a\nregistry: b\nbrief: c", "TW009"),
        ("topic: A\nbrief: b", "TW006"),
        ("topic: 5\nbrief: b", "TW005"),
        ("topic: ~\nbrief: b", "TW005"),
    ],
)
def test_a_file_that_cannot_be_named_is_left_out(text: str, code: str) -> None:
    """Without a proper topic or registry, nothing in a file can be referred to."""
    loaded, report = read(text)
    assert loaded is None
    assert [found.code for found in report] == [code]


def test_help_knows_what_the_first_key_should_have_been() -> None:
    """A misspelled `topic` is recognised."""
    _, report = read("topik: a\nbrief: b")
    assert [found.help for found in report] == ["did you mean `topic`?"]


def test_what_is_wrong_is_left_out_and_the_rest_goes_on() -> None:
    """Items keep their neighbours, items lose single fields, and paths still lead to the text."""
    loaded, report = read(
        topic("""
            attributes:
            - just text
            - {id: gym.a, type: Strng, brief: A.}
            - {id: 5, type: int, brief: No name.}
            - {id: gym.b, type: int, brief: [B], redact: shorten, level: [span]}
            spans:
            - {name: gym.x, kind: clinet}
            - {name: gym.y, brief: Y., attributes: {gym.a: [], gym.b: required}, process: agent}
        """)
    )
    assert len(report.diagnostics) == 8
    assert loaded is not None
    spec = loaded.spec
    assert isinstance(spec, TopicSpec)
    assert [attribute.id for attribute in spec.attributes] == ["gym.a", "gym.b"]
    assert spec.attributes[1].level == ["span"]
    assert [span.name for span in spec.spans] == ["gym.x", "gym.y"]
    assert dict(spec.spans[1].attributes) == {"gym.b": "required"}
    second = loaded.at / "attributes" / 1
    assert str(second.value("id")) == "a.yaml:7:8"
    assert str((loaded.at / "spans" / 1).key("attributes", "gym.b")) == "a.yaml:10:52"


def test_what_is_refused_as_yaml_is_not_reported_again() -> None:
    """A value that stands for something reported has no type that could be wrong."""
    _, report = read(topic("spans:\n- name: no\n  brief: A.\n  announce: yes\n  kind: !x client"))
    assert [found.code for found in report] == ["TW023", "TW023", "TW015"]


def test_a_registry_keeps_what_is_right() -> None:
    """Groups, presets and uses go on without their wrong neighbours."""
    loaded, report = read("""
        registry: gym
        version: 1.10
        brief: B.
        uses: [nv, {otel: 1.44}, {registry: a, pth: b}]
        groups:
          job: {brief: The run., cardinality: per_rn}
          Bad-Name: {brief: X.}
        presets: {default: [job], other: job}
    """)
    assert [(found.code, found.message) for found in report] == [
        ("TW005", "`version` is a number"),
        ("TW005", "`otel` is a number"),
        ("TW001", "unknown field `pth`"),
        ("TW003", "`per_rn` is not a cardinality"),
        ("TW006", "`Bad-Name` cannot stand here"),
        ("TW005", "`other` is text"),
    ]
    assert loaded is not None
    assert isinstance(loaded.spec, RegistrySpec)
    assert list(loaded.spec.groups) == ["job"]
    assert list(loaded.spec.presets) == ["default"]
