"""Long runs: they say how far they are, can be done in parts, and name what hangs.

Two variables of the environment say what is run. `SOAK_PART=3/10` is the third tenth of every long
run that counts, and `4-10/10` what is left after it; without it, all of it is run. `SOAK_SEED` is
where numbers begin that are otherwise others each time; a run says which it took.
"""

from __future__ import annotations

import faulthandler
import os
import re
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FrameType
from typing import Final

import pytest
from hypothesis import given, seed, settings
from hypothesis.strategies import SearchStrategy, tuples

EVERY: Final = 30.0
"""Seconds from one line about a long run to the next."""
GRACE: Final = 30.0
"""Seconds that what hangs has to end by an exception, before the process is ended."""
AGAIN: Final = 5.0
"""Seconds after which that exception is raised once more: it may have been lost in a finaliser."""
_TOLD: Final = 20_000
"""As much as is shown of what a process said."""
_PART: Final = re.compile(r"(\d+)(?:-(\d+))?/(\d+)")


class Hung(BaseException):
    """Something takes too long; no exception that the code under test may swallow."""


def part(count: int) -> range:
    """Return which of *count* numbers are asked for by `SOAK_PART`."""
    asked = os.environ.get("SOAK_PART", "1/1")
    found = _PART.fullmatch(asked)
    if not found:
        raise ValueError(f"SOAK_PART={asked!r} is not like 3/10 or 4-10/10")
    first, last, parts = int(found[1]), int(found[2] or found[1]), int(found[3])
    if not 1 <= first <= last <= parts:
        raise ValueError(f"SOAK_PART={asked!r} names parts that do not exist")
    return range(count * (first - 1) // parts, count * last // parts)


def begin(request: pytest.FixtureRequest) -> LongRun:
    """Begin a long run of this test; it speaks past pytest, which shows what is over."""
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        error = os.dup(2)
    request.addfinalizer(lambda: os.close(error))
    made = LongRun(request.node.name, error, test=request.function.__code__)
    request.addfinalizer(made.close)  # which comes first
    return made


class LongRun:
    """One long run: what it is at now, how far it is, and how long a step may take.

    Args:
        name: What lines about it begin with.
        error: The descriptor to which they are written.
        every: Seconds from one line to the next.
        test: Outside of which nothing hangs; what pytest does with it is not interrupted.
    """

    def __init__(
        self, name: str, error: int, *, every: float = EVERY, test: CodeType | None = None
    ) -> None:
        self._name = name
        self._error = error
        self._every = every
        self._test = test
        self._what: Callable[[], str] | str = ""
        self._patience = 0.0
        self._armed = self._said = self._begun = time.monotonic()
        self._handler = signal.signal(signal.SIGALRM, self._late)

    def close(self) -> None:
        """Wait for nothing any more."""
        self._rest()
        signal.signal(signal.SIGALRM, self._handler)

    def seed(self) -> int:
        """Return where the numbers of this run begin, and say so."""
        asked = os.environ.get("SOAK_SEED")
        seed = int.from_bytes(os.urandom(6)) if asked is None else int(asked)
        self.say(f"SOAK_SEED={seed} takes the same numbers again", always=True)
        return seed

    def slices(self, count: int, *, size: int, patience: float) -> Iterator[range]:
        """Yield the numbers below *count* that are asked for, at most *size* at once.

        Each slice, and each thing that is told to `at` within it, may take *patience* seconds.
        """
        numbers = part(count)
        self._begun = time.monotonic()
        try:
            for start in range(numbers.start, numbers.stop, size):
                chosen = range(start, min(start + size, numbers.stop))
                self.at(f"numbers {chosen.start} to {chosen.stop - 1}", patience)
                yield chosen
                self._rest()
                done = chosen.stop - numbers.start
                over = chosen.stop == numbers.stop and time.monotonic() > self._begun + self._every
                self.say(f"{done:,} of {len(numbers):,}", always=over)
        finally:
            self._rest()

    def examples(
        self,
        check: Callable[..., None],
        *strategies: SearchStrategy[object],
        count: int,
        patience: float,
        size: int = 1_000,
        base: settings | None = None,
    ) -> None:
        """Run *check* with *count* examples of *strategies*, with a seed for each *size* of them.

        A single run of Hypothesis would remember each example, so as to try none twice.
        """
        first = self.seed()
        for numbers in self.slices(count, size=size, patience=patience):

            def one(case: tuple[object, ...]) -> None:
                self.at(lambda: f"{check.__name__}{case!r}")
                check(*case)

            sized = settings(base, max_examples=len(numbers), deadline=None, database=None)
            seed(first + numbers.start)(sized(given(tuples(*strategies))(one)))()

    def at(self, what: Callable[[], str] | str, patience: float | None = None) -> None:
        """Go on to *what*, which has *patience* seconds, or as many as what was before it."""
        self._what = what
        if patience is not None:
            self._patience = patience
        signal.setitimer(signal.ITIMER_REAL, self._patience, AGAIN)
        now = time.monotonic()
        if patience is not None or now > self._armed + 1:  # it starts a thread: not each time
            self._armed = now
            faulthandler.dump_traceback_later(self._patience + GRACE, exit=True, file=self._error)

    def say(self, how_far: str, *, always: bool = False) -> None:
        """Write a line, unless the last was a short while ago."""
        now = time.monotonic()
        if always or now > self._said + self._every:
            self._said = now
            line = f"{self._name}: {how_far}, {now - self._begun:.0f} s\n"
            os.write(self._error, line.encode())

    def follow(
        self,
        command: list[str],
        *,
        patience: float,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        """Run *command* to its end, and pass on what it says on standard error.

        When it says nothing for *patience* seconds it is ended. Where it has `faulthandler`
        enabled, what its threads were at is part of the message.
        """
        with (
            tempfile.TemporaryFile() as printed,
            subprocess.Popen(
                command,
                stdout=printed,
                stderr=subprocess.PIPE,
                start_new_session=True,
                cwd=cwd,
                env=env,
            ) as process,
        ):
            try:
                hung, said = self._listen(process, patience)
            finally:
                _end(process)
            code = process.wait()
            told = said.decode("utf-8", "replace")
            if hung:
                last = told[-_TOLD:]
                raise Hung(f"{command} has said nothing for {patience:g} s; it was at:\n{last}")
            printed.seek(0)
            return subprocess.CompletedProcess(command, code, printed.read().decode(), told)

    def _listen(self, process: subprocess.Popen[bytes], patience: float) -> tuple[bool, bytes]:
        """Return whether *process* fell silent, and what it said."""
        said = b""
        error = process.stderr
        assert error is not None
        hung = False
        with selectors.DefaultSelector() as selector:
            selector.register(error, selectors.EVENT_READ)
            while True:
                ready = selector.select(AGAIN if hung else patience)
                if not ready and hung:
                    return True, said
                if not ready:
                    hung = True
                    process.send_signal(signal.SIGABRT)
                    continue
                new = os.read(error.fileno(), 65_536)
                if not new:
                    return hung, said
                said += new
                self.say(new.decode("utf-8", "replace").strip().rpartition("\n")[2])

    def _late(self, _number: int, frame: FrameType | None) -> None:
        while self._test and frame and frame.f_code is not self._test:
            frame = frame.f_back
        if not frame:
            self._rest()
            return
        what = self._what if isinstance(self._what, str) else self._what()
        raise Hung(f"{self._name}: {what}: not over after {self._patience:g} s")

    def _rest(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process and its children: its whole session, and nothing else."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
