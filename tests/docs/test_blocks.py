"""Every block of the documentation does what the page says it does."""

from __future__ import annotations

import doctest
import json
import subprocess
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from tests.docs.pages import ELSEWHERE, Block, blocks, pages
from tests.docs.sandbox import checkout, python, shell, variables

_RUNNER = """
import ast, asyncio, inspect, json, sys

async def run(blocks):
    space = {"__name__": "__main__"}
    for place, line, text in blocks:
        code = compile("\\n" * line + text, place, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        result = eval(code, space)
        if inspect.iscoroutine(result):
            await result

asyncio.run(run(json.load(sys.stdin)))
"""


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory):
    """A checkout that a page may not change; what it writes stays in a copy."""
    return checkout(tmp_path_factory.mktemp("checkout"))


@pytest.mark.parametrize("page", pages())
def test_blocks_name_their_language(page):
    """A block says what it is written in, so that it is known how to run it."""
    for block in blocks(page):
        assert block.language in {"python", *STEPS}, f"{block.place}: {block.language!r}"


@pytest.mark.long
@pytest.mark.parametrize("page", [page for page in pages() if blocks(page)])
def test_blocks_run(page, tmp_path):
    """The page's steps, taken in order in a fresh checkout, work and print what it shows."""
    run(blocks(page), checkout(tmp_path / "checkout"))


@pytest.mark.parametrize(
    "block",
    [block for page in pages() for block in blocks(page) if block.is_excerpt],
    ids=lambda block: block.place,
)
def test_excerpts_are_excerpts(block, newcomer):
    """The lines of an excerpt stand, in that order, in a file that works."""
    whole = (newcomer / block.reason).read_text()
    lines, position = whole.splitlines(), 0
    for line in block.text.rstrip("\n").splitlines():
        if line.strip() in {"...", "# ...", ""} or line.startswith(f"# {block.reason}"):
            continue
        assert line in lines[position:], f"{block.place}: {block.reason} has no line {line!r} there"
        position = lines.index(line, position) + 1
    if block.language == "python":
        run_program([(block.reason, 0, whole)], newcomer)
    else:
        check(replace(block, text=f"# {block.reason}\n{whole}"), newcomer)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", "import telewright.nowhere"),
        ("python", "# demo/broken.py\ndef f(:"),
        ("python", "async def f(): ...\nawait f()\nassert False"),
        ("bash", "telewright check && false"),
        ("bash", "no-such-command | cat"),
        ("console", "$ echo a\nb"),
        ("yaml", "spans: [{name: a.b, brief: x, knid: internal}]"),
        ("yaml", "# specs/gym/broken.yaml\ntopic: [broken"),
        ("toml", "[tool.telewright"),
        ("json", "{"),
        ("diff", "--- a/README.md\n+++ b/README.md\n@@\n-no such line\n+another"),
    ],
)
def test_a_broken_block_is_noticed(language, text, newcomer):
    """Whatever a block is written in, one that does not work fails its page."""
    with pytest.raises((AssertionError, SyntaxError, ValueError)):
        run([Block("page.md", 1, language, text + "\n", None, "")], newcomer)


@pytest.mark.parametrize("word", ["not run", "not a spec", "slow"])
def test_nothing_excuses_a_block(word, tmp_path, monkeypatch):
    """There is no comment by which a page could keep a block from being run."""
    (tmp_path / "a.md").write_text(f"<!-- {word}: really -->\n\n```python\n1 / 0\n```\n")
    monkeypatch.setattr("tests.docs.pages.ROOT", tmp_path)
    (block,) = blocks("a.md")
    assert block.note is None


def test_pages_with_tests_of_their_own_have_no_programs():
    """Rules show specs, which a test of theirs checks, and conventions nothing that runs."""
    elsewhere = [page for page in pages(generated=True) if page.startswith(ELSEWHERE)]
    shown = {
        (page.split("/")[1], block.language)
        for page in elsewhere
        if page.startswith("docs/")
        for block in blocks(page)
    }
    assert shown <= {("rules", "yaml"), ("rules", "markdown"), ("conventions", "mermaid")}


def run(found: list[Block], home: Path) -> None:
    """Take the steps of a page, and run its program at the end."""
    program: list[tuple[str, int, str]] = []
    for block in found:
        if block.is_excerpt:
            continue
        if block.file and block.language != "yaml":
            write(home, block)
        if block.language == "python":
            program.append((block.page, block.line, block.text))
        else:
            STEPS[block.language](block, home)
    run_program(program, home)


def write(home: Path, block: Block) -> None:
    """Write the block to the file it names."""
    assert block.file is not None
    path = home / block.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text)


def edit(block: Block, home: Path) -> None:
    """Change a file as the page's diff shows: each hunk names lines that stand there once."""
    head, *hunks = block.text.split("@@\n")
    path = home / head.splitlines()[1].removeprefix("+++ b/")
    text = path.read_text()
    for hunk in hunks:
        lines = [line or " " for line in hunk.splitlines()]
        before = "".join(line[1:] + "\n" for line in lines if line[0] in " -")
        after = "".join(line[1:] + "\n" for line in lines if line[0] in " +")
        assert text.count(before) == 1, f"{block.place}: {path.name} does not hold\n{before}"
        text = text.replace(before, after)
    path.write_text(text)


def take(block: Block, home: Path) -> None:
    """Run a shell block; where it shows output, that is what comes."""
    if block.language == "bash":
        done = shell(block.text, home)
        assert done.returncode == 0, f"{block.place}:\n{done.stdout}"
        return
    for part in block.text.split("$ ")[1:]:
        command, _, shown = part.partition("\n")
        done = shell(command, home)
        options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        same = not shown or doctest.OutputChecker().check_output(shown, done.stdout, options)
        assert same, f"{block.place}: {command} printed\n{done.stdout}"


def check(block: Block, home: Path) -> None:
    """Hold a spec against the language: in the registry it names, or by itself."""
    if block.file:
        write(home, block)
        folder = (home / block.file).parent
        where = home / "specs" if folder.parent == home / "specs" else folder
    else:
        where = home / "example.yaml"
        head = (
            ""
            if block.text.startswith(("topic:", "registry:"))
            else "topic: example\nbrief: An example.\n"
        )
        where.write_text(head + block.text)
    done = subprocess.run(
        [python(home), "-m", "telewright_codegen", "check", "--specs", str(where)],
        cwd=home,
        env=variables(home),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{block.place}:\n{done.stdout}{done.stderr}"


def nothing(block: Block, home: Path) -> None:
    """Leave a block that only shows something."""


STEPS = {
    "bash": take,
    "console": take,
    "diff": edit,
    "json": lambda block, _: json.loads(block.text),
    "markdown": nothing,
    "mdx": nothing,
    "mermaid": nothing,
    "text": nothing,
    "toml": lambda block, _: tomllib.loads(block.text),
    "yaml": check,
}


def run_program(program: list[tuple[str, int, str]], home: Path) -> None:
    """Run the Python blocks of a page one after another in one process."""
    if not program:
        return
    done = subprocess.run(
        [python(home), "-c", _RUNNER],
        cwd=home,
        env=variables(home),
        input=json.dumps(program),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
