"""Breaks parts of the runtime at random, and says how much of it their tests notice.

    python tools/mutation.py lifecycle|redaction [NUMBER] [SEED] [--jobs N]

Takes NUMBER of all possible breaks (150) at random, puts each into a copy of the project and runs
the tests of that part until one fails. Returns 1 if fewer than nine in ten are noticed; lists the
others. Breaks after which everything is as before are in `EQUIVALENT`, each with the reason.
"""

from __future__ import annotations

import argparse
import random
import sys
from dataclasses import dataclass
from typing import Final

from copies import ROOT, Copy, Verdict, each
from equivalent import EQUIVALENT
from operators import KINDS, broken, places

RUNTIME: Final = "runtime/telewright"
ENOUGH: Final = 0.9
PATIENCE: Final = 900

_LIKELY: Final = (
    "scope root off select books start fork export_threads ended_threads settings carrying traced"
    " measured instrument announce completed identity order steps guarded early_exits open_spans"
    " failed_starts stops"
)
"""The tests of scopes, books and lifecycle that notice most; the others are run after them."""


def _lifecycle() -> tuple[str, ...]:
    """Return every test of the runtime but those of what is redacted, the likeliest first."""
    likely = [f"tests/runtime/test_{name}.py" for name in _LIKELY.split()]
    found = sorted(
        str(path.relative_to(ROOT)) for path in (ROOT / "tests/runtime").rglob("test_*.py")
    )
    others = [one for one in found if "/redaction/" not in one]
    return tuple(dict.fromkeys([*likely, "tests/behaviours", *others]))


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the runtime, and what is run when it is broken."""

    files: tuple[str, ...]
    """Patterns of its modules."""
    kinds: frozenset[str]
    tests: tuple[str, ...]
    first: dict[str, str]
    """Which tests are run before all others, by module."""

    def noticing(self, module: str) -> list[str]:
        """Return the tests for a break in *module*, the likeliest first."""
        near = [f"tests/runtime/test_{name}.py" for name in self.first.get(module, "").split()]
        return list(dict.fromkeys(one for one in [*near, *self.tests] if (ROOT / one).exists()))


PARTS: Final = {
    "lifecycle": Part(
        files=(
            *("_carry.py", "_span.py", "_nesting.py", "_variants.py", "_books.py", "_start.py"),
            "_closing.py",
            *("_control.py", "_gates.py", "_batcher.py", "_reader.py", "_processor.py"),
            *("_fork.py", "_select.py", "_settings.py", "_worker.py", "_announce.py"),
            *("_pipeline.py", "_accounts.py", "_relay.py", "_children.py", "_asked.py"),
            *("_steps.py", "_resumed.py", "_delivery.py", "_rejections.py", "_signals.py"),
            *("_added.py", "_waiting.py", "_reentrant.py", "_providers.py"),
        ),
        kinds=frozenset(KINDS),
        tests=_lifecycle(),
        first={
            "_carry.py": "carrying scope",
            "_span.py": "scope traced off root adopt",
            "_nesting.py": "order traced scope",
            "_variants.py": "root goodput announce",
            "_books.py": "export_threads books start",
            "_start.py": "start failed_starts stops identity books guarded",
            "_closing.py": "start accounts guarded self_metrics books",
            "_control.py": "start off",
            "_gates.py": "select instrument start",
            "_batcher.py": "export_threads ended_threads books",
            "_reader.py": "export_threads ended_threads books",
            "_processor.py": "books scope stops",
            "_fork.py": "fork",
            "_select.py": "select",
            "_settings.py": "settings start",
            "_worker.py": "ended_threads export_threads books",
            "_asked.py": "export_threads ended_threads added",
            "_announce.py": "announce",
            "_pipeline.py": "start books ended_threads adopt",
            "_accounts.py": "accounts fork",
            "_relay.py": "adopt start",
            "_children.py": "children processes",
            "_steps.py": "steps early_exits traced",
            "_resumed.py": "carrying carried early_exits",
            "_delivery.py": "books rejections export_threads",
            "_rejections.py": "rejections books",
            "_signals.py": "signals stops",
            "_added.py": "added stops",
            "_waiting.py": "stops",
            "_reentrant.py": "interrupted",
            "_providers.py": "inherited",
        },
    ),
    "redaction": Part(
        files=("_scan*.py", "_rules*.py", "_words.py", "_redact*.py"),
        kinds=frozenset(KINDS) - {"value", "call"},
        tests=tuple(
            f"tests/runtime/redaction/test_{name}.py"
            for name in ("texts", "words", "shapes", "rules", "scanning", "surfaces", "corpus")
        ),
        first={},
    ),
}


@dataclass(frozen=True, slots=True)
class Break:
    """One break."""

    module: str
    number: int
    """Where in the file it is, as `operators` counts."""
    kind: str
    line: int
    source: str
    """The line as it is written."""

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.kind}: {self.source}"

    @property
    def is_equivalent(self) -> bool:
        """Whether nothing is different afterwards."""
        return (self.module, self.kind, self.source) in EQUIVALENT

    def change(self, text: str) -> str:
        """Put the break into *text*.

        Raises:
            ValueError: If that is not the text that it was found in.
        """
        if text.splitlines()[self.line - 1].strip() != self.source:
            raise ValueError(f"{self.module} has been changed since breaks were looked for")
        return broken(text, self.number, self.kind)


def breaks(part: Part) -> list[Break]:
    """Return every break of *part*."""
    found: list[Break] = []
    files = {path for one in part.files for path in (ROOT / RUNTIME).glob(one)}
    for path in sorted(files):
        text = path.read_text(encoding="utf-8")
        lines = ["", *text.splitlines()]
        found += [
            Break(path.name, number, kind, line, lines[line].strip())
            for number, line, kind in places(text, part.kinds)
        ]
    return found


def main(arguments: list[str]) -> int:
    """Break, test, and count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("number", type=int, nargs="?", default=150)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--jobs", type=int, default=2, help="how many at once")
    parser.add_argument("--only", default="", help="modules whose names contain this")
    asked = parser.parse_args(arguments)
    part = PARTS[asked.part]
    every = [one for one in breaks(part) if asked.only in one.module and not one.is_equivalent]
    chosen = random.Random(asked.seed).sample(every, min(asked.number, len(every)))  # noqa: S311 - a sample

    (_, whole), *_ = each([None], lambda copy, _: copy.run(part.tests, patience=PATIENCE), jobs=1)
    if not whole.passed:
        print(whole.said)
        return 1
    for name in sorted(whole.failed):
        print(f"fails without any break, and so notices none: {name}")
    without = [word for name in sorted(whole.failed) for word in ("--deselect", name)]

    def work(copy: Copy, one: Break) -> Verdict:
        with copy.broken(f"{RUNTIME}/{one.module}", one.change):
            return copy.run([*part.noticing(one.module), *without], patience=PATIENCE, first=True)

    survivors = []
    for one, verdict in each(chosen, work, jobs=asked.jobs):
        print(f"{verdict.word}: {one}", flush=True)
        if verdict.word == "survived":
            survivors.append(one)
    noticed = 1 - len(survivors) / len(chosen)
    print(f"{len(chosen)} of {len(every)} breaks: {noticed:.1%} noticed")
    return noticed < ENOUGH


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
