"""Files that were made to break generators: each is refused, or harmless, within its limits."""

from __future__ import annotations

import ast
import json
import os
import resource
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


def _limited(case: dict[str, Any], path: Path) -> tuple[int, str]:
    """Check a file in a process that is ended where it takes more time or memory than it may."""
    seconds = int(case["max_seconds"]) + 1

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    command = [sys.executable, "-m", "telewright_codegen", "check", str(path)]
    with subprocess.Popen(
        [*command, "--output-format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=limit,  # noqa: PLW1509  no thread runs here
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        out, errors = process.stdout.read(), process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert not errors
    assert usage.ru_maxrss <= case["max_mib"] * 1024
    return process.returncode, out.decode()


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
