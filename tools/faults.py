"""`python tools/faults.py`: runs every cell of the table of faults, and says what came of each.

``--write`` puts the tables into docs/faults.md; ``--only NAME`` runs, and writes, one fault.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = ROOT / "docs" / "faults.md"
MARKS: Final = ("<!-- measured -->", "<!-- /measured -->")
TITLES: Final = {"traces": "Spans", "metrics": "Metric points", "logs": "Log records"}
WAYS: Final = {"http": "OTLP over http", "grpc": "OTLP over gRPC", "file": "a file"}
SOON: Final = 1.5
"""Seconds that are no wait: interpreters take as long to end on a busy machine."""

CROWD: Final = 1.5
"""Processes for each processor; with more, seconds say something about those."""

sys.path.insert(0, str(ROOT))
TESTS: Final = "tests.runtime.faults"
CELLS: Final = import_module(f"{TESTS}.cell")  # tests have no types
REAL: Final = import_module(f"{TESTS}.real")
TABLE: Final = import_module(f"{TESTS}.table")
VERDICT: Final = import_module(f"{TESTS}.verdict")


def main() -> int:
    """Run the table; return 1 if something was harmed or a book is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the tables into the docs")
    parser.add_argument("--only", help="one fault, by its name")
    chosen = parser.parse_args()
    cells = [cell for cell in CELLS.every_cell() if chosen.only in {None, cell[0]}]
    with tempfile.TemporaryDirectory() as folder, REAL.Through(Path(folder)) as collector:
        found = CELLS.run_all(cells, folder, collector)
    text = "\n".join(_tables(found))
    print(text)
    wrong = {cell: what for cell in cells if (what := VERDICT.problems(cell, found[cell]))}
    for cell, what in wrong.items():
        print(f"{' / '.join(cell)}: {'; '.join(what)}", file=sys.stderr)
    if chosen.write:
        head, _, rest = PAGE.read_text().partition(MARKS[0])
        old, _, tail = rest.partition(MARKS[1])
        new = f"\n\n{text}\n" if chosen.only is None else _with_rows(old, text, chosen.only)
        PAGE.write_text(f"{head}{MARKS[0]}{new}{MARKS[1]}{tail}")
    print(f"{len(cells)} cells, {len(wrong)} of them wrong")
    return bool(wrong)


def _with_rows(old: str, new: str, name: str) -> str:
    """Return the *old* tables with the rows of fault *name* as they are in *new* ones."""
    start = f"| {name} |"
    rows = [line for line in new.splitlines(keepends=True) if line.startswith(start)]
    return "".join(
        rows.pop(0) if line.startswith(start) else line for line in old.splitlines(keepends=True)
    )


def _tables(found: Mapping[tuple[str, str, str], Any]) -> Iterator[str]:
    """Yield what each fault is, and a table for each signal: a column for each way out."""
    yield "| fault | what happens |"
    yield "|---|---|"
    for fault in TABLE.FAULTS:
        yield f"| {fault.name} | {fault.brief} |"
    yield ""
    for signal, title in TITLES.items():
        yield f"### {title}"
        yield ""
        yield f"| fault | {' | '.join(WAYS.values())} |"
        yield f"|---|{'---|' * len(WAYS)}"
        for fault in TABLE.FAULTS:
            cells = [(fault.name, signal, way) for way in WAYS]
            if all(cell in found for cell in cells):
                yield f"| {fault.name} | {' | '.join(_cell(found[cell]) for cell in cells)} |"
        yield ""


def _cell(outcome: Any) -> str:  # noqa: ANN401 - a class of the tests
    """Return one outcome as it stands in a table."""
    made, exported, dropped = outcome.total
    parts = [f"{exported} of {made}"]
    parts += [f"{number} `{reason}`" for reason, number in sorted(dropped.items())]
    if rest := made - exported - sum(dropped.values()):
        parts.append(f"{rest} with the process")
    if outcome.seconds > SOON and outcome.crowd <= CROWD:
        parts.append(f"ends after {outcome.seconds:.0f} s")
    return ", ".join(parts)


if __name__ == "__main__":
    sys.exit(main())
