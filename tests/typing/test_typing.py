"""Both type checkers, strict: what is right is accepted, each mistake is refused on its line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GOOD, BAD = (Path(__file__).parent / name for name in ("good.py", "bad.py"))
GENERATED = [ROOT / "runtime" / "telewright" / name for name in ("nv", "gym", "rl", "otel", "self")]
GOLDEN = sorted((ROOT / "tests" / "golden").glob("*/expected"))


def mypy(*paths):
    """Return the lines that mypy refuses, by file."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--no-pretty"]
    done = subprocess.run(
        [*command, *map(str, paths)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert not done.stderr, done.stderr
    wrong = [line.split(":", 3) for line in done.stdout.splitlines() if ": error:" in line]
    return {(Path(file).name, int(number)) for file, number, *_ in wrong}


def pyright(*paths):
    """Return the lines that pyright refuses, by file."""
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    done = subprocess.run(
        [*command, *map(str, paths)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    found = json.loads(done.stdout)["generalDiagnostics"]
    return {
        (Path(one["file"]).name, one["range"]["start"]["line"] + 1)
        for one in found
        if one["severity"] == "error"
    }


CHECKERS = pytest.mark.parametrize("checker", [mypy, pyright], ids=["mypy", "pyright"])


@CHECKERS
def test_what_is_right_is_accepted_and_what_is_wrong_refused(checker):
    """Nothing in good.py, and in bad.py each marked line and no other."""
    lines = enumerate(BAD.read_text().splitlines(), 1)
    marked = {("bad.py", number) for number, line in lines if "# error: " in line}
    assert len(marked) >= 35
    assert checker(GOOD, BAD) == marked


@pytest.mark.long
@CHECKERS
def test_generated_code_is_accepted(checker):
    """The packages of this repository, and every golden case, are clean under strict checking."""
    assert checker(*GENERATED, *GOLDEN) == set()


def test_what_is_accepted_runs():
    """good.py runs to its end, with telemetry off and nothing of OpenTelemetry loaded."""
    code = f"import runpy, sys; runpy.run_path({str(GOOD)!r})\n"
    code += "assert not [name for name in sys.modules if name.startswith('opentelemetry')]"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
