"""`python tools/bench`: measures every goal on each installed Python, and says which are missed.

Each Python gets an environment of its own with both distributions and, where they install, the
alternatives. ``--write`` puts the tables into docs/benchmarks.md; ``--here`` measures on the
running Python alone, as it is.
"""

from __future__ import annotations

import argparse
import glob
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from result import Result

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "benchmarks.md"
VERSIONS: Final = ("3.11", "3.12", "3.13")
SCRIPTS: Final = sorted(
    path.name
    for path in Path(__file__).parent.glob("*.py")
    if "report(measure())" in path.read_text()  # rollouts.py takes minutes, and has its own page
)
ALTERNATIVES: Final = ("logfire", "nemo-lens")
MARKS: Final = ("<!-- measured -->", "<!-- /measured -->")


def main() -> int:
    """Measure; return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the tables into the docs")
    parser.add_argument("--here", action="store_true", help="only the Python that runs this")
    parser.add_argument("--only", help="one script, such as off.py")
    chosen = parser.parse_args()
    pythons = [sys.executable] if chosen.here else list(_pythons())
    tables: dict[str, list[Result]] = {}
    for python in pythons:
        version = _output(python, "import platform; print(platform.python_version())")
        tables[version] = []
        for script in [chosen.only] if chosen.only else SCRIPTS:
            if script != Path(__file__).name:
                found = list(_run(python, script))
                tables[version] += found
                print("\n".join(_lines(version, script, found)), flush=True)
    if chosen.write:
        head, _, rest = PAGE.read_text().partition(MARKS[0])
        tail = rest.partition(MARKS[1])[2]
        text = "\n".join(_page(tables))
        PAGE.write_text(f"{head}{MARKS[0]}\n\n{text}\n\n{MARKS[1]}{tail}")
    missed = [
        f"{version}: {one.id} {one.name}: {one.value:.2f} {one.unit}, goal {one.goal}"
        for version, results in tables.items()
        for one in results
        if not one.is_met
    ]
    print("\nEvery goal is met." if not missed else "\nMissed:\n  " + "\n  ".join(missed))
    return bool(missed)


def _run(python: str, script: str) -> Iterator[Result]:
    """Run one script on one Python and return what it measured."""
    command = [python, str(Path(__file__).with_name(script))]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, env=_surroundings()
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    for line in done.stdout.splitlines():
        yield Result(**json.loads(line))


def _surroundings() -> dict[str, str]:
    """Return the environment of a script: with OpenTelemetry's registry, where it is at hand."""
    found = dict(os.environ)
    sys.path.insert(0, str(ROOT))
    try:
        from tests.shared import SHARED  # noqa: PLC0415 - it imports pytest, which may be missing
    except ImportError:
        return found
    if SHARED is not None:
        found.setdefault("TELEWRIGHT_SEMCONV", str(SHARED / "data" / "semconv-1.44.0" / "model"))
    return found


def _pythons() -> Iterator[str]:
    """Yield an environment's interpreter for each Python that is installed and works."""
    for version in VERSIONS:
        for candidate in (f"python{version}", *_kept_by_pyenv(version)):
            found = shutil.which(candidate)
            if found and _output(found, "print(1)") == "1":
                yield _environment(found, version)
                break


def _kept_by_pyenv(version: str) -> list[str]:
    root = os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv"
    return sorted(glob.glob(f"{root}/versions/{version}.*/bin/python{version}"))  # noqa: PTH207 - strings


def _environment(python: str, version: str) -> str:
    """Make, or bring up to date, the environment in which one Python is measured."""
    folder = ROOT / f".venv-bench-{version}"
    inside = str(folder / "bin" / "python")
    if not Path(inside).exists():
        subprocess.run([python, "-m", "venv", str(folder)], check=True)
    install = [inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, "-e", f"{ROOT}[sdk]", "-e", str(ROOT / "codegen")], check=True)
    for name in ALTERNATIVES:
        subprocess.run([*install, name], check=False, capture_output=True)
    return inside


def _output(python: str, code: str) -> str:
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def _lines(version: str, script: str, results: list[Result]) -> Iterator[str]:
    """Yield one script's figures for the terminal."""
    yield f"\n{version} {script}"
    for one in results:
        goal = "" if one.goal is None else f"goal {one.goal:g}"
        mark = "" if one.is_met else "  MISSED"
        value = f"{one.value:.2f} {one.unit}"
        yield f"  {one.id:<3} {one.name:<74} {value:>12} {goal:<10} {one.detail}{mark}".rstrip()


def _page(tables: dict[str, list[Result]]) -> Iterator[str]:
    """Yield the tables of the documentation: a row for each figure, a column for each Python."""
    yield f"Measured on: {_processor()}, {os.cpu_count()} cores, {platform.system()}."
    yield ""
    yield "| | what | goal | " + " | ".join(tables) + " |"
    yield "|---|---|--:|" + "--:|" * len(tables)
    rows: dict[tuple[str, str], dict[str, Result]] = {}
    for version, results in tables.items():
        for one in results:
            rows.setdefault((one.id, one.name), {})[version] = one
    for (number, name), found in sorted(rows.items(), key=lambda row: row[0][0] or "Z"):
        goals = sorted({f"{one.goal:g}" for one in found.values() if one.goal is not None})
        cells = [_cell(found[version]) if version in found else "" for version in tables]
        yield f"| {number} | {name} | {' / '.join(goals)} | " + " | ".join(cells) + " |"


def _cell(one: Result) -> str:
    value = f"{one.value:.2f} {one.unit}".strip()
    return (value if one.is_met else f"**{value}**") + (f"<br>{one.detail}" if one.detail else "")


def _processor() -> str:
    """Return the model of the processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


if __name__ == "__main__":
    sys.exit(main())
