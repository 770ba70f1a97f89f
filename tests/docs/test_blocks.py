"""Every block of the documentation does what the page says it does."""

from __future__ import annotations

import doctest
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from tests.docs.pages import Block, blocks, pages
from tests.docs.sandbox import checkout, shell, variables

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
def test_blocks_name_their_language_and_their_excuse(page):
    """A block says what it is written in, and one that is not run says why."""
    for block in blocks(page):
        assert block.language in {"python", *STEPS}, f"{block.place}: {block.language!r}"
        if block.note == "not run":
            assert len(block.reason) > 10, f"{block.place}: not run, and no reason"


@pytest.mark.parametrize("page", [page for page in pages() if any(b.is_run for b in blocks(page))])
def test_blocks_run(page, tmp_path):
    """The page's steps, taken in order in a fresh checkout, work and print what it shows."""
    home = checkout(tmp_path / "checkout")
    program: list[tuple[str, int, str]] = []
    for block in blocks(page):
        if not block.is_run:
            continue
        if block.file and block.language != "yaml":
            write(home, block)
        elif block.language == "python":
            program.append((block.page, block.line, block.text))
        else:
            STEPS[block.language](block, home)
    run_program(program, home)


@pytest.mark.parametrize(
    "block",
    [block for page in pages() for block in blocks(page) if block.note == "excerpt of"],
    ids=lambda block: block.place,
)
def test_excerpts_are_excerpts(block, newcomer):
    """The lines of an excerpt stand in the file it is taken from, in that order."""
    whole = (newcomer / block.reason).read_text().splitlines()
    position = 0
    for line in block.text.rstrip("\n").splitlines():
        if line.strip() in {"...", "# ...", ""} or line.startswith(f"# {block.reason}"):
            continue
        assert line in whole[position:], f"{block.place}: {block.reason} has no line {line!r} there"
        position = whole.index(line, position) + 1


def write(home: Path, block: Block) -> None:
    """Write the block to the file it names, and compile it if it is Python."""
    assert block.file is not None
    path = home / block.file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text)
    if path.suffix == ".py":
        compile(block.text, block.place, "exec")


def edit(block: Block, home: Path) -> None:
    """Change a file as the page's diff shows: each hunk names lines that stand there once."""
    head, *hunks = block.text.split("@@\n")
    path = home / head.splitlines()[1].removeprefix("+++ b/")
    text = path.read_text()
    for hunk in hunks:
        lines = hunk.splitlines()
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
    if block.note == "not a spec":
        yaml.safe_load(block.text)
        return
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
        [sys.executable, "-m", "telewright_codegen", "check", "--specs", str(where)],
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
        [sys.executable, "-c", _RUNNER],
        cwd=home,
        env=variables(home),
        input=json.dumps(program),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
