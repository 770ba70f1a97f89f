"""Text of authors in MDX itself, where braces are programs and angle brackets are components.

Needs Node.js, and `@mdx-js/mdx`, `remark-gfm` and `react` as npm installs them: in `node_modules`
of this repository, or where `TELEWRIGHT_NODE_MODULES` says.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest
from tests.codegen.markdown.test_inert import BRIEFS, HARMLESS, MARKUP, read

from telewright_codegen.emit.markdown import inert

pytestmark = pytest.mark.system

ROOT: Final = Path(__file__).resolve().parents[3]
READER: Final = """
import {evaluate} from '@mdx-js/mdx'
import {readFileSync} from 'node:fs'
import * as runtime from 'react/jsx-runtime'
import remarkGfm from 'remark-gfm'

function walk(node, seen) {
  if (node == null || typeof node === 'boolean') return seen
  if (typeof node !== 'object') seen.text += node
  else if (Array.isArray(node)) node.forEach((one) => walk(one, seen))
  else if (typeof node.type === 'function') walk(node.type(node.props), seen)
  else {
    if (typeof node.type === 'string') seen.elements.push(node.type)
    walk(node.props.children, seen)
  }
  return seen
}

const found = []
for (const page of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  try {
    const made = await evaluate(page, {...runtime, remarkPlugins: [remarkGfm]})
    found.push(walk(made.default({}), {text: '', elements: []}))
  } catch (error) {
    found.push({error: String(error.message || error)})
  }
}
console.log(JSON.stringify(found))
"""


@pytest.fixture(scope="module")
def evaluate(tmp_path_factory):
    """Return a function that evaluates pages as MDX: text and elements, or the error."""
    node = shutil.which("node")
    modules = Path(os.environ.get("TELEWRIGHT_NODE_MODULES", ROOT / "node_modules"))
    if node is None or not (modules / "@mdx-js" / "mdx").is_dir():
        pytest.skip("needs Node.js and @mdx-js/mdx, as `npm install` brings it")
    folder = tmp_path_factory.mktemp("mdx")
    (folder / "node_modules").symlink_to(modules.resolve())
    (folder / "read.mjs").write_text(READER, encoding="utf-8")

    def run(pages):
        (folder / "pages.json").write_text(json.dumps(pages), encoding="utf-8")
        command = [
            node,
            "--preserve-symlinks",
            "--preserve-symlinks-main",
            "read.mjs",
            "pages.json",
        ]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    return run


def mixtures():
    """Return the known briefs, and many mixtures of the same marks."""
    chance = random.Random(7)  # noqa: S311  nothing here is a secret
    made = ["".join(chance.choices(MARKUP, k=chance.randint(1, 30))) for _ in range(500)]
    return [one for one in (*BRIEFS, *made) if one.strip()]


def test_text_is_text_in_mdx(evaluate):
    """In cells and as paragraphs, MDX shows what was written, and runs none of it."""
    briefs = mixtures()
    cells = [f"| A | B |\n| --- | --- |\n| {inert.text(one)} | next |\n" for one in briefs]
    paragraphs = [f"before\n\n{inert.text(one)}\n\nnext\n" for one in briefs]
    for brief, cell, paragraph in zip(briefs, evaluate(cells), evaluate(paragraphs), strict=True):
        for seen, around in ((cell, "AB{}next"), (paragraph, "before{}next")):
            assert "error" not in seen, (brief, seen)
            assert "".join(seen["text"].split()) == around.replace(
                "{}", "".join(read(brief).split())
            )
            assert set(seen["elements"]) <= HARMLESS, brief


def test_generated_pages_are_mdx(evaluate):
    """Every page of the conventions can be read as MDX, but for the comment in its first line."""
    pages = [
        path.read_text(encoding="utf-8").partition("\n")[2]
        for path in sorted((ROOT / "docs" / "conventions").rglob("*.md"))
    ]
    assert [one["error"] for one in evaluate(pages) if "error" in one] == []


def test_what_is_not_escaped_runs(evaluate):
    """The comparison is not blind: as they are, such texts break pages or are evaluated."""
    (sum_of_two, open_brace) = evaluate(["{1 + 1}", "{"])
    assert sum_of_two["text"] == "2"
    assert "error" in open_brace
