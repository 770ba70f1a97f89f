"""Every link of the documentation leads somewhere."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from tests.docs.pages import ROOT, anchors, links, pages


def broken(page: str) -> list[str]:
    """Return the links of *page* that lead nowhere; addresses on the net are not asked."""
    found = []
    for line, target in links(page):
        parts = urlsplit(target)
        if parts.scheme or parts.netloc:
            continue
        goal = (ROOT / page).parent / unquote(parts.path) if parts.path else ROOT / page
        if not goal.exists():
            found.append(f"{page}:{line}: no {target}")
        elif parts.fragment and goal.suffix == ".md" and parts.fragment not in anchors(goal):
            found.append(f"{page}:{line}: no heading {target}")
    return found


@pytest.mark.parametrize("page", pages(generated=True))
def test_links_resolve(page):
    """Each relative link of the page names a file that exists, and a heading that it has."""
    assert broken(page) == []


def test_a_broken_link_is_found(tmp_path, monkeypatch):
    """A link to a missing file and one to a missing heading are both reported."""
    (tmp_path / "a.md").write_text("# A title\n\n[x](b.md) [y](#nowhere) [z](#a-title)\n")
    monkeypatch.setattr("tests.docs.test_links.ROOT", Path(tmp_path))
    monkeypatch.setattr("tests.docs.pages.ROOT", Path(tmp_path))
    assert broken("a.md") == ["a.md:3: no b.md", "a.md:3: no heading #nowhere"]


def test_the_index_knows_every_page_of_the_guide():
    """Whoever begins at the index finds each of them."""
    linked = {target for _, target in links("docs/index.md")}
    assert {f"guide/{path.name}" for path in (ROOT / "docs/guide").glob("*.md")} <= linked
