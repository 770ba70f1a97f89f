"""C1, C2, I2: what the generator costs, against reading the same YAML with the C loader.

The input of C1 and C2 is OpenTelemetry's whole registry, from the folder that TELEWRIGHT_SEMCONV
names. This repository's specs of Gym and RL, repeated until they are as large, are measured beside
it, without a goal: they become ten times as many functions. I2 is about this repository as it is.

The projects of C2 are in memory, where the system has files there: what a disk takes of the
processor for the same 92 files is another thing every minute. A row without a goal has it besides.
"""

from __future__ import annotations

import gc
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Final

import yaml
from result import Result, report, rounds

ROOT: Final = Path(__file__).resolve().parents[2]
SIZE: Final = 1_260_000
"""Bytes of OpenTelemetry's registry."""

_SHARED: Final = ("nv", "otel")
_REPEATED: Final = ("gym", "rl")
_BORROWED: Final = re.compile(
    r"\b(?:process\.(?:cpu\.time|memory\.usage|thread\.count|open_file_descriptor\.count)"
    r"|http\.server\.(?:active_requests|request\.duration)"
    r"|gen_ai\.(?:client\.token\.usage|server\.request\.duration)"
    r"|HTTP)\b"
)
"""Names outside the namespaces of a registry, which only one may declare."""

_NOTHING: Final = (sys.executable, "-c", "pass")
_GENERATE: Final = (sys.executable, "-m", "telewright_codegen", "generate")

_MEMORY: Final = Path("/dev/shm")  # noqa: S108 - where Linux has files in memory

_UNUSUAL: Final = ("CI", "PYTHONDONTWRITEBYTECODE")
"""What keeps a command from believing its memory, and modules from being compiled only once."""

_CONFIG: Final = """
specs = "specs"

[[output]]
emitter = "python"
into = "made"
"""


