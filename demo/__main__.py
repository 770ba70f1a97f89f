"""`python -m demo`: generates, runs every process, draws what they exported, measures the cost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Final

from demo import draw, otlp
from demo.cost import BATCH, measure
from demo.processes import ROOT, Process, servers
from demo.telemetry import FOLDER, books, reporting

ROLLOUTS: Final = int(os.environ.get("DEMO_ROLLOUTS", "6"))
PAIRS: Final = int(os.environ.get("DEMO_PAIRS", "24"))
STEPS: Final = 3


def main() -> int:
    """Run the demo; return the exit code."""
    signal.signal(signal.SIGTERM, _end)
    generated = regenerate()
    if generated:
        return generated
    with tempfile.TemporaryDirectory(prefix="telewright-demo-") as scratch:
        folder = Path(os.environ.get(FOLDER) or Path(scratch) / "story")
        told = story(folder)
        export = otlp.read(folder)
        print("\n".join(draw.picture(export)))
        title("The books: what each process made, and what its file holds")
        print("\n".join(draw.books(export, told)))
        if PAIRS:
            title(f"The cost: {PAIRS} times {BATCH} rollouts on, and {BATCH} off, in turn")
            print("\n".join(measure(Path(scratch) / "cost", PAIRS).lines()))
    return 0


def regenerate() -> int:
    """Bring code and docs in line with the specs."""
    title("telewright generate")
    command = [sys.executable, "-m", "telewright_codegen", "generate"]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def story(folder: Path) -> dict[str, dict[str, int]]:
    """Run servers, driver and training loop; return the books of each process."""
    folder.mkdir(parents=True, exist_ok=True)
    env = {FOLDER: str(folder)}
    os.environ[FOLDER] = str(folder)
    title("Three servers, a driver, a training loop: each a process")
    finished: list[Process] = []
    with redirect_stdout(StringIO()), reporting("supervisor", process="supervisor"):
        with servers(env) as (started, where):
            driver = Process("demo.collect", str(ROLLOUTS), env=where)
            driver.end()
            trainer = Process("demo.train", str(STEPS), env=where)
            trainer.end()
        finished += [*started.values(), driver, trainer]
    for process in finished:
        for line in process.said:
            print(f"  {line}")
    told = {"supervisor": books()}
    for process in finished:
        told |= process.books
    return told


def _end(number: int, _: object) -> None:
    """Leave as after an interrupt, so that everything started is ended."""
    sys.exit(128 + number)


def title(text: str) -> None:
    """Print a heading."""
    print(f"\n{text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
