"""Copies of the project, to break on purpose and run tests in; nothing happens to the project."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Final, TypeVar

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDERS: Final = ("runtime", "codegen", "tests", "specs", "docs", "demo", "tools")
_LEFT: Final = shutil.ignore_patterns("__pycache__", "*.egg-info", ".telewright")
_LINE: Final = re.compile(r"^(FAILED|ERROR|PASSED) (\S+?\.py)(?:::([\w:]+))?")
_HANGS: Final = re.compile(r"^.*Timeout \(\d+:\d\d:\d\d\)!$", re.MULTILINE)
_LIGHT: Final = tuple(
    word for name in ("xdist", "anyio", "hypothesispytest") for word in ("-p", f"no:{name}")
)
"""Plug-ins that take as long to load as a few tests run, and that these do not need."""

_CACHE: Final = ("-p", "no:lfplugin", "-p", "no:nfplugin", "-o", f"cache_dir={ROOT}/.pytest_cache")
"""What tests keep there they share with those of the project; what failed is not remembered."""

_SHORT: Final = ("-m", "not system and not soak")
"""A break has to be noticed by what runs with every change."""

_STUCK: Final = tuple(
    word
    for option in ("faulthandler_timeout=60", "faulthandler_exit_on_timeout=true")
    for word in ("-o", option)
)
"""A test that takes a minute hangs, and the others need not be run."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What tests say: which of them fail, and which pass; parameters of a test are one."""

    failed: frozenset[str] = frozenset()
    passed: frozenset[str] = frozenset()
    hung: bool = False
    said: str = ""

    @property
    def word(self) -> str:
        """Say in one word what became of the break."""
        if self.hung:
            return "hung"
        return "noticed" if self.failed else "survived" if self.passed else "broken"


class Copy:
    """A copy of the project in a folder, beside what the project lies beside."""

    def __init__(self, place: Path) -> None:
        self._folder = folder = place / "copy"
        beside = ROOT.parent / "shared"
        if beside.is_dir():
            (place / beside.name).symlink_to(beside)
        for name in FOLDERS:
            shutil.copytree(ROOT / name, folder / name, ignore=_LEFT, symlinks=True)
        for name in ("pyproject.toml", "README.md", "CONTRIBUTING.md", "Makefile"):
            shutil.copy(ROOT / name, folder)

    @contextmanager
    def broken(self, file: str, change: Callable[[str], str]) -> Iterator[None]:
        """Have *file* as *change* makes it, for the block."""
        path = self._folder / file
        kept, times = path.read_text(encoding="utf-8"), path.stat()
        path.write_text(change(kept), encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(kept, encoding="utf-8")
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def run(self, tests: Sequence[str], *, patience: float, first: bool = False) -> Verdict:
        """Run *tests*, until the *first* fails or all of them; *patience* is in seconds."""
        command = [sys.executable, "-m", "pytest", "--tb=line", "-rfEp", "--color=no"]
        command += [*_LIGHT, *_CACHE, *_SHORT, *_STUCK, *(["-x"] if first else []), *tests]
        paths = os.pathsep.join(str(self._folder / one) for one in ("", "runtime", "codegen"))
        with subprocess.Popen(
            command,
            cwd=self._folder,
            env={**os.environ, "PYTHONPATH": paths, "TMPDIR": str(self._folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            text=True,
        ) as process:
            try:
                said, _ = process.communicate(timeout=patience)
            except subprocess.TimeoutExpired:
                return Verdict(hung=True)
            finally:
                _end(process)
        return _verdict(said)


def _end(process: subprocess.Popen[str]) -> None:
    """End a test run and whatever it has left behind: its whole session, and nothing else."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _verdict(said: str) -> Verdict:
    failed: set[str] = set()
    passed: set[str] = set()
    for line in said.splitlines():
        if (found := _LINE.match(line)) and found[3]:
            (passed if found[1] == "PASSED" else failed).add(f"{found[2]}::{found[3]}")
    hung = _HANGS.search(said) is not None
    return Verdict(frozenset(failed), frozenset(passed - failed), hung=hung, said=said)


def each(
    items: Iterable[Item], work: Callable[[Copy, Item], Verdict], *, jobs: int
) -> Iterator[tuple[Item, Verdict]]:
    """Do *work* on every item, in as many copies as there are *jobs*; yield as it is done."""
    with ExitStack() as stack:
        copies: SimpleQueue[Copy] = SimpleQueue()
        for _ in range(jobs):
            copies.put(Copy(Path(stack.enter_context(tempfile.TemporaryDirectory()))))

        def one(item: Item) -> tuple[Item, Verdict]:
            copy = copies.get()
            try:
                return item, work(copy, item)
            finally:
                copies.put(copy)

        with ThreadPoolExecutor(jobs) as pool:
            for done in as_completed([pool.submit(one, item) for item in items]):
                yield done.result()