def measure() -> Iterator[Result]:
    """Measure the parser, the seven stages, and whole processes."""
    model = os.environ.get("TELEWRIGHT_SEMCONV")
    memory = _MEMORY if os.access(_MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as scratch, tempfile.TemporaryDirectory() as disk:
        if model is not None:
            project, other = Path(scratch) / "opentelemetry", Path(disk) / "opentelemetry"
            for folder in (project, other):
                shutil.copytree(model, folder / "specs")
                (folder / "telewright.toml").write_text(_CONFIG)
            yield from _project(project, "OpenTelemetry's registry", goals=True)
            *_, stages = _in_process(other, _texts(other))
            yield replace(stages, name=f"{stages.name}, onto a disk", goal=None)
        project = Path(scratch) / "repeated"
        repeat(project / "specs")
        (project / "telewright.toml").write_text(_CONFIG)
        yield from _project(project, "our specs, repeated", goals=model is None)
    yield from _idle()


def _project(project: Path, called: str, *, goals: bool) -> Iterator[Result]:
    texts = _texts(project)
    for one in (*_in_process(project, texts), *_processes(project, texts)):
        yield replace(one, name=f"{one.name}: {called}", goal=one.goal if goals else None)


def _texts(project: Path) -> list[bytes]:
    return [file.read_bytes() for file in sorted((project / "specs").rglob("*.yaml"))]


def repeat(into: Path) -> list[Path]:
    """Write specs of the size of OpenTelemetry's into a folder, and return the files."""
    for name in _SHARED:
        shutil.copytree(ROOT / "specs" / name, into / name)
    number = 0
    while sum(file.stat().st_size for file in into.rglob("*.yaml")) < SIZE:
        number += 1
        for name in _REPEATED:
            for file in (ROOT / "specs" / name).glob("*.yaml"):
                text = _BORROWED.sub(rf"\g<0>_{number}", file.read_text())
                text = re.sub(r"\b(gym|rl)(?=[.:\]\n ])", rf"\g<1>{number}", text)
                copy = into / f"{name}{number}" / file.name
                copy.parent.mkdir(exist_ok=True)
                copy.write_text(text)
    return sorted(into.rglob("*.yaml"))


def _in_process(project: Path, texts: list[bytes]) -> Iterator[Result]:
    from telewright_codegen.config import read  # noqa: PLC0415 - not while other Pythons measure
    from telewright_codegen.diagnostics import Report  # noqa: PLC0415 - the same
    from telewright_codegen.load.parse import parse  # noqa: PLC0415 - the same
    from telewright_codegen.pipeline import generate  # noqa: PLC0415 - the same
    from telewright_codegen.source import SourceFile  # noqa: PLC0415 - the same

    sources = [SourceFile(project / f"{n}.yaml", f"{n}.yaml", t) for n, t in enumerate(texts)]
    config = read(project / "telewright.toml")

    def plain() -> None:
        for text in texts:
            yaml.load(text, Loader=yaml.CSafeLoader)

    def ours() -> None:
        for source in sources:
            parse(source, Report())

    def stages() -> None:
        found = Report()
        outcome = generate(config, found)
        if outcome.changes is None:
            sys.exit("the specs have errors: " + str(list(found.diagnostics)[:3]))

    def empty() -> None:
        _aside(project / "made")

    cases = {"plain": plain, "ours": ours, "stages": stages}
    times = _compare(cases, rounds(15), before=empty)
    base = times["plain"]
    yield _against("C1", "YAML to data with a place for everything", times["ours"], base, 0.6)
    yield _against("C2", "the seven stages, models built", times["stages"], base, 1.5)


def _processes(project: Path, texts: list[bytes]) -> Iterator[Result]:
    def empty() -> None:
        _aside(project / "made")
        _aside(project / ".telewright")

    def cold() -> None:
        _child(_GENERATE, project)

    def plain() -> None:
        for text in texts:
            yaml.load(text, Loader=yaml.CSafeLoader)

    times = _compare({"cold": cold, "plain": plain}, rounds(5), before=empty)
    yield _against("C2", "the whole process, cold", times["cold"], times["plain"], 4.0)


def _aside(folder: Path) -> None:
    """Move what one run wrote out of the way of the next.

    Not removed: ext4 without a journal passes over each inode that was freed in the last minutes,
    and whoever makes files then pays for what somebody removed before.
    """
    if folder.exists():
        folder.rename(tempfile.mkdtemp(prefix="moved-", dir=folder.parent))


def _idle() -> Iterator[Result]:
    command = (*_GENERATE, "--check")
    _child(command, ROOT)
    times = _compare(
        {
            "nothing": lambda: _child(_NOTHING, ROOT),
            "idle": lambda: _child(command, ROOT),
        },
        rounds(25),
    )
    title = "a command with nothing to do / python -c pass"
    yield _against("I2", title, times["idle"], times["nothing"], 2.5)


def _child(command: tuple[str, ...], folder: Path) -> None:
    usual = {name: value for name, value in os.environ.items() if name not in _UNUSUAL}
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env=usual
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")


def _compare(
    cases: dict[str, Callable[[], None]], times: int, before: Callable[[], None] = lambda: None
) -> dict[str, list[float]]:
    """Run the cases in turn, and return what each took of the processor, children included.

    Each begins in the same state: after *before*, and without garbage of the one before it.
    """
    taken: dict[str, list[float]] = {name: [] for name in cases}
    for number in range(-1, times):
        for name, case in cases.items():
            before()
            gc.collect()
            begin = _processor_time()
            case()
            if number >= 0:
                taken[name].append(_processor_time() - begin)
    return taken


def _processor_time() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _against(number: str, name: str, times: list[float], base: list[float], goal: float) -> Result:
    ratio = median(one / other for one, other in zip(times, base, strict=True))
    detail = f"{1000 * median(times):.0f} ms against {1000 * median(base):.0f} ms"
    return Result(number, name, ratio, goal=goal, detail=detail)


if __name__ == "__main__":
    report(measure())
