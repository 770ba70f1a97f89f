"""The Markdown pages of the project, and what is in them: blocks, notes to the tests, links."""

from __future__ import annotations

import functools
import itertools
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt

ROOT: Final = Path(__file__).resolve().parents[2]

ELSEWHERE: Final = ("docs/rules/", "docs/conventions/", "tests/", "changelog.d/")
"""Rule pages have a test of their own, conventions are generated, tests hold bad pages."""

_NOTE: Final = re.compile(
    r"<!--\s*(?P<word>before|excerpt of)\b:?\s*(?P<text>.*?)\s*-->", re.DOTALL
)
_NAMED: Final = re.compile(r"#\s*(?P<path>[\w./-]+\.(?:py|ya?ml|toml))\s*(?P<more>\(.*\))?\s*\n")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a page, with the note in the comment that stands right before it."""

    page: str
    line: int
    language: str
    text: str
    note: str | None
    reason: str

    @property
    def place(self) -> str:
        """Where a person finds the block."""
        return f"{self.page}:{self.line}"

    @property
    def file(self) -> str | None:
        """The file that the first line of the block says it is."""
        match = _NAMED.match(self.text)
        return match["path"] if match else None

    @property
    def is_excerpt(self) -> bool:
        """Whether the block shows lines of a file, which is run itself."""
        return self.note == "excerpt of"


def pages(*, generated: bool = False) -> list[str]:
    """Return every page that is under version control, or is about to be."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "*.md"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    names = sorted(name for name in listed.stdout.split() if (ROOT / name).is_file())
    return [name for name in names if generated or not name.startswith(ELSEWHERE)]


def blocks(page: str) -> list[Block]:
    """Return the fenced blocks of *page* in order."""
    found: list[Block] = []
    note, reason = None, ""
    for token in MarkdownIt().parse((ROOT / page).read_text()):
        if token.type == "html_block" and (match := _NOTE.search(token.content)):
            note, reason = match["word"], match["text"]
            if note == "before":
                line = (token.map or [0])[0] + 1
                found.append(Block(page, line, "python", reason + "\n", note, reason))
                note, reason = None, ""
        elif token.type == "fence":
            line = (token.map or [0])[0] + 1
            found.append(Block(page, line, token.info.strip(), token.content, note, reason))
            note, reason = None, ""
        elif token.level == 0 and token.type.endswith("_open"):
            note, reason = None, ""
    return found


def links(page: str) -> list[tuple[int, str]]:
    """Return the targets of the links and pictures of *page*, each with its line."""
    found: list[tuple[int, str]] = []
    for token in MarkdownIt().enable("table").parse((ROOT / page).read_text()):
        for child in token.children or ():
            target = child.attrs.get("href") or child.attrs.get("src")
            if target:
                found.append(((token.map or [0])[0] + 1, str(target)))
    return found


@functools.cache
def anchors(page: Path) -> set[str]:
    """Return what a link into *page* may name after its ``#``."""
    tokens = MarkdownIt().enable("table").parse(page.read_text())
    found: set[str] = set()
    for opening, inline in itertools.pairwise(tokens):
        if opening.type == "heading_open":
            words = "".join(child.content for child in inline.children or ())
            found.add(re.sub(r"[^\w\- ]", "", words.lower()).strip().replace(" ", "-"))
    found.update(re.findall(r'<a (?:id|name)="([^"]+)"', page.read_text()))
    return found
