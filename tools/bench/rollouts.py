"""R1 to R3: thousands of rollouts at once on one event loop, with telemetry and without.

`python tools/bench/rollouts.py` measures and prints; ``--write`` puts the table into the docs,
``--most`` and ``--seconds`` make it smaller. Every figure comes from processes of their own: one
without telemetry, one that exports OTLP over http to another that takes whatever comes, one that
does so with the same spans and counts made with OpenTelemetry's SDK by hand. A rollout
is a dispatch, open from beginning to end, and in it three turns, each an agent's span around a
model's, that wait as long as a model thinks; each ends with a count. They are admitted one after
the other, all are open at once, and then they go on, one after the other again. Fewer at once are
as much shorter and come in as many waves more, so that spans are made at one pace everywhere.

The lag of the loop is how much later than asked a task wakes that sleeps 5 ms at a time. The cost
of a span is what the loop's own thread ran more, divided by the spans; what it collected garbage
for is told apart, since that grows with all that a process holds. The memory of an open span is
what the process grew by more while all were admitted, divided by the rollouts.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import mean, median, quantiles
from threading import get_ident
from typing import Any, Final, Protocol

from result import Result, report

import telewright
from telewright.gym import agent, model, rollout
from telewright.gym.rollout import RolloutOutcome

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "rollouts.md"
MARKS: Final = ("<!-- measured -->", "<!-- /measured -->")
TURNS: Final = 3
SPANS: Final = 1 + 2 * TURNS
"""Spans of one rollout."""

TICK: Final = 0.005
SETTLED: Final = 0.4
"""Seconds for making the tasks, before anything is measured."""

LAG_GOAL: Final = 5.0
SPREAD_GOAL: Final = 15.0
"""Percent of the mean, up or down, of the tier that runs if nothing is said."""

MODES: Final = {
    "on": "with telemetry",
    "fast": "with the fast tier",
    "hand": "with OpenTelemetry's SDK by hand",
}


def main() -> None:
    """Measure, or be one of the processes that are measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the table into the docs")
    parser.add_argument("--most", type=int, default=16_000, help="rollouts at once")
    parser.add_argument("--seconds", type=float, default=60.0, help="of a run with all of them")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each kind; medians count")
    parser.add_argument("--waves", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--one", choices=[*MODES, "off", "sink"], help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one == "sink":
        _swallow()
    elif chosen.one is not None:
        run = _Run(chosen.most, chosen.seconds, chosen.waves)
        print(json.dumps(_measure(chosen.one, run)))
    else:
        rows = _rows(chosen.most, chosen.seconds, chosen.rounds)
        report(_results(rows))
        if chosen.write:
            head, _, rest = PAGE.read_text().partition(MARKS[0])
            tail = rest.partition(MARKS[1])[2]
            text = "\n".join(_page(rows, chosen.seconds, chosen.rounds))
            PAGE.write_text(f"{head}{MARKS[0]}\n\n{text}\n\n{MARKS[1]}{tail}")


def _rows(most: int, seconds: float, rounds: int) -> list[dict[str, Any]]:
    """Return what was measured with a sixteenth of the rollouts, a quarter, and all: medians."""
    counts = sorted({max(1, most // 16), max(1, most // 4), most})
    found: dict[int, list[dict[str, Any]]] = {count: [] for count in counts}
    for _ in range(rounds):
        for count in counts:
            found[count].append(_row(count, most, seconds))
    rows = [_medians(found[count]) for count in counts]
    for row in rows:
        for mode in MODES:
            row[mode]["sum"] = row[mode]["cost"] + row[mode]["collector"]
    return rows


def _row(count: int, most: int, seconds: float) -> dict[str, Any]:
    """Measure *count* rollouts at once, at the pace of *most*: as many spans, or half of them."""
    waves = max(1, most // count // 2)
    length = seconds * count * waves / most
    off = _run("off", count, length, waves)
    row: dict[str, Any] = {"rollouts": count, "off": off["lag"]}
    for mode in MODES:
        found = _run(mode, count, length, waves)
        row[mode] = {
            **found,
            "added": found["lag"] - off["lag"],
            "cost": (found["cpu"] - off["cpu"]) / (count * waves * SPANS) * 1e6,
            "collector": (found["collecting"] - off["collecting"]) / (count * waves * SPANS) * 1e6,
            "memory": (found["grown"] - off["grown"]) / count / 1024,
        }
    return row


def _medians(rows: list[Any]) -> Any:  # noqa: ANN401 - numbers, and mappings of such
    """Return the median of each number in *rows*, which are made alike."""
    first = rows[0]
    if isinstance(first, dict):
        return {key: _medians([row[key] for row in rows]) for key in first}
    return type(first)(median(rows))


def _run(mode: str, count: int, seconds: float, waves: int) -> dict[str, Any]:
    """Run one process and return what it measured of itself."""
    numbers = ["--most", str(count), "--seconds", str(seconds), "--waves", str(waves)]
    command = [sys.executable, __file__, *numbers, "--one"]
    with subprocess.Popen([*command, "sink"], stdout=subprocess.PIPE, text=True) as sink:
        assert sink.stdout is not None  # noqa: S101 - tells type checkers that it is a pipe
        env = {**os.environ, "OTEL_EXPORTER_OTLP_ENDPOINT": sink.stdout.readline().strip()}
        env["OTEL_BSP_MAX_QUEUE_SIZE"] = "65536"
        try:
            done = subprocess.run([*command, mode], stdout=subprocess.PIPE, check=True, env=env)
        finally:
            sink.terminate()
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _swallow() -> None:
    """Take whatever comes, say where, and never end."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:  # http.server's name for it
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


def _measure(mode: str, run: _Run) -> dict[str, Any]:
    """Do *run* in this process."""
    if mode == "hand":
        from by_hand import ByHand  # noqa: PLC0415 - the SDK, which other runs load when they start

        hand = ByHand()
        found = asyncio.run(run.all(hand))
        return {**found, **hand.stop()}
    if mode != "off":
        telewright.start("all", service="bench", strict=True, fast=mode == "fast")
    found = asyncio.run(run.all(_Helpers()))
    telewright.stop(60)
    stats = telewright.stats()
    dropped = sum(stats.dropped.values())
    return {**found, "made": stats.made, "exported": stats.exported, "dropped": dropped}


class Calls(Protocol):
    """What a rollout calls."""

    def dispatch(self, name: str) -> AbstractContextManager[object]:
        """Open a rollout."""
        ...

    def agent(self, name: str) -> AbstractContextManager[object]:
        """Open an agent's turn."""
        ...

    def model(self, name: str) -> AbstractContextManager[object]:
        """Open a model's answer."""
        ...

    def count(self) -> None:
        """Count a rollout."""
        ...


class _Helpers:
    """The generated helpers."""

    def dispatch(self, name: str) -> AbstractContextManager[object]:
        """Open a rollout."""
        return rollout.dispatch(dispatch_name="bench", rollout_id=name)

    def agent(self, name: str) -> AbstractContextManager[object]:
        """Open an agent's turn."""
        return agent.responses(server_name="agent", rollout_id=name)

    def model(self, name: str) -> AbstractContextManager[object]:
        """Open a model's answer."""
        return model.chat_completions(server_name="model", rollout_id=name)

    def count(self) -> None:
        """Count a rollout."""
        rollout.completed.add(outcome=RolloutOutcome.SCORED, dispatch_name="bench")


class _Run:
    """One run: *waves* of *count* rollouts, admitted over a third of each, open until its end."""

    def __init__(self, count: int, seconds: float, waves: int) -> None:
        self._count = count
        self._waves = waves
        self._admitting = seconds / waves / 3
        self._turn = seconds / waves * 2 / 3 / (TURNS + 1)
        self._open = 0
        self._begun = 0.0
        self._lags: list[float] = []
        self._thread = get_ident()
        self._collects = self._collecting = 0.0

    async def all(self, calls: Calls) -> dict[str, Any]:
        """Run with *calls*; return the lag in milliseconds, the thread's time, and the growth."""
        self._calls = calls
        gc.callbacks.append(self._collected)
        before, begun = _resident(), time.thread_time()
        grown = await self._wave() - before
        for _ in range(1, self._waves):
            await self._wave()
        cpu = time.thread_time() - begun - self._collecting
        lag = quantiles(self._lags, n=100)[98] * 1000
        return {"lag": lag, "cpu": cpu, "collecting": self._collecting, "grown": grown}

    def _collected(self, phase: str, _: dict[str, int]) -> None:
        """Add up how long the loop's thread collects garbage."""
        if get_ident() == self._thread:
            if phase == "start":
                self._collects = time.thread_time()
            else:
                self._collecting += time.thread_time() - self._collects

    async def _wave(self) -> int:
        """Let all rollouts begin and end once; return the memory while all of them were open."""
        loop = asyncio.get_running_loop()
        self._open, self._begun = 0, loop.time() + SETTLED
        rollouts = [loop.create_task(self._rollout(number)) for number in range(self._count)]
        await asyncio.sleep(SETTLED / 2)
        ticker = loop.create_task(self._tick())
        while self._open < self._count:  # noqa: ASYNC110 - an event would be set by what is measured
            await asyncio.sleep(TICK)
        held = _resident()
        await asyncio.gather(*rollouts)
        ticker.cancel()
        return held

    async def _rollout(self, number: int) -> None:
        """Be one rollout; no two of them wake at the same moment if it can be helped."""
        name = f"{number}-0"
        place = number / self._count
        await self._until(self._admitting * place)
        calls = self._calls
        with calls.dispatch(name):
            self._open += 1
            shuffled = number * 7919 % self._count / self._count
            await self._until(self._admitting + self._turn * shuffled)
            for _ in range(TURNS):
                with calls.agent(name), calls.model(name):
                    await asyncio.sleep(self._turn)
            calls.count()

    async def _until(self, moment: float) -> None:
        """Wait until *moment* seconds after the beginning."""
        await asyncio.sleep(self._begun + moment - asyncio.get_running_loop().time())

    async def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            asked = loop.time() + TICK
            await asyncio.sleep(TICK)
            self._lags.append(max(0.0, loop.time() - asked))


def _resident() -> int:
    """Return the bytes of memory that this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def _results(rows: list[dict[str, Any]]) -> Iterator[Result]:
    """Yield the figures as the other benchmarks have them."""
    last = rows[-1]
    for mode, title in MODES.items():
        most, tier, ours = last[mode], f", {title}", mode != "hand"
        yield Result(
            "R1",
            f"lag of the loop (p99) that telemetry adds, {last['rollouts']:,} rollouts{tier}",
            max(0.0, most["added"]),
            "ms",
            LAG_GOAL if ours else None,
            f"{most['lag']:.1f} ms against {last['off']:.1f} ms",
        )
        sums = [row[mode]["sum"] for row in rows]
        yield Result(
            "R2",
            f"cost of a span, from its mean over all numbers of rollouts{tier}",
            spread(sums),
            "%",
            SPREAD_GOAL if mode == "on" else None,
            " / ".join(f"{one:.1f} µs" for one in sums),
        )
        yield Result("R3", f"memory of an open span{tier}", most["memory"], "kB")
        if ours:
            yield Result("R3", f"spans that were dropped{tier}", float(most["dropped"]), "", 0.0)


def spread(values: list[float]) -> float:
    """Return by how many percent the one furthest from the mean of *values* differs from it."""
    middle = abs(mean(values))
    return 100 * max(abs(one - middle) for one in values) / middle if middle else 0.0


def _page(rows: list[dict[str, Any]], seconds: float, rounds: int) -> Iterator[str]:
    """Yield the table of the documentation: a column for each number of rollouts."""
    yield f"Measured on: {_processor()}, {os.cpu_count()} cores, {platform.system()},"
    yield f"Python {platform.python_version()}; runs of {seconds:g} seconds, or half that if fewer"
    yield f"are open at once; medians of {rounds}."
    yield ""
    yield "| | " + " | ".join(f"{row['rollouts']:,} rollouts" for row in rows) + " |"
    yield "|---|" + "--:|" * len(rows)
    cells = " | ".join(f"{row['off']:.1f} ms" for row in rows)
    yield f"| lag of the loop, p99, without telemetry | {cells} |"
    for mode, tier in MODES.items():
        for title, form in (
            ("lag of the loop, p99", "{lag:.1f} ms"),
            ("what that adds; goal 5 ms", "{added:.1f} ms"),
            ("cost of a span on the loop's thread", "{cost:.1f} µs"),
            ("what Python's collector takes there besides, by span", "{collector:.1f} µs"),
            ("the two together", "{sum:.1f} µs"),
            ("memory of an open span", "{memory:.1f} kB"),
            ("spans made, exported, dropped", "{made:,}, {exported:,}, {dropped:,}"),
        ):
            if mode != "hand" or "made" not in form:  # the SDK does not say
                cells = " | ".join(form.format(**row[mode]) for row in rows)
                yield f"| {tier}: {title} | {cells} |"
        far = f"± {spread([row[mode]['sum'] for row in rows]):.0f} %"
        cells = " | ".join([*[""] * (len(rows) - 1), far])
        goal = "; goal ± 15 %" if mode == "on" else ""
        yield f"| {tier}: how far that is from its mean, at most{goal} | {cells} |"


def _processor() -> str:
    """Return the model of the processor."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.machine()


if __name__ == "__main__":
    main()
