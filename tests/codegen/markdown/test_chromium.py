"""The generated pages in a real browser: every diagram is drawn, and no markup is left over.

Needs Chromium, and mermaid as npm installs it: in `node_modules` of this repository, or where
`TELEWRIGHT_MERMAID` says (the path of `mermaid.min.js`).
"""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest
from markdown_it import MarkdownIt

pytestmark = pytest.mark.system

ROOT: Final = Path(__file__).resolve().parents[3]
CONVENTIONS: Final = ROOT / "docs" / "conventions"
FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=60000",
    "--dump-dom",
)
LEFTOVERS: Final = re.compile(r"\*\*|\]\(|\| ---|<a id|&#\d+;|```|\{%|^#{1,4} ", re.MULTILINE)
"""What a reader sees of Markdown that was not understood."""


class Shown(HTMLParser):
    """What a browser shows of a page: text that is no code, and what became of diagrams."""

    def __init__(self, dom):
        """Read the *dom* that a browser wrote out."""
        super().__init__()
        self.text = ""
        self.drawn = 0
        self.failed = 0
        self._inside = []
        self.feed(dom)

    def handle_starttag(self, tag, attrs):
        """Count drawings; a failed one is a drawing too, of a bomb."""
        found = dict(attrs)
        if tag == "svg" and str(found.get("id", "")).startswith("mermaid"):
            self.drawn += 1
        if "error-icon" in str(found.get("class", "")):
            self.failed += 1
        if tag in ("script", "style", "code", "svg"):
            self._inside.append(tag)

    def handle_endtag(self, tag):
        """Leave what is not read."""
        if self._inside and self._inside[-1] == tag:
            self._inside.pop()

    def handle_data(self, data):
        """Take text that people read as prose."""
        if not self._inside:
            self.text += data


@pytest.fixture(scope="module")
def browse(tmp_path_factory):
    """Return a function that shows Markdown in a browser."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("needs Chromium")
    mermaid = Path(
        os.environ.get("TELEWRIGHT_MERMAID", ROOT / "node_modules/mermaid/dist/mermaid.min.js")
    )
    if not mermaid.is_file():
        pytest.skip("needs mermaid, as `npm install mermaid` brings it")

    def fence(_self, tokens, index, _options, _env):
        kind, text = tokens[index].info.strip(), html.escape(tokens[index].content)
        return f'<pre class="mermaid">{text}</pre>' if kind == "mermaid" else f"<code>{text}</code>"

    renderer = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    renderer.add_render_rule("fence", fence)

    def show(*pages):
        folder = tmp_path_factory.mktemp("page")
        body = "<hr>".join(map(renderer.render, pages))
        page = folder / "page.html"
        page.write_text(
            f"<!doctype html><meta charset=utf-8><body>{body}<script src='{mermaid.as_uri()}'>"
            "</script><script>mermaid.initialize({startOnLoad: true, maxEdges: 5000})</script>",
            encoding="utf-8",
        )
        command = [chromium, *FLAGS, f"--user-data-dir={folder / 'profile'}", page.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
        return Shown(done.stdout)

    return show


def test_every_diagram_is_drawn(browse):
    """Mermaid understands every diagram of the conventions."""
    pages = [path.read_text(encoding="utf-8") for path in sorted(CONVENTIONS.rglob("*.md"))]
    shown = browse(*pages)
    assert shown.drawn == sum(page.count("```mermaid") for page in pages) > 10
    assert shown.failed == 0
    assert "Syntax error" not in shown.text


def test_no_markup_is_left_over(browse):
    """What was meant as Markdown is shown as what it means."""
    pages = [path.read_text(encoding="utf-8") for path in sorted(CONVENTIONS.rglob("*.md"))]
    assert LEFTOVERS.findall(browse(*pages).text) == []


def test_a_broken_page_is_noticed(browse):
    """A diagram that cannot be drawn, and markup that stands where it means nothing, are seen."""
    shown = browse("```mermaid\nflowchart LR\n  a --> --> b[\n```\n\na \\*\\*b\\*\\* c\n")
    assert shown.failed > 0
    assert LEFTOVERS.findall(shown.text) == ["**", "**"]
