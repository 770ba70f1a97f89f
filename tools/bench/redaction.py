"""N3: what a declared sensitive attribute costs a helper; and how long texts are scanned for.

The scan runs on the export threads. Its goals are that 100 KB of any text take at most 50 ms, and
that four times the text takes at most 4.5 times as long.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any, Final

from harness import Bench
from result import Result, report, rounds

import telewright
from telewright._scan import scan
from telewright.base import Span, content, given, mask
from telewright.gym import rollout

KB: Final = 100_000
MOST_MS: Final = 50.0
MOST_GROWTH: Final = 4.5

PLAIN: Final = "three attributes"
HELPERS: Final = {
    PLAIN: "with plain(room='a', shelf='b', text='c d e'): pass",
    "one of them content, switched on": "with says(room='a', shelf='b', text='c d e'): pass",
    "one of them masked": "with hides(room='a', shelf='b', text='c d e'): pass",
}

TEXTS: Final = {
    "prose": "It was neither the first nor the last of its kind, they said. ",
    "one letter": "z",
    "base64 of text": "YWJj",
    "names": "B_",
    "dotted names": "b.",
    "pairs": "b:",
    "slashes": "//",
    "schemes": "x-y.z+://",
    "openings of private keys": "-----BEGIN PRIVATE KEY-----",
    "openings of tokens": "eyJ",
    "open braces": '{"key": "value", ',
    "weak names": "token=",
    "strong names": "password=",
    "a name and spaces": "secret" + " " * 500,
    "escapes": "%3D",
    "addresses": "b@",
    "card numbers": "4111 ",
    "quotes": "'",
    "lines": "b\n",
    "queries": "?key=",
    "escaped quotes": '\\"',
    "addresses with user names": "//b:c@d ",
    "Cyrillic": "ключ и слово ",
}


def _helpers() -> dict[str, Any]:
    group = rollout.GATE

    def plain(*, room: str, shelf: str, text: str) -> Span:
        return Span(group, "plain", given({"room": room, "shelf": shelf, "text": text}))

    def says(*, room: str, shelf: str, text: str) -> Span:
        return Span(group, "says", given({"room": room, "shelf": shelf, "text": content(text)}))

    def hides(*, room: str, shelf: str, text: str) -> Span:
        return Span(group, "hides", given({"room": room, "shelf": shelf, "text": mask(text)}))

    return {"plain": plain, "says": says, "hides": hides}


def helpers() -> Iterator[Result]:
    """Time helpers with and without a sensitive attribute, side by side."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spans.jsonl"
        telewright.start(
            "all", service="bench", exporter="file", path=path, metrics=False, content=True
        )
        bench = Bench(rounds=rounds(41), names=_helpers())
        for name, statement in HELPERS.items():
            bench.add(name, statement)
        bench.run()
        telewright.stop(0)
    for name in HELPERS:
        if name != PLAIN:
            detail = f"{bench.ns(name) / 1000:.2f} µs against {bench.ns(PLAIN) / 1000:.2f} µs"
            yield Result(
                "N3", f"{name} / {PLAIN}", bench.ratio(name, PLAIN), goal=1.1, detail=detail
            )


def _milliseconds(text: str) -> float:
    begin = time.thread_time_ns()
    scan("attribute", "note", text)
    return (time.thread_time_ns() - begin) / 1e6


def texts() -> Iterator[Result]:
    """Time the scan of long texts, and of texts four and ten times as long, side by side."""
    scan("attribute", "note", "password=b https://b:c@d eyJ hf_")
    for name, piece in TEXTS.items():
        once = (piece * (KB // len(piece) + 1))[:KB]
        times = [(_milliseconds(once), _milliseconds(once * 4)) for _ in range(11)]
        short = median(one for one, _ in times)
        growth = median(four / one for one, four in times)
        million = _milliseconds(once * 10)
        detail = f"1 MB {million:.0f} ms"
        yield Result("scan", f"100 KB of {name}", short, "ms", MOST_MS, detail)
        yield Result("scan", f"four times that of {name}", growth, "x", MOST_GROWTH)


def measure() -> Iterator[Result]:
    """Measure both."""
    yield from helpers()
    yield from texts()


if __name__ == "__main__":
    sys.setswitchinterval(1)  # the exporting threads get their turn between rounds
    report(measure())
