"""Each rule has a page, and each page is true: its blocks are run, and find what they announce."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from tests import blocks
from tests.docs.places import PLACES

import telewright_codegen
from telewright_codegen import pipeline
from telewright_codegen.cli import main
from telewright_codegen.config import Config, ConfigError, Output, default, read
from telewright_codegen.diagnostics import Report
from telewright_codegen.load.discover import LARGEST, discover
from telewright_codegen.source import Place

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = sorted((ROOT / "docs" / "rules").glob("TW*.md"))
_HEAD: Final = re.compile(
    r"# (TW\d{3}) [a-z][a-z0-9]*(-[a-z0-9]+)*\n\n"
    r"\*\*What it does\.\*\* .+?\n\n\*\*Why it matters\.\*\* ",
    re.DOTALL,
)
_BLOCK: Final = re.compile(r"^(Use instead:\n\n)?```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ANNOUNCED: Final = re.compile(r"# (error|warning): \[(TW\d{3}(?:, TW\d{3})*)\]$")

Found = set[tuple[str, int, str, str]]
"""File, line, severity, code."""


def _not_utf8(folder: Path) -> Report:
    (folder / "one.yaml").write_bytes("topic: f\xfcr\n".encode("latin-1"))
    return _checked(default(folder / "one.yaml"))


def _too_large(folder: Path) -> Report:
    (folder / "one.yaml").write_bytes(b"#" * (LARGEST + 1))
    return _checked(default(folder / "one.yaml"))


def _missing(folder: Path) -> Report:
    return _checked(default(folder / "none.yaml"))


def _pipe(folder: Path) -> Report:
    os.mkfifo(folder / "one.yaml")
    return _checked(default(folder / "one.yaml"))


def _no_registry(folder: Path) -> Report:
    return _checked(default(folder))


def _backup(folder: Path) -> Report:
    (folder / "one.yaml~").write_text("topic: one\n", encoding="utf-8")
    return _checked(default(folder / "one.yaml~"))


def _two_packages(folder: Path) -> Report:
    for package in ("one", "two"):
        info = folder / "site" / f"{package}-1.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
        (info / "entry_points.txt").write_text(f"[telewright.registries]\nacme = {package}\n")
    (folder / "specs").mkdir()
    (folder / "specs" / "registry.yaml").write_text(
        blocks.REGISTRY + "uses: [acme]\n", encoding="utf-8"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder / "site"))
        return _checked(default(folder / "specs"))


def _filled(folder: Path, page: bytes) -> Report:
    """Return what is found while tables go into a page."""
    specs = folder / "specs"
    specs.mkdir()
    (specs / "registry.yaml").write_text(blocks.REGISTRY, encoding="utf-8")
    (folder / "page.md").write_bytes(page)
    report = Report()
    outputs = (Output("tables", folder / "page.md"),)
    pipeline.generate(default(specs)._replace(outputs=outputs), report, check=True)
    return report


def _unclosed(folder: Path) -> Report:
    return _filled(folder, b"<!-- telewright: gym groups -->\n")


def _nested_marker(folder: Path) -> Report:
    return _filled(folder, b"<!-- telewright: gym groups -->\n<!-- telewright: gym spans -->\n")


def _nothing(folder: Path) -> Report:
    return _filled(folder, b"<!-- telewright: gym gruops -->\n<!-- /telewright -->\n")


def _latin_page(folder: Path) -> Report:
    return _filled(folder, "telewright f\u00fcr alle\n".encode("latin-1"))


def _misspelled(folder: Path) -> Report:
    (folder / "telewright.toml").write_text("spces = 'specs'\n", encoding="utf-8")
    report = Report()
    try:
        read(folder / "telewright.toml")
    except ConfigError as error:
        report.error("TW036", str(error), Place("telewright.toml", error.line, error.column))
    return report


def _edited(folder: Path) -> Report:
    (folder / "registry.yaml").write_text(blocks.REGISTRY, encoding="utf-8")
    (folder / "vendored.json").write_text('{"sha256": "0"}\n', encoding="utf-8")
    return _checked(default(folder))


PROVOKED: Final[dict[str, Callable[[Path], Report]]] = {
    "TW011": _not_utf8,
    "TW020": _too_large,
    "TW030": _missing,
    "TW031": _pipe,
    "TW032": _no_registry,
    "TW033": _backup,
    "TW035": _two_packages,
    "TW036": _misspelled,
    "TW037": _edited,
    **PLACES,
    "TW710": _unclosed,
    "TW711": _nested_marker,
    "TW712": _nothing,
    "TW713": _latin_page,
}
"""What no block of text can show: from the code to how it comes about in an empty folder."""


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    """The codes in the generator's source and the pages are the same."""
    source = Path(telewright_codegen.__file__).parent
    raised = {code for module in source.rglob("*.py") for code in _codes(module)}
    assert raised == {page.stem for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_the_headings_that_all_have(page: Path) -> None:
    """Title with code and name, what the rule does, why it matters: in this order."""
    text = page.read_text(encoding="utf-8")
    head = _HEAD.match(text)
    assert head, "see any other page for the form"
    assert head[1] == page.stem
    assert max(map(len, text.splitlines())) <= 180


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_shows_its_rule(page: Path, tmp_path: Path) -> None:
    """The code of a page is announced by one of its blocks, or is known to come about otherwise."""
    if page.stem in PROVOKED:
        report = PROVOKED[page.stem](tmp_path)
        assert page.stem in {found.code for found in report}
    else:
        announced = {code for *_, block in _blocks(page) for *_, code in _announced(block)}
        assert page.stem in announced


@pytest.mark.parametrize(
    ("page", "number"),
    [
        pytest.param(page, number, id=f"{page.stem}-{number}")
        for page in PAGES
        for number, _ in enumerate(_BLOCK.findall(page.read_text(encoding="utf-8")))
    ],
)
def test_a_block_finds_what_it_announces(page: Path, number: int, tmp_path: Path) -> None:
    """Checking a block finds exactly what its comments say, and nothing under "Use instead"."""
    is_better, block = _blocks(page)[number]
    announced = _announced(block)
    assert bool(announced) is not is_better
    assert _run(block, tmp_path) == announced


def test_a_block_that_announces_too_much_fails(tmp_path: Path) -> None:
    """The comparison is two-sided: a clean block finds nothing, whatever it announces."""
    block = "attributes:\n  - id: gym.a\n    type: int\n    brief: Fine.  # error: [TW001]\n"
    assert _announced(block)
    assert _run(block, tmp_path) == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_explain_prints_the_page(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`telewright explain CODE` prints the page as it is."""
    assert main(["explain", page.stem]) == 0
    assert capsys.readouterr().out == page.read_text(encoding="utf-8")


def _codes(module: Path) -> set[str]:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"TW\d{3}", node.value)
    }


def _blocks(page: Path) -> list[tuple[bool, str]]:
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [(bool(better), block) for better, block in found]


def _announced(block: str) -> Found:
    found: Found = set()
    for name, file in blocks.files(block).items():
        for number, line in enumerate(file.text.splitlines(), start=1):
            match = _ANNOUNCED.search(line)
            if match:
                codes = match[2].split(", ")
                found |= {(name, number + file.before, match[1], code) for code in codes}
    return found


def _run(block: str, folder: Path) -> Found:
    files = blocks.write(block, folder)
    found: Found = set()
    for diagnostic in _checked(default(folder / "specs")):
        assert diagnostic.primary is not None
        place = diagnostic.primary.place
        name = place.file.removeprefix("specs/gym/")
        if name in files:  # what surrounds the block is not on show
            line = place.line + files[name].before
            found.add((name, line, str(diagnostic.severity), diagnostic.code))
    return found


def _checked(config: Config) -> Report:
    report = Report()
    if not config.specs.exists():
        discover(config, report)
        return report
    pipeline.model(config, report)
    return report
