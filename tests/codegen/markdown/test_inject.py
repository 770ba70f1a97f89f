"""Tables between the markers of pages that people write."""

from __future__ import annotations

import pytest
from tests.codegen.checking import gym, read

from telewright_codegen.cli import main

TOPIC = """
    topic: rollout
    brief: Rollouts.
    group: item
    attributes:
      - {id: gym.kind, enum: Kind, brief: Kind., members: {a: One., b: Two.}}
    spans:
      - {name: gym.rollout.run, brief: "Run | it.", attributes: {gym.kind: required}}
    metrics:
      - {counter: gym.rollout.runs, unit: "{run}", brief: Runs.}
"""


def generate(folder, *more):
    """Fill the pages of *folder*; return the exit code."""
    read(folder, gym(TOPIC))
    specs = str(folder / "specs")
    into = str(folder / "pages")
    return main(["--specs", specs, "generate", "--emitter", "tables", "--into", into, *more])


@pytest.fixture
def page(tmp_path):
    """Return a function that writes a page."""

    def write(text, name="page.md"):
        path = tmp_path / "pages" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    return write


def test_a_table_goes_between_the_markers(tmp_path, page):
    """What was between them goes, what is around them stays."""
    path = page(
        "# Mine\n\n<!-- telewright: gym/rollout spans -->\nold\n<!-- /telewright -->\n\nafter"
    )
    assert generate(tmp_path) == 0
    text = path.read_text()
    assert text.startswith("# Mine\n\n<!-- telewright: gym/rollout spans -->\n\n| Span | ")
    assert "`gym.rollout.run` | Run \\| it. |" in text
    assert text.endswith("|\n\n<!-- /telewright -->\n\nafter")
    assert "old" not in text


def test_a_filled_page_is_up_to_date(tmp_path, page, capsys):
    """Filling twice writes once, and `--check` is content in between."""
    path = page("<!-- telewright: gym presets -->\n<!-- /telewright -->\n")
    assert generate(tmp_path, "--check") == 1
    assert path.read_text() == "<!-- telewright: gym presets -->\n<!-- /telewright -->\n"
    assert generate(tmp_path) == 0
    first = path.read_bytes()
    assert generate(tmp_path, "--check") == 0
    assert generate(tmp_path) == 0
    assert path.read_bytes() == first
    assert "0 files, 1 unchanged" in capsys.readouterr().out


def test_mdx_has_markers_of_its_own(tmp_path, page):
    """In MDX, where comments are expressions, markers are, too."""
    path = page("{/* telewright: gym groups */}\n{/* /telewright */}\n", "page.mdx")
    assert generate(tmp_path) == 0
    assert "`gym.item`" in path.read_text()


def test_line_ends_are_kept(tmp_path, page):
    """A page with CRLF has CRLF in its tables, and not a byte outside changes."""
    path = page(
        "\ufeffa\r\nb\n<!-- telewright: gym/rollout metrics -->\r\n<!-- /telewright -->\r\nc\r\n"
    )
    assert generate(tmp_path) == 0
    data = path.read_bytes()
    start, _, rest = data.partition(b"\r\n\r\n")
    table, _, end = rest.rpartition(b"\r\n\r\n")
    assert start == "\ufeffa\r\nb\n<!-- telewright: gym/rollout metrics -->".encode()
    assert end == b"<!-- /telewright -->\r\nc\r\n"
    assert table.count(b"\r\n") == table.count(b"\n") == 2


def test_indented_markers_indent_the_table(tmp_path, page):
    """Inside a list item the table stays inside it."""
    path = page("- a\n\n  <!-- telewright: gym groups -->\n  <!-- /telewright -->\n")
    assert generate(tmp_path) == 0
    assert "\n  | Group | " in path.read_text()


def test_markers_in_code_are_no_markers(tmp_path, page):
    """A page may show how markers look."""
    text = "```md\n<!-- telewright: gym spans -->\n```\n\n~~~~\n```\n<!-- /telewright -->\n~~~~\n"
    path = page(text)
    assert generate(tmp_path) == 0
    assert path.read_text() == text


