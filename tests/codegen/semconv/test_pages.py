"""Pages with markers in OpenTelemetry's format, of registries of anybody."""

from __future__ import annotations

from textwrap import dedent

import pytest
from tests.codegen.checking import gym, resolved
from tests.codegen.otel.test_conventions import REFERS
from tests.codegen.otel.test_reading import acme, model

from telewright_codegen.cli import main
from telewright_codegen.diagnostics import Report
from telewright_codegen.emit.emitter import Pages, Target
from telewright_codegen.emit.semconv.emitter import SemconvEmitter


def filled(made, folder, text):
    """Return the page *text* with its snippets (None where it is left alone), and the report."""
    folder.mkdir(exist_ok=True)
    (folder / "page.md").write_bytes(text.encode())
    report = Report()
    found = list(SemconvEmitter().inject(made, Target(()), Pages(folder, folder), report))
    return (found[0].text if found else None), report


@pytest.fixture
def registry(tmp_path):
    """Return a model with a registry in OpenTelemetry's dialect."""
    made, _ = model(tmp_path / "specs-of", acme(**{"acme/refers.yaml": REFERS}))
    return made


def test_a_metric(registry, tmp_path):
    """A metric has its table, and one of its attributes with conditions, notes and examples."""
    text, report = filled(
        registry, tmp_path / "docs", "<!-- semconv metric.acme.load -->\nold\n<!-- endsemconv -->\n"
    )
    assert not report.diagnostics
    assert "| `acme.load` | UpDownCounter | `{thing}` | The load. |" in text
    assert "[`acme.site`](/docs/registry/entities/acme.md#acme-site)" in text
    assert "| `Conditionally Required` if known | int | How large now. | `3` |" in text
    assert "* [`acme.code`](/docs/registry/attributes/acme.md)" in text
    assert "| `0` | good |" in text
    assert "old" not in text


def test_a_registry_of_ours(tmp_path):
    """Snippets of a registry in our dialect are in the same format."""
    topic = """
        topic: rollout
        brief: Rollouts.
        group: item
        attributes:
          - {id: gym.kind, enum: Kind, members: {good: Good., bad: Bad.}, brief: Which kind.}
        metrics:
          - {counter: gym.runs, unit: "{run}", brief: Runs., attributes: {gym.kind: required}}
    """
    made = resolved(tmp_path, gym(topic)).model
    page = "<!-- semconv metric.gym.runs -->\n<!-- endsemconv -->\n"
    text, report = filled(made, tmp_path / "docs", page)
    assert not report.diagnostics
    assert "| `gym.runs` | Counter | `{run}` | Runs. |" in text
    assert "| `Required` | string | Which kind. | `good`; `bad` |" in text


BODY = """
    groups:
      - id: event.acme.said
        type: event
        name: acme.said
        brief: Somebody said something.
        stability: development
        body:
          id: acme.said
          type: map
          requirement_level: opt_in
          stability: development
          fields:
            - {id: who, type: enum, brief: Who., stability: stable, requirement_level: required,
               members: [{id: person, value: P, brief: A person., stability: stable}]}
            - id: calls
              type: map[]
              brief: The calls.
              stability: development
              requirement_level: {conditionally_required: if available}
              fields: [{id: name, type: string, brief: A name., note: Be brief., examples: [a, b]}]
"""


def test_the_body_of_an_event(tmp_path):
    """Fields of a body have a table, those of a field indented below it, values and notes after."""
    made, report = model(tmp_path / "specs-of", acme(**{"acme/body.yaml": BODY}))
    assert [str(one) for one in report] == []
    page = "<!-- semconv event.acme.said -->\n<!-- endsemconv -->\n"
    text, report = filled(made, tmp_path / "docs", page)
    assert not report.diagnostics
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert rows[2].startswith("| `calls`: |")
    assert "| `Conditionally Required` if available | map[] | The calls. | |" in rows[2]
    assert rows[3].startswith("| &nbsp;&nbsp;`name` |")
    assert rows[3].endswith("| `Recommended` | string | A name. [1] | `a`; `b` |")
    assert "| `Required` | enum | Who. | `P` |" in rows[4]
    assert "**[1]:** Be brief." in text
    assert "| `P` | A person. |" in text


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("type: map[]", "type: heap", "TW003", 17),
        ("type: event", "type: span", "TW805", 8),
        ("brief: The calls.", "breif: The calls.", "TW001", 18),
    ],
)
def test_a_body_with_a_mistake(tmp_path, old, new, code, line):
    """What is wrong in a body has a place, however deep."""
    text = BODY.replace(old, new)
    _, report = model(tmp_path, acme(**{"acme/body.yaml": text}))
    found = next(iter(report))
    assert (found.code, found.primary.place.file) == (code, "specs/acme/body.yaml")
    assert found.primary.place.line == line


def test_line_ends_and_code_stay(registry, tmp_path):
    """A page with CRLF keeps it; markers in a block of code are text."""
    page = "<!-- semconv metric.acme.load(full) -->\r\n<!-- endsemconv -->\r\n"
    text, _ = filled(registry, tmp_path / "docs", page)
    assert text.count("\n") == text.count("\r\n") > 10
    shown = "```md\n<!-- semconv metric.acme.load -->\n```\nsemconv\n"
    assert filled(registry, tmp_path / "docs", shown)[0] is None


@pytest.mark.parametrize(
    ("page", "code", "message"),
    [
        ("<!-- semconv metric.acme.lod -->\n<!-- endsemconv -->", "TW712", "no group `metric.acm"),
        ("<!-- semconv metric.acme.load(ful) -->\n<!-- endsemconv -->", "TW712", "no snippet has"),
        ("<!-- semconv metric.acme.load -->", "TW710", "`metric.acme.load` is never closed"),
        ("<!-- endsemconv -->", "TW710", "a snippet is closed that was not opened"),
        (
            (
                "<!-- semconv metric.acme.load -->\n<!-- semconv metric.acme.load -->\n"
                "<!-- endsemconv -->"
            ),
            "TW710",
            "`metric.acme.load` is never closed",
        ),
    ],
)
def test_what_is_wrong_has_a_place(registry, tmp_path, page, code, message):
    """A marker for nothing, or one without its other half, is one finding; the page stays."""
    text, report = filled(registry, tmp_path / "docs", f"\n{page}\n")
    (found,) = report.diagnostics
    assert text is None
    assert (found.code, found.primary.place.file) == (code, "page.md")
    assert found.message.startswith(message)
    assert found.primary.place.line == 2


def test_it_is_an_output(tmp_path, capsys, monkeypatch):
    """`emitter = "semconv"` fills the pages of a folder, and `--check` says when they are old."""
    for name, text in acme(**{"acme/refers.yaml": REFERS}).items():
        file = tmp_path / "specs" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(dedent(text), encoding="utf-8")
    page = tmp_path / "docs" / "load.md"
    page.parent.mkdir()
    page.write_text("# Load\n\n<!-- semconv metric.acme.load -->\n<!-- endsemconv -->\n", "utf-8")
    (tmp_path / "telewright.toml").write_text(
        '[[output]]\nemitter = "semconv"\ninto = "docs"\n', encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    assert main(["generate", "--check"]) == 1
    assert main(["generate"]) == 0, capsys.readouterr()
    assert "UpDownCounter" in page.read_text("utf-8")
    assert main(["generate", "--check"]) == 0
