"""What a person sees, whole: each case is specs, and the exact text that checking them prints.

`TELEWRIGHT_GOLDEN=write` rewrites the texts; read the difference afterwards.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest
from tests import blocks

from telewright_codegen.cli import main

HERE: Final = Path(__file__).parent
CASES: Final = sorted(HERE.glob("*.yaml"))
QUIET: Final = ("--select", "TW0")
"""Opinions are shown by the pages of their rules."""
FORMATS: Final = ("full", "concise", "json", "github")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
@pytest.mark.parametrize("form", FORMATS)
def test_the_text_is_exactly_this(
    case: Path,
    form: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Findings of a case, in a format that the case has a text for, read as that text does."""
    expected = HERE / f"{case.stem}.{'txt' if form == 'full' else f'{form}.txt'}"
    if form != "full" and not expected.exists():
        pytest.skip(f"the case has no {form} text")
    blocks.write(case.read_text(encoding="utf-8"), tmp_path)
    monkeypatch.chdir(tmp_path)
    code = main(["check", "--output-format", form, *QUIET])
    shown = capsys.readouterr().out
    assert code == (1 if "error" in shown else 0)
    if os.environ.get("TELEWRIGHT_GOLDEN") == "write":
        expected.write_text(shown, encoding="utf-8")
    assert shown == expected.read_text(encoding="utf-8")


def test_every_text_has_a_case() -> None:
    """No text is left over from a case that is gone."""
    stems = {case.stem for case in CASES}
    assert {text.name.partition(".")[0] for text in HERE.glob("*.txt")} == stems