OPEN = "<!-- telewright: gym groups -->\n"
CLOSE = "<!-- /telewright -->\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"\n{OPEN}", "2:1: TW710 `gym groups` is never closed"),
        (f"a\n{CLOSE}", "2:1: TW710 a table is closed that was not opened"),
        (CLOSE + OPEN, "1:1: TW710 a table is closed that was not opened"),
        (CLOSE + OPEN, "2:1: TW710 `gym groups` is never closed"),
        (f"{OPEN}{{/* /telewright */}}\n", "2:1: TW710 `gym groups` is closed by a marker"),
        (f"{OPEN}<!-- telewright: gym spans -->\n{CLOSE}{CLOSE}", "2:1: TW711 `gym spans` is"),
        (OPEN + OPEN + CLOSE, "2:1: TW711 `gym groups` is opened inside `gym groups`"),
        (OPEN + CLOSE + OPEN + CLOSE, "3:1: TW711 `gym groups` is on this page twice"),
        (OPEN.replace("gym", "gmy") + CLOSE, "1:1: TW712 no registry `gmy`"),
        (OPEN.replace("gym", "gym/rolout") + CLOSE, "1:1: TW712 no topic `rolout` in `gym`"),
        (OPEN.replace("gym", "gym/rollout") + CLOSE, "1:1: TW712 no table `groups` of a topic"),
        (OPEN.replace(" groups", "") + CLOSE, "1:1: TW712 no table `` of a registry"),
    ],
)
def test_a_wrong_marker_is_found_and_the_page_untouched(tmp_path, page, capsys, text, found):
    """Missing, doubled, nested and out-of-order markers are named with their line."""
    path = page(text)
    assert generate(tmp_path, "--output-format", "concise") == 1
    assert f"page.md:{found}" in capsys.readouterr().out
    assert path.read_text() == text


def test_one_wrong_page_keeps_all_from_being_written(tmp_path, page):
    """All or none: a page in order waits until the other one is."""
    page("<!-- telewright: gym groups -->\n", "a.md")
    good = page("<!-- telewright: gym groups -->\n<!-- /telewright -->\n", "b.md")
    assert generate(tmp_path) == 1
    assert good.read_text().count("\n") == 2


def test_pages_that_are_not_utf8_are_named(tmp_path, page, capsys):
    """A page with a marker that cannot be decoded is a finding; others are nobody's business."""
    folder = page("").parent
    (folder / "other.md").write_bytes(b"caf\xe9\n")
    assert generate(tmp_path) == 0
    (folder / "other.md").write_bytes(b"caf\xe9 <!-- telewright: gym groups -->\n")
    assert generate(tmp_path) == 1
    assert "TW713" in capsys.readouterr().out


def test_every_table_can_be_had(tmp_path, page):
    """Each table of a topic and of a registry has a name and comes out as Markdown."""
    from telewright_codegen.emit.markdown.tables import OF_REGISTRY, OF_TOPIC  # noqa: PLC0415  here alone

    wanted = [f"gym/rollout {name}" for name in OF_TOPIC] + [f"gym {name}" for name in OF_REGISTRY]
    path = page("".join(f"<!-- telewright: {one} -->\n<!-- /telewright -->\n" for one in wanted))
    assert generate(tmp_path) == 0
    parts = path.read_text().split("<!-- /telewright -->\n")[:-1]
    assert len(parts) == len(wanted)
    assert all("| --- |" in part or "None." in part for part in parts)
    assert sum("| --- |" in part for part in parts) > len(wanted) // 2


def test_one_page_can_be_meant(tmp_path, page):
    """Where `--into` is a page, nothing beside it is read or written."""
    path = page("<!-- telewright: gym groups -->\n<!-- /telewright -->\n", "a.md")
    other = page("<!-- telewright: gym groups -->\n", "b.md")
    read(tmp_path, gym(TOPIC))
    specs = str(tmp_path / "specs")
    for emitter in ("tables", "markdown"):
        assert main(["--specs", specs, "generate", "--emitter", emitter, "--into", str(path)]) == 0
    assert "| Group |" in path.read_text()
    assert other.read_text() == "<!-- telewright: gym groups -->\n"


def test_pages_beside_generated_ones_link_to_them(tmp_path, page):
    """The emitter of pages also fills those that people keep in its folder, with links."""
    path = page("<!-- telewright: gym/rollout spans -->\n<!-- /telewright -->\n", "mine/guide.md")
    read(tmp_path, gym(TOPIC))
    into = str(tmp_path / "pages")
    specs = str(tmp_path / "specs")
    assert main(["--specs", specs, "generate", "--emitter", "markdown", "--into", into]) == 0
    assert "[`gym.rollout.run`](../rollout.md#span-gymrolloutrun)" in path.read_text()


def test_a_page_that_changed_is_filled_again(tmp_path, page, monkeypatch, capsys):
    """A run that could believe that nothing changed looks at pages, new ones included."""
    monkeypatch.delenv("CI", raising=False)
    read(tmp_path, gym(TOPIC))
    output = '[[output]]\nemitter = "tables"\ninto = "pages"\n'
    (tmp_path / "telewright.toml").write_text(f'specs = "specs"\n\n{output}', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    path = page(OPEN + CLOSE, "a.md")
    plain = page("Nothing here.\n", "b.md")
    for _ in range(2):
        assert main(["generate"]) == 0
    capsys.readouterr()
    path.write_text(OPEN + "spoilt\n" + CLOSE)
    plain.write_text(OPEN + CLOSE)
    added = page(OPEN + CLOSE, "c.md")
    assert main(["generate"]) == 0
    assert "Wrote 3 files" in capsys.readouterr().out
    for one in (path, plain, added):
        assert "`gym.item`" in one.read_text()
    assert "spoilt" not in path.read_text()
