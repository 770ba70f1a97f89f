"""Files that were made to break generators: each is refused, or harmless, within its limits."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from tests.shared import SHARED, shared

from telewright_codegen.cli import main

PWNED: Final = Path("/tmp/bad_spec_pwned")  # noqa: S108  where the cases try to write
LARGE: Final = 4096
"""In bytes; larger cases get a process of their own, with limits."""
_PEAK_UNIT: Final = 1 if sys.platform == "darwin" else 1024
"""How many bytes the peak of a process is counted in."""


def cases() -> list[dict[str, Any]]:
    """Return what is known about each file."""
    if SHARED is None:
        return []
    index = SHARED / "cases" / "bad_specs" / "index.jsonl"
    return [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines()]


@pytest.mark.skipif(SHARED is None, reason="needs the study material beside the checkout")
def test_all_cases_are_there() -> None:
    """The index and the folder agree, and some of its cases are good."""
    folder = shared("cases", "bad_specs")
    assert {case["file"] for case in cases()} == {
        path.name for path in folder.iterdir() if path.name != "index.jsonl"
    }
    assert {case["expect"] for case in cases()} == {"reject", "accept-inert"}


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["file"])
def test_a_case_ends_as_it_must(
    case: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Refused with a finding that has a place, or accepted; never a traceback, nothing run."""
    path = shared("cases", "bad_specs", case["file"])
    if path.stat().st_size > LARGE:
        code, out = _limited(case, path)
    else:
        code = main(["check", str(path), "--output-format", "json"])
        captured = capsys.readouterr()
        assert not captured.err
        out = captured.out
    found = [json.loads(line) for line in out.splitlines()]
    errors = [finding for finding in found if finding["severity"] == "error"]
    assert not PWNED.exists()
    if case["expect"] == "reject":
        assert code == 1
        assert errors
        assert all(finding["path"] and finding["line"] for finding in errors)
    else:
        assert not errors
        assert code == 0
        _generate(path, tmp_path, capsys)


_ALONE: Final = """
import resource, subprocess, sys
seconds = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
code = subprocess.call([sys.executable, "-m", "telewright_codegen", *sys.argv[2:]])
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
"""
"""Runs a command below a small process: what pytest itself takes would count as a child's peak."""


def _limited(case: dict[str, Any], path: Path) -> tuple[int, str]:
    """Check a file in a process that is ended where it takes more time or memory than it may."""
    command = ["check", str(path), "--output-format", "json"]
    done = subprocess.run(
        [sys.executable, "-c", _ALONE, str(int(case["max_seconds"]) + 1), *command],
        capture_output=True,
        text=True,
        check=False,
    )
    code, peak = map(int, done.stderr.split())  # and nothing else was said there
    assert peak * _PEAK_UNIT <= case["max_mib"] * 2**20
    return code, done.stdout


def _generate(path: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Generate Python from a file, and see that it is nothing but Python."""
    into = folder / "made"
    assert main(["generate", "--specs", str(path), "--emitter", "python", "--into", str(into)]) == 0
    assert not capsys.readouterr().err
    made = sorted(into.rglob("*.py"))
    assert made
    for module in made:
        data = module.read_bytes()
        assert b"\r" not in data
        ast.parse(data)
    assert not PWNED.exists()
